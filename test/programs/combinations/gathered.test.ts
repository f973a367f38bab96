/**
 * Histograms and other atomic updates that groups gather in copies of an array, over the array's form, element type,
 * operator, subscripts inside the copy and beyond it, and what else an iteration does: compared with plain C under
 * Oclgrind, which finds races, and on the host with separate memory; with `ARC_SLOW_TESTS=1` on PoCL too.
 */
import { describe, expect, it } from "vitest";
import { remarksOf } from "../../targets/translate.ts";
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  form: ["array", "pointer", "rows", "rows of rows", "array of rows"],
  section: ["all", "a part", "unknown"],
  type: ["int", "unsigned", "long", "float", "double"],
  update: ["+= 1", "-= i % 3", "+= v[i]", "increment", "two"],
  spread: ["few", "all", "one"],
  more: ["nothing", "a sum", "a store", "a loop inside", "a condition"],
  iterations: ["0", "700", "2500"],
} as const;

function functionOf(row: Row<typeof axes>, name: string): string {
  const { form, section, type, update, spread, more, iterations } = row;
  // 120 rows of 6 x 4.
  const inner = { array: "", pointer: "", rows: "[24]", "rows of rows": "[6][4]", "array of rows": "[24]" }[
    form
  ];
  const whole = inner === "" ? 2880 : 120;
  const length = { all: `${whole}`, "a part": `${whole / 4}`, unknown: "count" }[section];
  const declared = form === "array" || form === "array of rows";
  const h = declared ? `h_${name}` : "h";
  const at = { few: "k[i] % 7 * 5", all: "(k[i] * 31 + i) % 2880", one: "2879" }[spread];
  const subscripts = {
    array: "[e]",
    pointer: "[e]",
    rows: "[e / 24][e % 24]",
    "rows of rows": "[e / 24][e / 4 % 6][e % 4]",
    "array of rows": "[e / 24][e % 24]",
  }[form];
  const target = `${h}${subscripts}`;
  const atomic = (s: string) => `\n#pragma acc atomic\n      ${s};\n`;
  const updates = {
    "+= 1": atomic(`${target} += 1`),
    "-= i % 3": atomic(`${target} -= i % 3`),
    "+= v[i]": atomic(`${target} += v[i]`),
    increment: atomic(`${target}++`),
    two: `${atomic(`${target} += 2`)}e = 2879 - e;${atomic(`${target} += i % 5`)}`,
  }[update];
  const body = {
    nothing: updates,
    "a sum": `sum += v[i] + 1; ${updates}`,
    "a store": `w[i] = v[i] * 2; ${updates}`,
    "a loop inside": `for (int q = 0; q < 3; q++) e = (e * 7 + q) % 2880; ${updates}`,
    "a condition": `if (k[i] % 3) { ${updates} }`,
  }[more];
  const data = declared ? `h_${name}` : `h[0:${length}]`;
  return `${type} h_${name}[${whole}]${inner}; int k_${name}[2500], v_${name}[2500], w_${name}[2500];
int run_${name}(int n, int count, ${type} (*restrict h)${inner}, int *restrict k, int *restrict v, int *restrict w) {
  int sum = 0;
#pragma acc parallel loop present(${data}, k[0:n], v[0:n], w[0:n]) ${more === "a sum" ? "reduction(+: sum)" : ""}
  for (int i = 0; i < n; i++) {
    int e = ${at};
    ${body}
  }
  return sum;
}
static void ${name}(void) {
  for (int i = 0; i < 2500; i++) k_${name}[i] = i * 13 % 101, v_${name}[i] = i % 9 - 3;
  int sum;
#pragma acc data copyin(k_${name}, v_${name}) copy(h_${name}, w_${name})
  sum = run_${name}(${iterations}, ${whole}, h_${name}, k_${name}, v_${name}, w_${name});
  double all = sum;
  ${type} *flat = (${type} *)h_${name};
  for (int i = 0; i < 2880; i++) all += (double)flat[i] * (i % 11 + 1);
  for (int i = 0; i < 2500; i++) all += w_${name}[i];
  printf("${name} %.0f %.0f\\n", all, (double)flat[2879]);
}
`;
}

const isMeaningful = ({ form, section }: Row<typeof axes>): boolean =>
  section === "all" || (form !== "array" && form !== "array of rows");

const functions = pairwise<typeof axes>(allRows(axes, isMeaningful)).map((row, k) =>
  functionOf(row, `f${k}`),
);

describeAsPlainC("atomic updates that groups gather", functions, ["oclgrind", "host"]);

describe("atomic updates that groups gather", () => {
  it("have copies, all of them", () => {
    const left = functions.filter(
      (f) =>
        !remarksOf(`int printf(const char *, ...);\n${f}`, "cuda").some((r) =>
          r.endsWith("gathered-by-groups"),
        ),
    );
    expect(left.join("\n")).toBe("");
  });
});
