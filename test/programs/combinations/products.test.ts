/**
 * Nests like matrix products, which groups compute in tiles, over directives, forms of the sum, kinds of
 * operands, and sizes that fit tiles, do not fit them, or are too small: compared with plain C under Oclgrind, which finds
 * races and out-of-bounds accesses, and with `ARC_SLOW_TESTS=1` on PoCL.
 */
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  directive: ["collapse", "two loops", "one loop", "kernels", "omp"],
  sum: ["scalar", "scaled", "element", "grown", "outside", "two"],
  operands: ["a b", "at b", "a bt", "with k", "with i"],
  type: ["int", "double"],
  arrays: ["arrays", "pointers", "restrict"],
  /** Where the sum's counter is declared. */
  counter: ["in the loop", "before the region"],
  /**
   * The nest's range: full rows, rows as long as their index, rows from their index on, the same with each sum stored on
   * both sides of the diagonal, or four matrices one after the other.
   */
  shape: ["whole", "lower", "below", "upper", "above", "mirrored", "batch"],
  /** Rows, columns, length of the sum. */
  size: ["33 34 17", "65 33 16", "32 70 20", "5 3 2", "40 40 0", "1 64 16", "65 66 17", "70 50 16"],
} as const;

type Case = Row<typeof axes>;

/** In `kernels` and with one directive the second loop must be provably independent. */
const isMeaningful = ({ sum, directive, shape }: Case): boolean =>
  !(sum === "outside" && (directive === "kernels" || directive === "one loop")) &&
  // Nests of one directive are rectangular.
  !(!["whole", "batch"].includes(shape) && (directive === "collapse" || directive === "omp")) &&
  !(shape === "mirrored" && directive !== "two loops");

function functionOf(
  { directive, sum, operands, type, arrays, counter, size, shape }: Case,
  name: string,
): string {
  const [n, rectangular, l] = size.split(" ");
  const m = shape === "lower" ? "i + 1" : shape === "below" ? "i" : rectangular;
  const from = shape === "upper" || shape === "mirrored" ? "i" : shape === "above" ? "i + 1" : "0";
  const batch = shape === "batch";
  const nested = batch ? 3 : 2;
  const own = arrays === "arrays";
  const data = own ? `present(a_${name}, b_${name}, c_${name})` : "present(a[0:6400], b[0:6400], c[0:24000])";
  const region = {
    collapse: `#pragma acc parallel loop collapse(${nested}) ${data}`,
    "two loops": `#pragma acc parallel loop ${data}`,
    "one loop": `#pragma acc parallel loop ${data}`,
    kernels: `#pragma acc kernels ${data}`,
    omp: `#pragma omp target teams distribute parallel for collapse(${nested})`,
  }[directive];
  const first = (x: string) => (batch ? (x === "c" ? "n * 70 + " : "n + ") : "");
  const at = (x: string, i: string, j: string) =>
    own ? `${x}_${name}[${first(x)}${i}][${j}]` : `${x}[(${first(x)}${i}) * 80 + ${j}]`;
  const term = {
    "a b": `${at("a", "i", "k")} * ${at("b", "k", "j")}`,
    "at b": `${at("a", "k", "i")} * ${at("b", "k", "j")}`,
    "a bt": `${at("a", "i", "k")} * ${at("b", "j", "k")}`,
    "with k": `(${at("a", "i", "k")} + k) * ${at("b", "k", "j")}`,
    "with i": `(${at("a", "i", "k")} - ${at("b", "k", "j")}) * (i - j)`,
  }[operands];
  const order = directive === "collapse" ? "\n#pragma acc loop seq\n" : "";
  const k = `${order}for (${counter === "in the loop" ? "int " : ""}k = 0; k < ${l}; k++)`;
  const body = {
    scalar: `{ ${type} s = 0; ${k} s += ${term}; ${at("c", "i", "j")} = s; }`,
    scaled: `{ ${type} s = 3; ${k} { ${type} t = ${term}; s += t; } ${at("c", "i", "j")} = 2 * s + ${at("c", "i", "j")}; }`,
    element: `{ ${at("c", "i", "j")} *= 2; ${k} ${at("c", "i", "j")} += 3 * ${term}; }`,
    grown: `{ ${k} ${at("c", "i", "j")} += ${term}; }`,
    outside: `{ s = 1; ${k} s += ${term}; ${at("c", "i", "j")} = s; }`,
    two: `{ ${type} s = 0, most = -5; ${k} { s += ${term}; if (s > most) most = s; } ${at("c", "i", "j")} = s - most; }`,
  }[sum];
  const mirrored = `${at("c", "i", "j")} += 2; ${at("c", "j", "i")} = ${at("c", "i", "j")}; }`;
  const whole = shape === "mirrored" ? body.replace(/\}$/, mirrored) : body;
  const inner = directive === "two loops" ? "#pragma acc loop\n" : "";
  const privates = sum === "outside" ? " private(s)" : "";
  const restrict = arrays === "restrict" ? "restrict " : "";
  const around = batch ? `  for (int n = 0; n < 4; n++)\n${inner}` : "";
  return `${type} a_${name}[80][80], b_${name}[80][80], c_${name}[300][80];
void run_${name}(${type} *${restrict}a, ${type} *${restrict}b, ${type} *${restrict}c) {
  ${sum === "outside" ? `${type} s;` : ""}${counter === "in the loop" ? "" : " int k;"}
${region}${directive === "two loops" ? "" : privates}
${around}  for (int i = 0; i < ${n}; i++)
${inner.replace("\n", `${privates}\n`)}    for (int j = ${from}; j < ${m}; j++) ${whole}
}
static void ${name}(void) {
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < 80; j++) {
      if (i < 80) a_${name}[i][j] = (i + j * 3) % 7, b_${name}[i][j] = (i * 5 + j) % 9 - 4;
      c_${name}[i][j] = i - j;
    }
#pragma acc data copyin(a_${name}, b_${name}) copy(c_${name})
  { run_${name}(&a_${name}[0][0], &b_${name}[0][0], &c_${name}[0][0]); }
  double all = 0;
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < 80; j++) all += c_${name}[i][j] * (i % 7 + j % 5 + 1);
  printf("${name} %.0f %.0f %.0f\\n", all, (double)c_${name}[1][1], (double)c_${name}[2][3]);
}
`;
}

/** Several small products, for which the launch finds that tiles are not worth it. */
const withoutTiles = (name: string) => `int a_${name}[5][20][20], b_${name}[5][20][20], c_${name}[5][20][20];
void run_${name}(int l, int n, int m) {
#pragma acc parallel loop collapse(3) present(a_${name}, b_${name}, c_${name})
  for (int h = 0; h < l; h++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        int s = 0;
        for (int k = 0; k < m; k++) s += a_${name}[h][i][k] * b_${name}[h][k][j];
        c_${name}[h][i][j] = s;
      }
}
static void ${name}(void) {
  for (int k = 0; k < 2000; k++) a_${name}[k / 400][k / 20 % 20][k % 20] = k % 13, b_${name}[k / 400][k / 20 % 20][k % 20] = k % 17 - 8;
#pragma acc data copyin(a_${name}, b_${name}) copy(c_${name})
  { run_${name}(5, 20, 6); }
  long all = 0;
  for (int k = 0; k < 2000; k++) all += (long)c_${name}[k / 400][k / 20 % 20][k % 20] * (k % 11 + 1);
  printf("${name} %ld\\n", all);
}
`;

const rows = pairwise<typeof axes>(allRows(axes, isMeaningful));
describeAsPlainC("products in tiles", [
  ...rows.map((row, k) => functionOf(row, `f${k}`)),
  withoutTiles(`f${rows.length}`),
]);
