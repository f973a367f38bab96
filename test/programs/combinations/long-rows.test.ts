/**
 * Rows that are long beside their team, so that each lane takes several iterations of an inner loop at once, loads
 * before stores: over what the loop stores and reads, lengths and types, compared with plain C. All values are small
 * integers, so that every order of a sum gives the same result.
 */
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  type: ["int", "double", "float"],
  walk: ["rows", "columns"],
  length: ["127", "128", "129", "301"],
  stores: [
    "scaled",
    "sum of what is stored",
    "two arrays",
    "read again",
    "own variable",
    "backwards",
    "guarded",
  ],
} as const;

type Case = Row<typeof axes>;

const body = (stores: Case["stores"], length: Case["length"]): string => {
  const each = `for (int k = 0; k < ${length}; k++)`;
  switch (stores) {
    case "scaled":
      return `${each} B -= 2 * s;`;
    case "sum of what is stored":
      return `${each} { B += A * 2; s += B * (k % 3); }`;
    case "two arrays":
      return `${each} { B += A + s; A = A + B; }`;
    case "read again":
      return `${each} { B = B + A; A += B; B += A; s += B; }`;
    case "own variable":
      return `${each} { T v = A + s; B += v; v = v - B; A -= v; }`;
    case "backwards":
      return `for (int k = ${length} - 1; k >= 1; k -= 2) B = A + B + s;`;
    case "guarded":
      return `${each} { B += A; if (k % 3 == 1) A += B + s; }`;
  }
};

function functionOf({ type, walk, length, stores }: Case, name: string): string {
  const at = (array: string) => (walk === "rows" ? `${array}[i][k]` : `${array}[k][i]`);
  const code = body(stores, length).replaceAll(/\bA\b/g, at("a")).replaceAll(/\bB\b/g, at("b"));
  const [first, second] = walk === "rows" ? [3, length] : [length, 3];
  return `static void ${name}(void) {
  typedef ${type} T;
  static T a[${first}][${second}], b[${first}][${second}], r[3];
  for (int i = 0; i < ${first}; i++)
    for (int k = 0; k < ${second}; k++) a[i][k] = (i * 5 + k * 3) % 13, b[i][k] = (i + k) % 7;
#pragma acc parallel loop copy(a, b, r)
  for (int i = 0; i < 3; i++) {
    T s = 1;
    for (int k = 0; k < ${length}; k++) s += ${at("a")};
    ${code}
    r[i] = s;
  }
  double all = 0;
  for (int i = 0; i < ${first}; i++)
    for (int k = 0; k < ${second}; k++) all += a[i][k] * (k % 5 + 1.0) + b[i][k] * (k % 3 + 1.0);
  printf("${name} %.17g %.17g %.17g\\n", all, (double)r[0], (double)r[2]);
}
`;
}

describeAsPlainC(
  "long rows",
  pairwise<typeof axes>(allRows(axes, () => true)).map((row, k) => functionOf(row, `f${k}`)),
);
