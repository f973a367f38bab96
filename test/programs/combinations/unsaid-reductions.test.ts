/**
 * Variables of an iteration that the loop inside it combines, or flags that it sets, with and without a clause that says
 * so. Lanes share the inner loop, and must not lose each other's part.
 */
import type { Row } from "./covering.ts";
import { judged } from "./judged.ts";

const axes = {
  declared: ["in the iteration", "private", "outside"],
  construct: ["parallel", "kernels", "target"],
  outer: ["gang", "plain", "worker too", "one gang"],
  inner: ["vector", "plain", "two"],
  op: ["+", "*", "max", "|", "&&", "raised", "cleared", "marked", "late", "one lane", "kept by one lane"],
  type: ["int", "unsigned short", "double"],
  use: ["stored", "added to", "condition", "twice"],
  said: ["by no clause", "by a clause"],
} as const;

const ROWS = 9;
const COLUMNS = 40;

/** What a variable has before the loop whose iterations only assign one value to it: a constant, or that of one lane. */
const before: Readonly<Record<string, string>> = {
  raised: "0",
  cleared: "1",
  marked: "9",
  late: `a[i * ${COLUMNS} + 1] % 5`,
  "one lane": `a[i * ${COLUMNS}]`,
  "kept by one lane": `a[i * ${COLUMNS}]`,
};

type Combination = Row<typeof axes>;

const isMeaningful = ({ declared, construct, op, type, outer, use, said }: Combination): boolean =>
  !(op === "|" && type === "double") &&
  // Variables from outside are each gang's own in `parallel` only, and shared by its workers.
  !(declared === "outside" && (construct !== "parallel" || outer === "worker too")) &&
  !(construct === "target" && outer !== "gang" && outer !== "one gang") &&
  // Only loops take `private` in `kernels`.
  !(declared === "private" && construct === "kernels" && outer === "one gang") &&
  !(op in before && said === "by a clause") &&
  !((op === "&&" || op in before) && use === "added to");

function directives({
  construct,
  declared,
  outer,
  inner,
  op,
  said,
}: Combination): readonly [string, string, string] {
  const own = declared === "private" ? " private(s)" : "";
  const clause = said === "by a clause" ? ` reduction(${op}: s)` : "";
  if (construct === "target")
    return [
      `omp target${outer === "gang" ? " teams distribute" : ""}${own}`,
      `omp parallel for${clause}`,
      inner === "two" ? `omp simd${clause}` : "",
    ];
  const independent = construct === "kernels" ? " independent" : "";
  const level = { gang: " gang", plain: "", "worker too": " gang worker", "one gang": "" }[outer];
  const within = inner === "plain" ? "" : inner === "two" && outer !== "worker too" ? " worker" : " vector";
  return [
    outer === "one gang"
      ? `acc ${construct} num_gangs(1)${own}`
      : `acc ${construct} loop${level}${independent}${own}`,
    `acc loop${within}${independent}${clause}`,
    inner === "two" && within === " worker" ? `acc loop vector${independent}${clause}` : "",
  ];
}

function functionOf(c: Combination, name: string): string {
  const { declared, op, type, use } = c;
  const [outer, inner, innermost] = directives(c);
  const start = before[op] ?? (op === "*" || op === "&&" ? "1" : "0");
  const combine = {
    "+": "s += v;",
    "*": "s *= v % 13 == 5 ? 2 : 1;",
    max: "if (v > s) s = v;",
    "|": "s |= 1 << v % 11;",
    "&&": "s = s && v != 60;",
    raised: "if (v == 60 && i % 4) s = 1;",
    cleared: "if (v == 60 && i % 3) { s = 0; }",
    marked: "switch (v + i) { case 60: s = 3; }",
    late: "if (v == 60) s = 2;",
    "one lane": "if (j == 30 && k == 1) s = v;",
    "kept by one lane": "if (j == 30 && k == 1) { s = v; w[i] = s * 2; }",
  }[op];
  const once = use === "condition" ? `if (v % 3) { ${combine} }` : combine;
  const loop = (from: string) => `
#pragma ${inner}
      for (int j = ${from}; j < ${COLUMNS}; j++) {
${innermost === "" ? "" : `#pragma ${innermost}\n`}        for (int k = 0; k < 2; k++) {
          int v = a[i * ${COLUMNS} + j] + k;
          ${once}
        }
      }`;
  return `static void ${name}(void) {
  int a[${ROWS * COLUMNS}];
  double q[${ROWS}];
  int w[${ROWS}] = {0};
  ${declared === "in the iteration" ? "" : `${type} s;`}
  for (int k = 0; k < ${ROWS * COLUMNS}; k++) a[k] = k * 7 % 61;
  for (int k = 0; k < ${ROWS}; k++) q[k] = -1;
#pragma ${outer}
    for (int i = 0; i < ${ROWS}; i++) {
      ${declared === "in the iteration" ? `${type} ` : ""}s = ${use === "added to" ? `${start} + i` : start};${loop("0")}
      q[i] = s;${use === "twice" ? `${loop(String(COLUMNS / 2))}\n      q[i] += s;` : ""}
    }
  printf("${name}");
  for (int k = 0; k < ${ROWS}; k++) printf(" %g", q[k] + w[k]);
  printf("\\n");
}
`;
}

judged("variables of an iteration that the loop inside combines", axes, isMeaningful, functionOf);
