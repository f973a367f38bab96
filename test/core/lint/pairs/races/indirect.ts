/** Elements that are chosen by tables, and arrays that several names lead to. */
import { pattern } from "../pattern.ts";

export const indirect = [
  pattern(
    "table-of-constants",
    "a:9",
    ({ pfor, at }) => `
${pfor()}
for (int i = 0; i < 8; i++)
  ${at("a", "table[i]")} += 1;`,
    {
      before: ({ r }) => `static const int table[8] = {3, 9, 12, ${r("9", "10")}, 40, 2, 77, 5};\n`,
    },
  ),
  pattern(
    "table-with-offsets",
    "a:9",
    ({ pfor, at }) => `
${pfor()}
for (int i = 0; i < 6; i++) {
  ${at("a", "table[i]")} += 1;
  ${at("a", "table[i] + 12")} += 3;
}`,
    {
      before: ({ r }) =>
        `static int table[6] = {521 - 500, 523 - 500, ${r("533", "543")} - 500, 45, 49, 53};\n`,
    },
  ),
  pattern(
    "table-filled-by-loop",
    "a",
    ({ r, pfor, at }) => `
int perm[100];
for (int k = 0; k < 60; k++) perm[k] = ${r("k / 3", "59 - k")};
${pfor()}
for (int i = 0; i < 60; i++)
  ${at("a", "perm[i]")} += i;`,
  ),
  pattern(
    "table-of-remainders",
    "a",
    ({ r, pfor, at }) => `
int slot[64];
for (int k = 0; k < 60; k++) slot[k] = (7 * k) % ${r("30", "60")};
${pfor()}
for (int i = 0; i < 60; i++)
  ${at("a", "slot[i]")} = i;`,
  ),
  pattern(
    "two-halves-of-table",
    "a:2",
    ({ r, pfor, at }) => `
int at[64];
for (int k = 0; k < 60; k++) at[k] = 2 * k;
${pfor()}
for (int i = 0; i < 59; i++)
  ${at("a", "at[i]")} = ${at("a", r("at[i + 1]", "at[i + 1] - 1"))};`,
  ),
  pattern(
    "gather-scatter",
    "a b",
    ({ r, pfor, at }) => `
int from[64];
for (int k = 0; k < 60; k++) from[k] = k / 2;
${pfor()}
for (int i = 0; i < 60; i++)
  ${r(`${at("a", "from[i]")} += ${at("b", "i")}`, `${at("a", "i")} += ${at("b", "from[i]")}`)};`,
  ),
  pattern(
    "rows-of-sparse",
    "a b",
    ({ r, pfor, at }) => `
${pfor()}
for (int i = 0; i < 5; i++)
  for (int k = start[i]; k < start[i + 1]; k++)
    ${at("a", r("column[k]", "k"))} += ${at("b", "column[k]")};`,
    {
      before: () =>
        "static const int start[6] = {0, 2, 4, 5, 7, 9};\nstatic const int column[9] = {0, 1, 1, 2, 3, 0, 4, 2, 4};\n",
    },
  ),
  pattern(
    "edges",
    "a:int",
    ({ r, pfor }) => `
${pfor()}
for (int e = 0; e < 6; e++) {
${r("", "#pragma omp atomic")}
  a[ends[e]] += 1;
}`,
    { before: () => "static const int ends[6] = {0, 1, 2, 1, 0, 3};\n" },
  ),
  pattern(
    "pointer-into-array",
    "a",
    ({ r, n, pfor, loop, at, T }) => `
${T} *p = a + ${r("1", n)};
${pfor()}
${loop("i", "0", r(n, "12"))}
  ${at("p", "i")} = ${at("a", "i")} + 1;`,
  ),
  pattern(
    "two-names",
    "a b",
    ({ r, n, pfor, loop, at, T }) => `
${T} *p = a, *q = ${r("a", "b")};
${pfor()}
${loop("i", "0", `${n} - 1`)}
  ${at("p", "i")} = ${at("q", "i + 1")};`,
  ),
  pattern(
    "address-of-element",
    "a b",
    ({ r, n, pfor, loop, at, T }) => `
${T} *q = &${r("a", "b")}[2];
${pfor()}
${loop("i", "2", n)}
  ${at("a", "i")} = ${at("q", "i - 1")};`,
  ),
  pattern(
    "rows-by-pointers",
    "a",
    ({ r, pfor, T }) => `
${T} *row[10];
for (int k = 0; k < 10; k++) row[k] = (${T} *)malloc(16 * sizeof(${T}));
${pfor("")}
for (int i = 0; i < 9; i++)
  for (int j = 0; j < 16; j++)
    row[${r("0", "i")}][j] = i + j;
a[0] = row[0][0];`,
  ),
  pattern(
    "row-pointer-inside",
    "a:8",
    ({ r, pfor, T }) => `
${pfor()}
for (int i = 0; i < 8; i++) {
  ${T} *row = a + i * 16;
  for (int j = 0; j < ${r("17", "16")}; j++) row[j] = j;
}`,
  ),
  pattern(
    "walking-pointer",
    "a",
    ({ r, pfor, T }) => `
${pfor()}
for (int i = 0; i < 8; i++) {
  ${T} *p = a + ${r("2", "4")} * i;
  p[0] = 1;
  p[3] = 2;
  p[2] = i;
}`,
  ),
  pattern(
    "through-a-call",
    "a b",
    ({ r, n, pfor, loop }) => `
${pfor()}
${loop("i", "0", n)}
  store(a, ${r("0", "i")}, b[i]);`,
    {
      before: ({ T }) => `static void store(${T} *to, int at, ${T} value) { to[at] = value; }\n`,
    },
  ),
  pattern(
    "through-two-calls",
    "a b",
    ({ r, n, pfor, loop }) => `
${pfor()}
${loop("i", "0", `${n} - 1`)}
  outer(a, ${r("a", "b")}, i);`,
    {
      before: ({ T }) =>
        `static void inner(${T} *to, const ${T} *from) { *to = *from; }\nstatic void outer(${T} *to, const ${T} *from, int i) { inner(to + i, from + i + 1); }\n`,
    },
  ),
  pattern(
    "by-address",
    "a",
    ({ r, n, pfor, loop, T }) => `
${T} sum = 0;
${pfor(r("", "reduction(+: sum)"))}
${loop("i", "0", n)}
  add(&sum, a[i]);
a[3] = sum;`,
    { before: ({ T }) => `static void add(${T} *to, ${T} value) { *to += value; }\n` },
  ),
  pattern(
    "argument-arrays",
    "a b",
    ({ r, n }) => `
shift(${n}, a, ${r("a", "b")});`,
    {
      before: ({ T }) => `static void shift(int m, ${T} *to, ${T} *from) {
#pragma omp parallel for
  for (int i = 0; i < m - 1; i++) to[i] = from[i + 1];
}\n`,
    },
  ),
  pattern(
    "argument-offset",
    "a:2",
    ({ r, n }) => `
shift(${n}, a, ${r("1", n)});`,
    {
      before: ({ T }) => `static void shift(int m, ${T} *v, int by) {
#pragma omp parallel for
  for (int i = 0; i < m; i++) v[i + by] = v[i];
}\n`,
    },
  ),
  pattern(
    "returned-value",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", `${n} - 1`)}
  ${at("a", "i")} = next(${r("a", "b")}, i);`,
    {
      before: ({ T }) => `static ${T} next(const ${T} *v, int i) { return v[i + 1]; }\n`,
    },
  ),
];
