/** Where variables are declared: two dimensions, records, static and threadprivate variables. */
import { pattern } from "../pattern.ts";

const grid = { before: ({ T }: { T: string }) => `static ${T} g[40][40], h[40][40];\n` };
const record = {
  before: ({ T }: { T: string }) =>
    `struct cell { ${T} x, y; ${T} v[4]; };\nstatic struct cell s[80];\nstruct field { int size; ${T} in[80], out[80]; };\nstatic struct field f;\n`,
};

export const storage = [
  pattern(
    "grid-diagonal",
    "a",
    ({ r, pfor }) => `
${pfor()}
for (int i = 1; i < 40; i++)
  for (int j = 1; j < 40; j++)
    g[i][j] = ${r("g", "h")}[i - 1][j - 1];`,
    grid,
  ),
  pattern(
    "grid-column",
    "a",
    ({ r, pfor }) => `
${pfor()}
for (int i = 0; i < 40; i++)
  for (int j = 1; j < 40; j++)
    g[${r("j", "i")}][${r("i", "j")} - ${r("0", "1")}] = g[${r("j - 1", "i")}][${r("i / 2", "j - 1")}] + 1;`,
    grid,
  ),
  pattern(
    "grid-outer",
    "a",
    ({ r, pfor }) => `
${pfor()}
for (int i = 1; i < 40; i++)
  for (int j = 1; j < 40; j++)
    g[i][j] = g[${r("i - 1", "i")}][j] + 1;`,
    grid,
  ),
  pattern(
    "grid-collapsed",
    "a",
    ({ r, pfor }) => `
${pfor(r("collapse(2)", ""))}
for (int i = 0; i < 40; i++)
  for (int j = 1; j < 40; j++)
    g[i][j] = g[i][j - 1] + 1;`,
    grid,
  ),
  pattern(
    "grid-inner-only",
    "a",
    ({ r, pfor }) => `
for (int i = 1; i < 40; i++)
${pfor()}
  for (int j = 1; j < 40; j++)
    g[i][j] = g[i - 1][j] + g[${r("i", "i - 1")}][j - 1];`,
    grid,
  ),
  pattern(
    "grid-transposed",
    "a",
    ({ r, pfor, T }) => `
${pfor()}
for (int i = 0; i < 40; i++)
  for (int j = ${r("0", "i + 1")}; j < 40; j++) {
    ${T} t = g[i][j];
    g[i][j] = g[j][i];
    g[j][i] = t;
  }`,
    grid,
  ),
  pattern(
    "grid-overrun",
    "a",
    ({ r, pfor }) => `
${pfor()}
for (int i = 0; i < 39; i++)
  for (int j = 0; j < ${r("40", "39")}; j++)
    g[i][j] = g[i][j + 1];`,
    grid,
  ),
  pattern(
    "grid-triangle",
    "a",
    ({ r, pfor }) => `
${pfor()}
for (int i = 0; i < 40; i++)
  for (int j = i; j < 40; j++)
    ${r("g[0][j]", "g[i][j]")} += h[i][j];`,
    grid,
  ),
  pattern(
    "grid-one-row",
    "a",
    ({ r, pfor }) => `
${pfor()}
for (int i = 0; i < 40; i++)
  for (int j = 0; j < 40; j++)
    g[${r("0", "i")}][j] = h[i][j];`,
    grid,
  ),
  pattern(
    "grid-pivot",
    "a",
    ({ r, pfor }) => `
for (int k = 0; k < 39; k++)
${pfor()}
  for (int i = ${r("k", "k + 1")}; i < 40; i++)
    for (int j = k; j < 40; j++)
      g[i][j] -= g[k][j];`,
    grid,
  ),
  pattern(
    "grid-triangle-collapsed",
    "a",
    ({ r }) => `
#pragma omp parallel for collapse(2)
for (int i = 0; i < 20; i++)
  for (int j = i; j < 20; j++)
    g[${r("j", "i")}][${r("0", "j")}] = i + j;`,
    grid,
  ),
  pattern(
    "variable-length",
    "a",
    ({ r, n, pfor, T }) => `
${T} v[${n}][${n}];
${pfor()}
for (int i = 1; i < ${n}; i++)
  for (int j = 0; j < ${n}; j++)
    v[i][j] = ${r("v[i - 1][j]", "1")};
a[3] = v[1][1];`,
  ),
  pattern(
    "flat-with-stride",
    "a:20",
    ({ r, n, pfor, at }) => `
int m = 20;
${pfor()}
for (int i = 0; i < ${n}; i++)
  for (int j = 0; j < m; j++)
    ${at("a", `i * ${r("(m - 1)", "m")} + j`)} = i;`,
  ),
  pattern(
    "members-of-neighbours",
    "a",
    ({ r, pfor }) => `
${pfor()}
for (int i = 0; i < 79; i++)
  s[i].x = s[i + 1].${r("x", "y")};`,
    record,
  ),
  pattern(
    "arrays-in-records",
    "a",
    ({ r, pfor }) => `
${pfor()}
for (int i = 0; i < 79; i++)
  f.out[i] = f.${r("out", "in")}[i + 1];`,
    record,
  ),
  pattern(
    "array-in-element",
    "a",
    ({ r, pfor }) => `
${pfor()}
for (int i = 0; i < 79; i++)
  for (int j = 0; j < 4; j++)
    s[${r("i / 2", "i")}].v[j] = i + j;`,
    record,
  ),
  pattern(
    "record-by-pointer",
    "a",
    ({ r, pfor }) => `
struct field *p = &f;
${pfor()}
for (int i = 1; i < 79; i++)
  p->out[i] = p->${r("out", "in")}[i - 1] + 1;`,
    record,
  ),
  pattern(
    "member-sum",
    "a",
    ({ r, n, pfor, loop }) => `
f.size = 0;
${pfor()}
${loop("i", "0", n)} {
${r("", "#pragma omp atomic")}
  f.size += i;
}`,
    record,
  ),
  pattern(
    "element-by-pointer",
    "a",
    ({ r, pfor }) => `
${pfor()}
for (int i = 0; i < 79; i++) {
  struct cell *c = &s[${r("0", "i")}];
  c->x = i;
}`,
    record,
  ),
  pattern(
    "record-assigned",
    "a",
    ({ r, pfor }) => `
struct cell t;
${pfor(r("", "private(t)"))}
for (int i = 0; i < 79; i++) {
  t.x = i;
  s[i].y = t.x;
}`,
    record,
  ),
  pattern(
    "static-in-function",
    "a",
    ({ n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  ${at("a", "i")} = twice(i);`,
    {
      before: ({ r, T }) =>
        `static ${T} twice(int i) {\n  ${r("static ", "")}${T} kept;\n  kept = i;\n  return kept + kept;\n}\n`,
    },
  ),
  pattern(
    "static-counter",
    "a",
    ({ n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  ${at("a", "i")} = ticket();`,
    {
      before: ({ r }) =>
        `static int ticket(void) {\n  static int next;\n  int mine;\n${r("", "#pragma omp atomic capture\n")}  mine = next++;\n  return mine;\n}\n`,
    },
  ),
  pattern(
    "file-temporary",
    "a b",
    ({ n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)} {
  temporary = ${at("b", "i")};
  ${at("a", "i")} = temporary + 1;
}`,
    {
      before: ({ r, T }) => `static ${T} temporary;\n${r("", "#pragma omp threadprivate(temporary)\n")}`,
    },
  ),
  pattern(
    "file-counter-in-callee",
    "a",
    ({ n, pfor, loop }) => `
${pfor()}
${loop("i", "0", n)}
  note(i);
a[3] = seen;`,
    {
      before: ({ r, T }) =>
        `static ${T} seen;\nstatic void note(int i) {\n  if (i >= 0) {\n${r("", "#pragma omp atomic\n")}    seen += i;\n  }\n}\n`,
    },
  ),
  pattern(
    "threadprivate-array",
    "a",
    ({ n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)} {
  for (int k = 0; k < 8; k++) room[k] = i + k;
  ${at("a", "i")} = room[3] + room[5];
}`,
    {
      before: ({ r, T }) => `static ${T} room[8];\n${r("", "#pragma omp threadprivate(room)\n")}`,
    },
  ),
  pattern(
    "private-array",
    "a",
    ({ r, n, pfor, loop, at, T }) => `
${T} room[8];
${pfor(r("", "private(room)"))}
${loop("i", "0", n)} {
  for (int k = 0; k < 8; k++) room[k] = i + k;
  ${at("a", "i")} = room[3] + room[5];
}`,
  ),
];
