/**
 * Rows that lanes load 16 bytes at a time where they lie at multiples of 16: over types, lengths, places of the first
 * elements and what is summed, compared with plain C. All values are small integers, so that every order of a sum gives the
 * same result.
 */
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  type: ["float", "double", "int", "unsigned"],
  pitch: ["136", "137"],
  length: ["128", "131", "n"],
  from: ["0", "1", "4"],
  what: ["sum", "greatest", "two sums", "sum with number", "own variable", "neighbours"],
} as const;

type Case = Row<typeof axes>;

const code = (what: Case["what"]): string =>
  ({
    sum: "s += a[i][k] * x[k];",
    greatest: "s = fmax(s, a[i][k]);",
    "two sums": "s += a[i][k] * x[k]; t += b[i][k] * x[k];",
    "sum with number": "s += a[i][k] * (k % 3) + k;",
    "own variable": "T v = a[i][k]; t += v; v = v * x[k]; s += v * v;",
    neighbours: "s += a[i][k] * a[i][k + 1]; t += x[k + 3];",
  })[what];

function functionOf({ type, pitch, length, from, what }: Case, name: string): string {
  return `static void ${name}(void) {
  typedef ${type} T;
  static T a[3][${pitch}], b[3][${pitch}], x[140], y[3];
  int n = 130;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < ${pitch}; k++) a[i][k] = (i * 5 + k * 3) % 13, b[i][k] = (i + k) % 7;
  for (int k = 0; k < 140; k++) x[k] = k % 5;
#pragma acc parallel loop copyin(a, b, x) copyout(y)
  for (int i = 0; i < 3; i++) {
    T s = 1, t = 0;
    for (int k = ${from}; k < ${length}; k++) { ${code(what)} }
    y[i] = s + 2 * t;
  }
  printf("${name} %.17g %.17g %.17g\\n", (double)y[0], (double)y[1], (double)y[2]);
}
`;
}

describeAsPlainC(
  "wide rows",
  pairwise<typeof axes>(allRows(axes, () => true)).map((row, k) => functionOf(row, `f${k}`)),
);
