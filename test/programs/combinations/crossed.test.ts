/**
 * Nests that load along one loop and store along another, through tiles in group memory: over directives, kinds of arrays,
 * sizes, types and bodies, compared with plain C under Oclgrind, which finds races, and as CUDA's text with fibers for
 * threads; with `ARC_SLOW_TESTS=1` more combinations, on PoCL too.
 */
import { afterAll, describe, expect, it } from "vitest";
import { isSimulated, slow } from "../../sampled.ts";
import { differences } from "../../targets/fuzz/compare.ts";
import { Workshop } from "../../targets/runtime/harness.ts";
import { remarksOf } from "../../targets/translate.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  directive: ["collapse", "parallel loop", "inner loop", "kernels", "omp", "three loops"],
  arrays: ["arrays", "pointers", "restrict", "the same"],
  size: ["5 40", "16 70", "33 17", "64 64", "80 79"],
  range: ["all", "inside", "backwards", "every second"],
  type: ["float", "double", "int", "unsigned char"],
  body: ["transposed", "both", "neighbours", "a variable", "a condition", "two stores", "scaled"],
} as const;

type Case = Row<typeof axes>;

/** Iterations that read what others write are not independent. */
const isMeaningful = ({ arrays, body, directive }: Case): boolean =>
  (arrays !== "the same" || (directive === "kernels" && body !== "neighbours")) &&
  !(directive === "three loops" && arrays !== "arrays");

/** Too small for tiles, by pointers that may overlap, of loops that both have lanes: the kernel has the nest in three forms. */
const inBothForms = ({ directive, arrays, size, type, body, range }: Case): boolean =>
  directive === "inner loop" &&
  arrays === "pointers" &&
  size === "5 40" &&
  type === "float" &&
  range === "all" &&
  (body === "transposed" || body === "two stores");

function functionOf({ directive, arrays, size, range, type, body }: Case, name: string): string {
  const [n, m] = size.split(" ");
  const three = directive === "three loops";
  const [present, inner] = [
    "present(p[0:6400], q[0:6400])",
    directive === "inner loop" ? "#pragma acc loop\n" : "",
  ];
  const own = arrays === "arrays";
  const before = {
    collapse: `acc parallel loop collapse(2) ${present}`,
    "three loops": `acc parallel loop collapse(3) ${present}`,
    "parallel loop": `acc parallel loop ${present}`,
    "inner loop": `acc parallel loop ${present}`,
    kernels: `acc kernels ${present}`,
    omp: "omp target teams distribute parallel for collapse(2)",
  }[directive];
  const loop = (v: string, end: string | undefined) =>
    ({
      all: `for (int ${v} = 0; ${v} < ${end}; ${v}++)`,
      inside: `for (int ${v} = 1; ${v} < ${end} - 1; ${v}++)`,
      backwards: `for (int ${v} = ${end} - 1; ${v} >= 0; ${v}--)`,
      "every second": `for (int ${v} = 0; ${v} <= ${end} - 1; ${v} += 2)`,
    })[range];
  const at = (x: "p" | "q", i: string, j: string) => {
    const array = `${x === "p" ? "a" : "b"}${three ? 3 : ""}_${name}`;
    return three ? `${array}[l][${i}][${j}]` : own ? `${array}[${i}][${j}]` : `${x}[(${i}) * 80 + ${j}]`;
  };
  const to = at("p", "j", "i");
  const stores = {
    transposed: `${to} = ${at("q", "i", "j")};`,
    both: `${to} = ${at("q", "j", "i")} - ${at("q", "i", "j")} * 2;`,
    neighbours: `${to} = ${at("q", "i", "j")} + ${at("q", "i", "(j + 1) % 80")} + ${at("q", "(i + 79) % 80", "j")};`,
    "a variable": `{ ${type} t = ${at("q", "i", "j")} + 1; t = t * t; ${to} = t - ${at("q", "i", "j")}; }`,
    "a condition": `{ ${type} t = ${at("q", "i", "j")}; if ((i + j) % 3) ${to} = t; else if (i > 2) ${to} = i - j; }`,
    "two stores": `{ ${to} = ${at("q", "i", "j")}; ${to} = ${to} * 2 + ${at("q", "i", "j")}; }`,
    scaled: `${to} = ${at("p", "j", "i")} + ${at("q", "i", "j")} * w[i % 5] + w[j % 5];`,
  }[body];
  const restrict = arrays === "restrict" ? "restrict " : "";
  const data = `present(${three ? `a3_${name}, b3_${name}` : `a_${name}, b_${name}`})`;
  const text = own || three ? before.replace(present, data) : before;
  return `${type} a_${name}[80][80], b_${name}[80][80], a3_${name}[3][80][80], b3_${name}[3][80][80];
void run_${name}(${type} *${restrict}p, ${type} *${restrict}q, const ${type} *${restrict}w) {
#pragma ${text} ${directive === "omp" ? "map(to: w[0:5])" : "copyin(w[0:5])"}
  ${three ? "for (int l = 0; l < 3; l++)" : ""}
  ${loop("i", n)}
${inner}    ${loop("j", m)} ${stores}
}
static void ${name}(void) {
  ${type} w[5] = {1, 2, 3, 4, 5};
  for (int l = 0; l < 3; l++)
    for (int i = 0; i < 80; i++)
      for (int j = 0; j < 80; j++) {
        a_${name}[i][j] = a3_${name}[l][i][j] = i + j % 7;
        b_${name}[i][j] = b3_${name}[l][i][j] = (i * 3 + l) % 5 + j % 9;
      }
#pragma acc data copy(a_${name}, b_${name}, a3_${name}, b3_${name})
  { run_${name}(&a_${name}[0][0], &${arrays === "the same" ? "a" : "b"}_${name}[0][0], w); }
  long all = 0;
  for (int l = 0; l < 3; l++)
    for (int i = 0; i < 80; i++)
      for (int j = 0; j < 80; j++)
        all += (long)(${three ? `a3_${name}[l]` : `a_${name}`}[i][j]) * (i % 7 + j % 5 + l + 1);
  printf("${name} %ld %d %d\\n", all, (int)a_${name}[1][1], (int)a3_${name}[1][2][3]);
}
`;
}

const PER_PROGRAM = 40;

describe("loads along one loop and stores along another", () => {
  const shop = new Workshop("gcc", ["-w"]);
  afterAll(() => shop.remove());
  const every = allRows(axes, isMeaningful);
  const rows = slow
    ? every.filter((_, k) => k % Math.ceil(every.length / 600) === 0)
    : [...pairwise<typeof axes>(every), ...every.filter(inBothForms)];
  const functions = rows.map((row, k) => functionOf(row, `f${k}`));
  const programs = Array.from({ length: Math.ceil(rows.length / PER_PROGRAM) }, (_, k) =>
    functions.slice(k * PER_PROGRAM, (k + 1) * PER_PROGRAM),
  );

  const kindsOf = (k: number) =>
    (["oclgrind", "lanes", "opencl"] as const).filter(
      (kind) => slow || kind === "lanes" || (kind === "oclgrind" && isSimulated(k, programs.length)),
    );
  it.each(programs.map((list, k) => ({ list, k, kinds: kindsOf(k) })))(
    "are what plain C computes: program $k on $kinds",
    { timeout: 600_000 },
    ({ list, kinds }) => {
      const found = differences(list, kinds, shop.archive());
      const text = (name = "") => list.find((f) => f.includes(`run_${name}(`)) ?? "";
      expect(found.map((d) => `${text(d.function)}\n${d.what}`).join("\n")).toBe("");
    },
  );

  it("go through tiles, most of them", () => {
    const tiled = functions.filter((f) =>
      remarksOf(`int printf(const char *, ...);\n${f}`, "cuda").some((r) => r.endsWith("crossed-tiles")),
    );
    expect(tiled.length).toBeGreaterThan(functions.length / 2);
  });
});
