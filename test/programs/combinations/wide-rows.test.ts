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

/** Scans of such rows, and of whole arrays, which lanes also store 16 bytes at a time. */
const scanAxes = {
  type: ["int", "unsigned", "long", "unsigned long"],
  pitch: ["136", "137"],
  length: ["5", "128", "131", "n"],
  from: ["0", "1", "3"],
  around: ["rows", "region"],
  what: ["sum", "offset", "two arrays", "in place", "other type", "under condition", "greatest", "apart"],
} as const;

const scanned = (what: Row<typeof scanAxes>["what"]): string =>
  ({
    sum: "s += a[i][k]; b[i][k] = s;",
    offset: "b[i][k + 1] = s; s += a[i][k];",
    "two arrays": "s += a[i][k] * x[k]; b[i][k] = s; c[i][k + 1] = s + x[k + 2];",
    "in place": "T v = b[i][k]; b[i][k] = s + x[k]; s ^= v;",
    "other type": "s += a[i][k] + x[k]; w[k + i * 150] = s; b[i][k] = s + 1;",
    "under condition": "s += a[i][k] > 5 ? a[i][k] : b[i][k]; b[i][k] = s;",
    greatest: "if (a[i][k] > s) s = a[i][k]; b[i][k] = s + k;",
    apart: "s += a[i][k]; b[i][k] = s; if (k % 3) c[i][k] = s;",
  })[what];

function scanOf({ type, pitch, length, from, around, what }: Row<typeof scanAxes>, name: string): string {
  const loop = `for (int k = ${from}; k < ${length}; k++) { ${scanned(what)} }`;
  const region =
    around === "rows"
      ? `#pragma acc parallel loop copyin(a, x) copy(b, c, w, y)
  for (int i = 0; i < 3; i++) {
    T s = i;
    ${loop}
    y[i] = s;
  }`
      : `#pragma acc serial copyin(a, x) copy(b, c, w, y)
  {
    const int i = 1;
    T s = 2;
    ${loop}
    y[i] = s;
  }`;
  return `static void ${name}(void) {
  typedef ${type} T;
  static T a[3][${pitch}], b[3][${pitch}], c[3][${pitch}], x[140], y[3];
  static ${type.endsWith("long") ? "int" : "long"} w[500];
  int n = 130;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < ${pitch}; k++) a[i][k] = (i * 5 + k * 3) % 13, b[i][k] = (i + k) % 7, c[i][k] = 0;
  for (int k = 0; k < 140; k++) x[k] = k % 5;
  for (int k = 0; k < 500; k++) w[k] = k % 3;
${region}
  unsigned long h = y[0] + 3 * y[1] + 5 * y[2];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < ${pitch}; k++) h = h * 31 + b[i][k] * 7 + c[i][k];
  for (int k = 0; k < 500; k++) h = h * 31 + w[k];
  printf("${name} %lu\\n", h);
}
`;
}

describeAsPlainC(
  "wide scans",
  pairwise<typeof scanAxes>(allRows(scanAxes, () => true)).map((row, k) => scanOf(row, `f${k}`)),
);

/** Rows that several loops share, some of which store. */
const storeAxes = {
  type: ["float", "double", "int", "unsigned"],
  pitch: ["136", "137"],
  length: ["9", "128", "131", "n"],
  from: ["0", "1", "4"],
  what: [
    "as it is",
    "sum of what is stored",
    "changed",
    "two arrays",
    "other type",
    "read before",
    "under condition",
  ],
} as const;

const stored = (what: Row<typeof storeAxes>["what"]): string =>
  ({
    "as it is": "b[i][k] = a[i][k] + m;",
    "sum of what is stored": "b[i][k] = a[i][k] - m; s += b[i][k];",
    changed: "b[i][k] -= m; s += b[i][k] * x[k];",
    "two arrays": "T v = a[i][k] * x[k]; b[i][k] = v; c[i][k] = v + m + c[i][k];",
    "other type": "w[i][k] = a[i][k] + 1; b[i][k] += w[i][k];",
    "read before": "s += b[i][k]; b[i][k] = a[i][k + 1]; s += b[i][k];",
    "under condition": "b[i][k] = a[i][k]; if (a[i][k] > 5) c[i][k] = m;",
  })[what];

function storesOf({ type, pitch, length, from, what }: Row<typeof storeAxes>, name: string): string {
  return `static void ${name}(void) {
  typedef ${type} T;
  static T a[3][${pitch}], b[3][${pitch}], c[3][${pitch}], x[140], y[3];
  static ${type === "double" ? "int" : "double"} w[3][${pitch}];
  int n = 130;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < ${pitch}; k++) a[i][k] = (i * 5 + k * 3) % 13, b[i][k] = (i + k) % 7, c[i][k] = k % 3, w[i][k] = 0;
  for (int k = 0; k < 140; k++) x[k] = k % 5;
#pragma acc parallel loop copyin(a, x) copy(b, c, w) copyout(y)
  for (int i = 0; i < 3; i++) {
    T m = 0, s = 0;
    for (int k = ${from}; k < ${length}; k++) m = a[i][k] > m ? a[i][k] : m;
    for (int k = ${from}; k < ${length}; k++) { ${stored(what)} }
    for (int k = ${from}; k < ${length}; k++) b[i][k] = b[i][k] * 2 + s;
    y[i] = s;
  }
  double h = y[0] + 3 * y[1] + 5 * y[2];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < ${pitch}; k++) h += (1 + (i * 37 + k) % 11) * (b[i][k] % 4096 * 7 + c[i][k] * 3 + w[i][k]);
  printf("${name} %.17g\\n", h);
}
`.replace("b[i][k] % 4096", type === "int" || type === "unsigned" ? "b[i][k] % 4096" : "b[i][k]");
}

describeAsPlainC(
  "wide rows that are stored",
  pairwise<typeof storeAxes>(allRows(storeAxes, () => true)).map((row, k) => storesOf(row, `f${k}`)),
);
