/**
 * Functions with control structures around a loop over lanes: sequential loops with and without directives,
 * branches that some iterations take, `continue`. Code before and after the lanes runs
 * once for all of them. OpenCL compilers lose track of barriers in such code, and where a branch changes its own
 * condition ("changed"), all items must have read the condition first.
 */
import type { Row } from "./covering.ts";

const around = [
  "seq",
  "if",
  "if else",
  "if changed",
  "continue",
  "continue changed",
  "continue in branch",
  "continue in switch",
  "none trips",
] as const;

export const axes = {
  outer: around,
  middle: around,
  inner: around,
  work: ["nothing", "in front", "behind", "both"],
  lanes: ["store", "sum", "none trips"],
} as const;

export type Combination = Row<typeof axes>;

/** Other tables cover branches directly around lanes. */
export const isMeaningful = ({ outer, middle, inner, work }: Combination): boolean =>
  [outer, middle, inner].some((one) => !one.startsWith("if")) || work !== "nothing";

const LANES = 37;

/** The function text for a combination, named `name`. */
export function functionOf(c: Combination, name: string): string {
  const code = wrapped(c, 0, wrapped(c, 1, wrapped(c, 2, lanes(c))));
  return `static void ${name}(void) {
  int n = 0, a[64], b[64], each[${LANES}];
  for (int k = 0; k < 64; k++) { a[k] = k * 7 % 61; b[k] = k % 5; }
  for (int k = 0; k < ${LANES}; k++) each[k] = k;
#pragma acc parallel num_gangs(1) vector_length(32) copy(a, each, n) copyin(b)
  {
    int i0 = 0, i1 = 0, i2 = 0;
${code.map((line) => `    ${line}`).join("\n")}
    a[60] = a[1] + n;
  }
  unsigned long h = n;
  for (int k = 0; k < 64; k++) h = h * 31 + (unsigned long)a[k];
  for (int k = 0; k < ${LANES}; k++) h = h * 31 + (unsigned long)each[k];
  printf("${name} %lu\\n", h);
}
`;
}

/** Whether iteration `i` of the level runs the inner code, depending on an array. */
const taken = (level: number): string =>
  level === 0 ? "b[2] < 3" : `b[i${level - 1} + ${level}] != ${level}`;

function wrapped(c: Combination, level: number, inside: readonly string[]): string[] {
  const kind = [c.outer, c.middle, c.inner][level] as (typeof around)[number];
  const { front, behind } = beside(c, level);
  const body = [...front, ...inside, ...behind];
  const i = `i${level}`;
  switch (kind) {
    case "seq":
      return ["#pragma acc loop seq", `for (int ${i} = 0; ${i} < 3; ${i}++) {`, ...body, "}"];
    case "if":
      return [`if (${taken(level)}) {`, ...body, "}"];
    case "if else":
      return [`if (${taken(level)}) {`, ...body, "} else {", `a[${level + 40}] += 3;`, "}"];
    case "if changed":
      return [
        `if (a[${level + 50}] % 2) {`,
        `a[${level + 50}]++;`,
        ...body,
        "} else {",
        `a[${level + 50}] += 3;`,
        "}",
      ];
    case "continue changed":
      return [
        `for (${i} = 0; ${i} < 3; ${i}++) {`,
        `if (a[${i} + ${20 + 4 * level}] % 2) {`,
        `a[${i} + ${20 + 4 * level}]++;`,
        "continue;",
        "}",
        ...body,
        "}",
      ];
    case "continue in branch":
      return [
        `for (${i} = 0; ${i} < 3; ${i}++) {`,
        `if (a[${i} + ${20 + 4 * level}] % 2) {`,
        `if (b[${i} + 1] == 2) continue;`,
        `a[${i} + ${20 + 4 * level}]++;`,
        "}",
        ...body,
        "}",
      ];
    case "continue in switch":
      return [
        `for (${i} = 0; ${i} < 3; ${i}++) {`,
        `switch (a[${i} + ${20 + 4 * level}] % 3) {`,
        `case 1: if (b[${i} + 1] == 2) continue;`,
        `case 2: a[${i} + ${20 + 4 * level}]++; break;`,
        "}",
        ...body,
        "}",
      ];
    case "continue":
      return [`for (${i} = 0; ${i} < 3; ${i}++) {`, `if (b[${i} + 1] == 2) continue;`, ...body, "}"];
    case "none trips":
      return [`for (${i} = 0; ${i} < b[5] * 2; ${i}++) {`, ...body, "}", `a[${level + 44}]++;`];
  }
}

/** Work of one item for all. */
function beside(
  { work }: Combination,
  level: number,
): { readonly front: string[]; readonly behind: string[] } {
  const front = `a[i0 + i1 * 4 + i2 * 16] += ${2 + level} + a[3]; n += a[2];`;
  const behind = `a[i0 + i1 * 4 + i2 * 16 + 1] += each[3]; n += a[${level}];`;
  return {
    front: work === "in front" || work === "both" ? [front] : [],
    behind: work === "behind" || work === "both" ? [behind] : [],
  };
}

function lanes({ lanes }: Combination): string[] {
  const last = lanes === "none trips" ? "b[0]" : String(LANES);
  const code = lanes === "sum" ? "s += each[v] % 3;" : "each[v] = (each[v] * 3 + i0 + i1 + a[i2]) % 1000;";
  return [
    "int s = b[i2 + 1];",
    `#pragma acc loop vector${lanes === "sum" ? " reduction(+:s)" : ""}`,
    `for (int v = 0; v < ${last}; v++) { ${code} }`,
    "a[59] += s;",
  ];
}
