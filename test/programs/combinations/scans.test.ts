/**
 * Prefix sums and other scans, over directives, forms, operators, types and sizes near block and tile boundaries: compared
 * with plain C under Oclgrind, which finds races, with the CUDA text on fibers; `ARC_SLOW_TESTS=1` adds the host and PoCL.
 * Floating-point values are small integers, so that every order gives the same result.
 */
import { afterAll, describe, expect, it } from "vitest";
import { inTurn, isSimulated, slow } from "../../sampled.ts";
import { differences } from "../../targets/fuzz/compare.ts";
import { sourceOf } from "../../targets/fuzz/source.ts";
import { Workshop } from "../../targets/runtime/harness.ts";
import { remarksOf } from "../../targets/translate.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  directive: ["kernels", "serial", "auto", "omp", "inscan", "rows", "rows in kernels", "rows omp"],
  form: [
    "inclusive",
    "exclusive",
    "carried",
    "in place",
    "swapped",
    "guarded",
    "two",
    "down",
    "declared",
    "last",
  ],
  op: ["+", "-", "*", "max", "min", "&", "|", "^"],
  type: ["int", "unsigned", "long", "signed char", "unsigned short", "unsigned long", "float", "double"],
  sizes: ["0, 1, 2", "31, 32, 33", "127, 128, 129", "511, 512, 513", "1023, 1024, 1025", "2049"],
} as const;

type Case = Row<typeof axes>;

/** OpenMP's directive has two forms, and allows floating-point numbers. */
function isMeaningful({ directive, form, op, type }: Case): boolean {
  const real = type === "float" || type === "double";
  if (directive === "inscan" && (op === "-" || !["inclusive", "exclusive", "two"].includes(form)))
    return false;
  if (real && (directive !== "inscan" || ["&", "|", "^"].includes(op))) return false;
  // Directives require loops that declare one variable.
  if (form === "declared" && ["auto", "inscan"].includes(directive)) return false;
  return !(form === "guarded" && op === "-");
}

const ROWS = 3;
const SMALL = "31, 32, 33";

function functionOf({ directive, form, op, type, sizes }: Case, name: string): string {
  const rows = directive.startsWith("rows");
  const chosen = op === "max" || op === "min";
  const step = (s: string, v: string) =>
    chosen ? `if (${v} ${op === "max" ? ">" : "<"} ${s}) ${s} = ${v};` : `${s} ${op}= ${v};`;
  const of = (x: string, y: string) =>
    chosen
      ? `${x} ${op === "max" ? ">" : "<"} ${y} ? ${x} : ${y}`
      : op === "-"
        ? `${y} - ${x}`
        : `${x} ${op} ${y}`;
  const value =
    {
      "*": "i % 701 == 3 ? 3 : i % 5 == 0 ? -1 : 1",
      "&": "i % 97 == 5 ? ~(1 << i % 31) : -1",
      "|": "i % 97 == 5 ? 1 << i % 29 : 0",
    }[op as string] ?? "i * 7919 % 1021 - (i < 7 ? 300 : 500)";
  const [a, b, p, m, r] = ["a", "b", "p", "m", "r"].map((x) => `${x}_${name}`) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const at = (k: string) => (rows ? `[r][${k}]` : `[${k}]`);
  const [x, y] = [`${a}${at("i")}`, `${b}${at("i")}`];
  const scans =
    directive === "inscan"
      ? (way: string) => `\n#pragma omp scan ${way}(s${form === "two" ? ", t" : ""})\n`
      : () => "";
  const forward = "int i = 0; i < n; i++";
  const loop = {
    inclusive: `for (${forward}) { ${step("s", x)} ${scans("inclusive")} ${y} = s; }`,
    exclusive: `for (${forward}) { ${y} = s; ${scans("exclusive")} ${step("s", x)} }`,
    carried: `for (int i = 1; i < n; i++) ${y} = ${of(x, `${b}${at("i - 1")}`)};`,
    "in place": chosen
      ? `for (int i = 1; i < n; i++) ${y} = ${of(`${b}${at("i - 1")}`, y)};`
      : `for (int i = 1; i < n; i++) ${y} ${op === "-" ? "+" : op}= ${b}${at("i - 1")};`,
    swapped: `for (${forward}) { ${type} v = ${y}; ${y} = s; ${step("s", "v")} }`,
    guarded: `for (${forward}) { if (i % 3 != 1) { ${step("s", x)} } ${y} = s; ${step("s", `${p}[i]`)} }`,
    two: `for (${forward}) { ${step("s", x)} ${step("t", `${p}[i]`)} ${scans("inclusive")} ${y} = s ${directive === "inscan" && type.match(/float|double/) ? "+" : "^"} t; }`,
    down: `for (int i = n - 1; i >= 0; i -= 2) { ${step("s", x)} ${y} = s; }`,
    declared: `for (int i = 0, k = 3; i < n; i++) { k += i % 4; ${step("s", x)} ${y} = s + k; }`,
    last: `for (${forward}) { ${step("s", x)} if (i % 2) ${y} = s; }`,
  }[form];
  const start = op === "&" ? "-1" : op === "*" ? "1" : "2";
  const data = `copyin(${a}, ${p}) copy(${b}, ${r})`;
  const map = `map(to: ${a}, ${p}) map(tofrom: ${b}, ${r})`;
  const clause = `reduction(inscan, ${op}: s${form === "two" ? ", t" : ""})`;
  const variables = `${type} s = (${type})(${start} + n % 2), t = 1;`;
  const inside = `{ ${variables} ${loop} ${r}[0] = s - t; }`;
  const region = {
    kernels: `#pragma acc kernels ${data}\n${inside}`,
    serial: `#pragma acc serial ${data}\n${inside}`,
    auto: `#pragma acc parallel ${data}\n{ ${variables}\n#pragma acc loop auto\n${loop} ${r}[0] = s - t; }`,
    omp: `#pragma omp target ${map}\n${inside}`,
    inscan: `${variables}\n#pragma omp target teams distribute parallel for ${clause} ${map} map(tofrom: s, t)\n${loop}\n${r}[0] = s - t;`,
    rows: `#pragma acc parallel loop ${data}\nfor (int r = 0; r < ${ROWS}; r++) { ${variables} ${loop} ${r}[r] = s - t; }`,
    "rows in kernels": `#pragma acc kernels ${data}\nfor (int r = 0; r < ${ROWS}; r++) { ${variables} ${loop} ${r}[r] = s - t; }`,
    "rows omp": `#pragma omp target teams distribute parallel for ${map}\nfor (int r = 0; r < ${ROWS}; r++) { ${variables} ${loop} ${r}[r] = s - t; }`,
  }[directive];
  const shape = rows ? `[${ROWS}][${m}]` : `[${m}]`;
  const all = (what: string) =>
    rows
      ? `for (int r = 0; r < ${ROWS}; r++) for (int i = 0; i < n; i++) ${what}`
      : `for (int i = 0; i < n; i++) ${what}`;
  return `enum { ${m} = 2100 };
${type} ${a}${shape}, ${b}${shape}, ${p}[${m}], ${r}[${ROWS}];
static void ${name}(void) {
  const int sizes[] = {${sizes}};
  for (int k = 0; k < (int)(sizeof sizes / sizeof *sizes); k++) {
    int n = sizes[k];
    for (int i = 0; i < n; i++) ${p}[i] = ${op === "*" ? "1" : "i % 7"};
    ${all(`${x} = ${value}, ${y} = ${op === "*" ? "i % 401 ? 1 : 2" : "i % 5"};`)}
${region}
    unsigned long h = 0;
    ${all(`h = h * 31 + (unsigned long)(long)${y};`)}
    for (int i = 0; i < ${ROWS}; i++) h = h * 31 + (unsigned long)(long)${r}[i], ${r}[i] = 0;
    printf("${name} %d %lu\\n", n, h);
  }
}
`;
}

const rows = pairwise<typeof axes>(allRows(axes, isMeaningful));
const functions = rows.map((row, k) => functionOf(row, `f${k}`));

describe("scans", () => {
  const shop = new Workshop("gcc", ["-w"]);
  afterAll(() => shop.remove());
  const kinds = slow ? (["oclgrind", "lanes", "host", "opencl"] as const) : (["oclgrind", "lanes"] as const);
  // Large sizes take the simulator and fibers long to run, and PoCL long to compile.
  const small = functions
    .filter((_, k) => rows[k]?.sizes === SMALL)
    .filter((_, k, { length }) => isSimulated(k, length));
  const some = functions.filter((_, k) => inTurn(k, 4));
  const batches = kinds.flatMap((kind) => {
    const list = kind === "oclgrind" && !slow ? small : kind === "lanes" ? some : functions;
    const size = kind === "opencl" ? 16 : list.length;
    return Array.from({ length: Math.ceil(list.length / size) }, (_, k) => ({
      kind,
      batch: k,
      list: list.slice(k * size, (k + 1) * size),
    }));
  });

  it.each(batches)(
    "are what plain C computes, on $kind: batch $batch",
    { timeout: 300_000 },
    ({ kind, list }) => {
      const found = differences(list, [kind], shop.archive());
      const about = (name: string | undefined) => {
        const k = Number(name?.slice(1));
        return functions[k] ? `${Object.values(rows[k] as Case).join(", ")}\n${functions[k]}` : "";
      };
      expect(found.map((d) => `${about(d.function)}${d.what}`).join("\n\n")).toBe("");
    },
  );

  it("are shared out, all of them", () => {
    const source = sourceOf(functions);
    const remarks = remarksOf(source, "cuda").filter((r) => /scan-by-(blocks|lanes)/.test(r));
    const lines = remarks.map((r) => Number(r.split(":")[0]));
    const first = functions.map((f) => source.slice(0, source.indexOf(f)).split("\n").length);
    const left = functions.filter((f, k) => {
      const end = (first[k] as number) + f.split("\n").length;
      return !lines.some((line) => line >= (first[k] as number) && line < end);
    });
    expect(left.join("\n")).toBe("");
  });
});
