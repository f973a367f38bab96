/**
 * Columns that groups of 1024 items sum, in `int` where the length is known to be short: over numbers of columns and rows,
 * their types and what a column computes, compared with plain C. All values are small integers, so that every order of a
 * sum gives the same result.
 */
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  type: ["int", "float", "short"],
  columns: ["1", "33", "70"],
  rows: ["8", "70"],
  length: ["constant", "variable"],
  from: ["start", "third row", "end"],
  what: ["sum", "sum of changed", "greatest", "two sums"],
} as const;

type Case = Row<typeof axes>;

const element = (what: Case["what"]): readonly [string, string] =>
  ({
    sum: ["s += A * y[i];", "s"],
    "sum of changed": ["A += y[i] + 2; s += A * y[i];", "s"],
    greatest: ["s = s > A ? s : A;", "s"],
    "two sums": ["s += A; t += A * y[i];", "s + 2 * t"],
  })[what] as [string, string];

function functionOf({ type, columns, rows, length, from, what }: Case, name: string): string {
  const n = length === "constant" ? rows : "n";
  const loop = {
    start: `for (int i = 0; i < ${n}; i++)`,
    "third row": `for (int i = 2; i < ${n}; i++)`,
    end: `for (int i = ${n} - 1; i >= 0; i--)`,
  }[from];
  const [code, result] = element(what);
  return `static void ${name}(void) {
  static ${type} a[${rows}][${columns}], x[${columns}], y[${rows}];
  int n = ${rows};
  for (int i = 0; i < ${rows}; i++)
    for (int j = 0; j < ${columns}; j++) a[i][j] = (i * 5 + j * 3) % 13, y[i] = i % 3;
#pragma acc parallel loop copy(a, x) copyin(y)
  for (int j = 0; j < ${columns}; j++) {
    ${type} s = 1, t = 0;
    ${loop} { ${code.replaceAll(/\bA\b/g, "a[i][j]")} }
    x[j] = ${result};
  }
  double all = 0;
  for (int j = 0; j < ${columns}; j++) {
    all += x[j] * (j % 5 + 1.0);
    for (int i = 0; i < ${rows}; i++) all += a[i][j] * (i % 7 + 1.0);
  }
  printf("${name} %.17g %.17g\\n", all, (double)x[${columns} - 1]);
}
`;
}

describeAsPlainC(
  "columns",
  pairwise<typeof axes>(allRows(axes, () => true)).map((row, k) => functionOf(row, `f${k}`)),
);
