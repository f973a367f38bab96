/**
 * Rows whose elements lanes hold in registers from one loop of a team to the next: over types, lengths that fit
 * and do not, first elements, kinds of pointers, and what the loops do with the row. Of pointers that are not `restrict`
 * some lead to the same memory. All values are small integers, so that every order of a sum gives the same result.
 */
import { expect, it } from "vitest";
import { translateKernels } from "../../../core/compiler/driver/translate.ts";
import { cudaEmitter } from "../../../targets/cuda/emit.ts";
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  type: ["float", "double", "int", "unsigned"],
  /** Of a row, in elements: the second one lies at multiples of 16 only in some rows. */
  pitch: ["160", "161", "5200"],
  from: ["0", "1", "4"],
  /** Elements that the loops leave at the row's end. */
  left: ["0", "3"],
  pointers: ["arrays", "restrict", "apart", "same", "one behind"],
  what: ["normalised", "in place", "into another", "three arrays", "changed between", "one loop shorter"],
} as const;

type Case = Row<typeof axes>;

const loops = (what: Case["what"], from: string): string => {
  const k = `for (int k = ${from}; k < n; k++)`;
  return {
    normalised: `${k} m = a[i * P + k] > m ? a[i * P + k] : m;
    ${k} { b[i * P + k] = m - a[i * P + k]; s += b[i * P + k]; }
    ${k} b[i * P + k] = b[i * P + k] * 2 + s;`,
    "in place": `${k} s += b[i * P + k];
    ${k} { b[i * P + k] = b[i * P + k] + s; m += b[i * P + k]; }
    ${k} b[i * P + k] -= m;`,
    "into another": `${k} s += a[i * P + k];
    ${k} m += a[i * P + k] > 0;
    ${k} b[i * P + k] = a[i * P + k] * m + s;`,
    "three arrays": `${k} { s += a[i * P + k] * c[i * P + k]; }
    ${k} { b[i * P + k] = a[i * P + k] + s; c[i * P + k] = b[i * P + k] + 1; }
    ${k} b[i * P + k] += c[i * P + k];`,
    "changed between": `${k} s += b[i * P + k];
    b[i * P + ${from}] = s;
    ${k} b[i * P + k] = b[i * P + k] + a[i * P + k];
    m = b[i * P + n - 1];`,
    "one loop shorter": `${k} s += a[i * P + k];
    for (int k = ${from}; k < n - 1; k++) { b[i * P + k] = a[i * P + k] - s; m += b[i * P + k]; }
    ${k} b[i * P + k] = b[i * P + k] + m;`,
  }[what];
};

/** Where `a`, `b` and `c` begin in the memory that the function has. */
const places = (pointers: Case["pointers"]): string =>
  ({
    arrays: "",
    restrict: "T *restrict a = A, *restrict b = B, *restrict c = C;",
    apart: "T *a = A, *b = B, *c = C;",
    same: "T *a = B, *b = B, *c = C;",
    "one behind": "T *a = B + 1, *b = B, *c = C;",
  })[pointers];

/** Rows that overlap are not independent where an iteration reads what another one stores. */
const isIndependent = (row: Case) => row.pointers !== "one behind" || row.left === "3";

function functionOf({ type, pitch, from, left, pointers, what }: Case, name: string): string {
  const own = pointers === "arrays" ? ["a", "b", "c"] : ["A", "B", "C"];
  const mapped =
    pointers === "arrays"
      ? "copy(a, b, c)"
      : pointers === "same" || pointers === "one behind"
        ? "copy(b[0:2 * P + 2], c[0:2 * P]) present(a[0:2 * P])"
        : "copy(a[0:2 * P], b[0:2 * P], c[0:2 * P])";
  const around = mapped.includes("present") ? "#pragma acc data copy(B[0:2 * P + 2])\n" : "";
  return `static void ${name}(void) {
  typedef ${type} T;
  enum { P = ${pitch} };
  static T ${own.map((a) => `${a}[2 * P + 2]`).join(", ")}, y[2];
  int n = P - ${left};
  for (int k = 0; k < 2 * P + 2; k++) ${own.map((a, j) => `${a}[k] = (k * ${3 + 2 * j} + k / 64) % 3 - 1`).join(", ")};
  ${places(pointers)}
${around}#pragma acc parallel loop ${mapped} copyout(y)
  for (int i = 0; i < 2; i++) {
    T m = 0, s = 0;
    ${loops(what, from)}
    y[i] = s + m;
  }
  double h = y[0] + 3.0 * y[1];
  for (int k = 0; k < 2 * P + 2; k++) h += (1 + k % 11) * (${own.map((a) => `(double)${a}[k]`).join(" + ")});
  printf("${name} %.17g\\n", h);
}
`;
}

const rows = pairwise<typeof axes>(allRows(axes, isIndependent));
const functions = rows.map((row, k) => functionOf(row, `f${k}`));

describeAsPlainC("held rows", functions);

/** Without this, all of the programs above could be right because no row is held. */
it("are held where loops go over the same elements, and no pointer can lead to another array's", () => {
  const text = ["int printf(const char *, ...);", ...functions].join("\n");
  const { kernels } = translateKernels({ file: "rows.c", text }, cudaEmitter);
  const held = rows.filter((_, k) => kernels[k]?.text.includes("arc_holds"));
  const oneArray = (row: Case) => row.what === "in place";
  const several = (row: Case) => ["normalised", "into another", "three arrays"].includes(row.what);
  const apart = (row: Case) => row.pointers === "arrays" || row.pointers === "restrict";
  expect(held).toEqual(rows.filter((row) => oneArray(row) || (several(row) && apart(row))));
});
