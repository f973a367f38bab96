/**
 * Code of one group behind a loop of all groups, which the last group runs where there are few of them: over what stands
 * around the loop, its kinds, and lengths with one group, several, and more than are counted. Compared with plain C under
 * Oclgrind, and as CUDA's text, which has the last group's code.
 */
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  region: ["parallel", "kernels", "omp"],
  head: ["nothing", "scalar", "lanes", "both"],
  wide: ["elements", "rows", "columns", "sum", "greatest", "scan"],
  tail: ["nothing", "scalar", "elements", "lanes", "condition", "loop", "two sums", "short"],
  behind: ["nothing", "elements", "scalar and elements"],
  around: ["once", "twice", "alone"],
  size: ["0 9", "1 1", "2 300", "4 1100", "2 2500"],
} as const;

type Case = Row<typeof axes>;

/** Reductions of `target teams` belong to the construct. Rows and columns are for small sizes. */
const isMeaningful = ({ region, wide, head, tail, size }: Case): boolean =>
  !(region === "omp" && (wide === "sum" || wide === "greatest" || tail === "two sums")) &&
  !(region === "parallel" && (wide === "sum" || wide === "greatest")) &&
  !(region !== "kernels" && wide === "scan") &&
  !(region === "omp" && (head === "lanes" || head === "both" || tail === "lanes")) &&
  !(["rows", "columns"].includes(wide) && Number(size.split(" ")[1]) > 300);

const M = 2500;

function functionOf({ region, head, wide, tail, behind, around, size }: Case, name: string): string {
  const [n, m] = size.split(" ");
  const [a, b, c] = [`a_${name}`, `b_${name}`, `c_${name}`];
  const construct = {
    parallel: `#pragma acc parallel present(${a}, ${b}, ${c})`,
    kernels: `#pragma acc kernels present(${a}, ${b}, ${c})`,
    omp: "#pragma omp target teams",
  }[region];
  const all = (clause = "") =>
    ({
      parallel: `#pragma acc loop gang vector ${clause}`,
      kernels: `#pragma acc loop independent ${clause}`,
      omp: "#pragma omp distribute parallel for",
    })[region];
  const lanes = "#pragma acc loop vector";
  const heads = {
    nothing: "",
    scalar: `d = (d + ${b}[k]) % 97;`,
    lanes: `${lanes}\nfor (int j = 0; j < 40; j++) ${c}[j][0] = (${c}[j][0] + ${c}[j][k] + d) % 31;`,
    both: `${lanes} reduction(+:d)\nfor (int j = 0; j < m; j++) d += ${b}[j] % 3;\n d %= 1009; ${c}[k][3] = d;`,
  };
  const wides = {
    elements: `${all()}\nfor (int i = 0; i < m; i++) ${b}[i] = (${b}[i] + ${a}[i] * (k + 1) + d) % 1000;`,
    rows: `${all()}\nfor (int i = 0; i < m; i++) { int s = 0; for (int j = 0; j < 40; j++) s += ${c}[i][j] * ${b}[j]; ${a}[i] = (s + d) % 1000; }`,
    columns: `${all()}\nfor (int i = 0; i < 40; i++) { int s = 0; for (int j = 0; j < m; j++) s += ${c}[j][i] * ${a}[j]; ${b}[i] = (s + d) % 1000; }`,
    sum: `${all("reduction(+:d)")}\nfor (int i = 0; i < m; i++) d += ${a}[i] * (i % 3) + ${b}[i];`,
    greatest: `${all("reduction(max:d)")}\nfor (int i = 0; i < m; i++) d = d > ${b}[i] + k ? d : ${b}[i] + k;`,
    scan: `{\nint run = d; for (int i = 0; i < m; i++) { run += ${a}[i] % 7; ${b}[i] = run % 1000; } }`,
  };
  const tails = {
    nothing: "",
    scalar: `d = (d * 3 + ${b}[m / 2] + ${a}[m - 1]) % 101;`,
    elements: `${b}[0] = (${b}[m - 1] + d) % 1000; ${a}[m / 2] = ${b}[0] + k;`,
    lanes: `${lanes}\nfor (int j = 0; j < m; j++) ${a}[j] = (${a}[j] + ${b}[m - 1 - j] + d) % 1000;`,
    condition: `if (${b}[m / 3] % 2) { d = ${b}[m - 1] % 89; ${c}[k][1] = d; } else if (d > 40) d -= ${a}[0] % 7;`,
    loop: `for (int j = 0; j < 20; j++) { d = (d + ${b}[j * (m - 1) / 20]) % 113; ${c}[j][2] += d; }`,
    "two sums": `int s = 0, t = 0;\n${lanes} reduction(+:s)\nfor (int j = 0; j < m; j++) s += ${b}[j] % 5;\n${lanes} reduction(+:t)\nfor (int j = 0; j < m; j++) t += ${a}[j] % 5 + s % 3;\n d = (s + t) % 127;`,
    short: `${all()}\nfor (int j = 0; j < 50; j++) ${c}[j][5] = (${c}[j][5] + ${b}[j] + d) % 61;`,
  };
  const more = {
    nothing: "",
    elements: `${all()}\nfor (int i = 0; i < m; i++) ${a}[i] = (${a}[i] + ${b}[m - 1 - i]) % 1000;`,
    "scalar and elements": `${c}[k][4] = d;\n${all()}\nfor (int i = 0; i < m; i++) ${a}[i] = (${a}[i] * 3 + ${b}[i] + d) % 1000;\n d = (d + ${a}[m - 1]) % 83;`,
  };
  const body = `${heads[head]}\n${wides[wide]}\n${tails[tail]}\n${more[behind]}`;
  const loop = {
    once: `for (int k = 0; k < n; k++) {\n${body}\n}`,
    twice: `for (int o = 0; o < 2; o++) {\n for (int k = 0; k < n; k++) {\n${body}\n}\n d++;\n}`,
    alone: `for (int o = 0; o < n; o++) {\n${all()}\nfor (int i = 0; i < m; i++) ${b}[i] ^= 1;\n}\n { const int k = 1;\n${body}\n }`,
  }[around];
  return `int ${a}[${M}], ${b}[${M}], ${c}[300][40];
void run_${name}(int n, int m, int start) {
${construct}
  {
  int d = start;
  ${loop}
  ${c}[299][39] = d;
  }
}
static void ${name}(void) {
  for (int i = 0; i < ${M}; i++) ${a}[i] = i % 11, ${b}[i] = i * 7 % 13;
  for (int i = 0; i < 300; i++) for (int j = 0; j < 40; j++) ${c}[i][j] = (i + j) % 9;
#pragma acc data copy(${a}, ${b}, ${c})
  { run_${name}(${n}, ${m}, 5); run_${name}(${n}, ${m}, 6); }
  long all = 0;
  for (int i = 0; i < ${M}; i++) all += (long)${a}[i] * (i % 7 + 1) + (long)${b}[i] * (i % 5 + 1);
  for (int i = 0; i < 300; i++) for (int j = 0; j < 40; j++) all += ${c}[i][j] * (i % 3 + j);
  printf("${name} %ld %d %d\\n", all, ${a}[0], ${c}[299][39]);
}
`;
}

describeAsPlainC(
  "code behind loops of all groups",
  pairwise<typeof axes>(allRows(axes, isMeaningful)).map((row, k) => functionOf(row, `f${k}`)),
);
