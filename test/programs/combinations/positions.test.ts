/**
 * Loops inside an iteration that look for the greatest or least value and its place, shared by teams: over what is
 * compared and how, types, directions, and what is found. Compared with plain C under Oclgrind, which finds races, and as
 * CUDA's text with fibers for threads; with `ARC_SLOW_TESTS=1` on PoCL too. Many values are equal, so that the place shows
 * which of them was taken.
 */
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  directive: [
    "acc parallel loop",
    "acc kernels loop independent",
    "omp target teams distribute parallel for",
  ],
  value: ["a[i][j]", "p[i * 90 + j]", "a[i][j] * x[j]", "computed before", "nothing comparable"],
  type: ["int", "float", "double", "long", "unsigned"],
  test: ["e > m", "e >= m", "m > e", "m >= e", "c && e > m", "e < m && c"],
  set: ["value and place", "place alone", "two places", "only below a limit"],
  start: ["first value", "beyond all", "least of all"],
  loop: ["up", "down", "in steps", "from the row"],
  size: ["0 9", "3 88", "70 7", "66 70", "5 1", "4 0"],
} as const;

type Case = Row<typeof axes>;

const isMeaningful = ({ set, value, start }: Case): boolean =>
  !(set === "place alone" && (value === "computed before" || start !== "first value")) &&
  !(value === "nothing comparable" && set === "place alone");

function functionOf(c: Case, name: string): string {
  const { type, set, value, directive } = c;
  const [n, m] = c.size.split(" ");
  const real = type === "float" || type === "double";
  const element =
    value === "computed before" ? "d" : value === "nothing comparable" ? `(${type})(j - j)` : value;
  const alone = set === "place alone";
  const held = alone ? element.replaceAll("j", "k") : "m";
  const less = /m > e|m >= e|e < m/.test(c.test);
  const test = c.test.replaceAll(/\b[ecm]\b/g, (w) => ({ e: element, m: held, c: "x[j] != 3" })[w] ?? w);
  const infinite = real ? (less ? "huge" : "-huge") : "";
  const bound = { int: less ? "2147483647" : "-2147483647 - 1", long: less ? "1l << 62" : "-(1l << 62)" }[
    type as string
  ];
  const start = {
    "first value": "a[i][0]",
    "beyond all": type === "unsigned" ? (less ? "0" : "1u << 31") : less ? "-1000" : "1000",
    "least of all": infinite || bound || (less ? "4294967295u" : "0"),
  }[c.start];
  const changes = {
    "value and place": `m = ${element}; k = j;`,
    "place alone": "k = j;",
    "two places": `k = j; l = x[j] + 2 * j; m = ${element};`,
    "only below a limit": `m = ${element}; k = n - j;`,
  }[set];
  const header = {
    up: `for (int j = 0; j < ${m}; j++)`,
    down: `for (int j = ${m} - 1; j >= 0; j--)`,
    "in steps": `for (long j = 1; j < ${m}; j += 3)`,
    "from the row": `for (unsigned char j = i % 7; j < ${m}; j++)`,
  }[c.loop];
  const before =
    value === "computed before" ? `${type} d = 0; for (int q = 0; q < 3; q++) d += a[i][(j + q) % 90];` : "";
  const limited =
    set === "only below a limit" ? `if (j < 60) if (${test}) { ${changes} }` : `if (${test}) { ${changes} }`;
  return `static void ${name}(void) {
  static ${type} a[90][90], p[8100], x[90], r[90];
  static long at[90], other[90];
  int n = 90;
  double huge = 1e300 * 1e300;
  for (int i = 0; i < 90; i++) {
    x[i] = i % 5;
    for (int j = 0; j < 90; j++) a[i][j] = p[i * 90 + j] = ${real ? "(i * 3 + j) % 29 == 4 ? huge - huge : " : ""}(i * 5 + j * 3) % 13;
  }
#pragma ${directive}
  for (int i = 0; i < ${n}; i++) {
    ${type} m = ${start};
    long k = 0, l = 7;
    ${header} { ${before} ${limited} }
    r[i] = m; at[i] = k; other[i] = l;
  }
  double all = 0;
  for (int i = 0; i < 90; i++) all += (r[i] == r[i] && r[i] * 0 == 0 ? (double)r[i] : 5) * (i % 7 + 1) + at[i] * 3.0 * (i % 5 + 1) + other[i] * (i % 3 + 1);
  printf("${name} %.17g %ld %ld\\n", all, at[0], at[2]);
}
`;
}

describeAsPlainC(
  "places of extreme values",
  pairwise<typeof axes>(allRows(axes, isMeaningful)).map((row, k) => functionOf(row, `f${k}`)),
);
