/** Clauses that give each thread its own variable, or combine what threads make of one. */
import { pattern } from "../pattern.ts";

const reduces = (name: string, type: string, start: string, op: string, statement: string) =>
  pattern(
    `reduction-${name}`,
    "a",
    ({ r, n, pfor, loop }) => `
${type} s = ${start};
${pfor(r("", `reduction(${op}: s)`))}
${loop("i", "0", n)}
  ${statement}
a[3] = s;`,
  );

export const sharing = [
  reduces("sum", "double", "0", "+", "s += a[i];"),
  reduces("difference", "int", "9", "-", "s -= i;"),
  reduces("product", "double", "1", "*", "s = s * (1 + a[i]);"),
  reduces("sum-from-right", "double", "0", "+", "s = a[i] + s;"),
  reduces("count", "int", "0", "+", "if (a[i] > 3) s++;"),
  reduces("largest", "double", "0", "max", "if (a[i] > s) s = a[i];"),
  reduces("smallest", "double", "9", "min", "s = a[i] < s ? a[i] : s;"),
  reduces("any", "int", "0", "||", "s = s || a[i] > 3;"),
  reduces("all", "int", "1", "&&", "s = s && a[i] >= 0;"),
  reduces("bits-or", "int", "0", "|", "s |= 1 << (i % 8);"),
  reduces("bits-and", "int", "255", "&", "s &= i;"),
  reduces("bits-xor", "int", "0", "^", "s ^= i;"),
  reduces("inner-loop", "double", "0", "+", "for (int j = 0; j < 3; j++) s += a[i] * j;"),
  pattern(
    "reduction-two",
    "a b",
    ({ r, n, pfor, loop, T }) => `
${T} s = 0, t = 0;
${pfor(r("reduction(+: s)", "reduction(+: s, t)"))}
${loop("i", "0", n)} {
  s += a[i];
  t += b[i];
}
a[3] = s + t;`,
  ),
  pattern(
    "reduction-array",
    "a b",
    ({ r, n, pfor, loop, T }) => `
${T} s[4] = {0};
${pfor(r("", "reduction(+: s)"))}
${loop("i", "0", n)}
  s[i % 4] += a[i];
b[3] = s[1];`,
  ),
  pattern(
    "reduction-section",
    "a b",
    ({ r, n, pfor, loop }) => `
${pfor(r("", "reduction(+: b[0:6])"))}
${loop("i", "0", n)}
  b[i % 6] += a[i];`,
  ),
  pattern(
    "reduction-declared",
    "a",
    ({ r, n, pfor, loop }) => `
struct pair s = {0, 0};
${pfor(r("", "reduction(both: s)"))}
${loop("i", "0", n)} {
  s.x += a[i];
  s.y += 1;
}
a[3] = s.x + s.y;`,
    {
      before: ({ T }) =>
        `struct pair { ${T} x, y; };\n#pragma omp declare reduction(both: struct pair: omp_out.x += omp_in.x, omp_out.y += omp_in.y) initializer(omp_priv = {0, 0})\n`,
    },
  ),
  pattern(
    "reduction-of-inner-only",
    "a b",
    ({ r, T }) => `
#pragma omp parallel for
for (int k = 0; k < 8; k++) {
  ${r("", `${T} own = 0;`)}
  for (int j = 0; j < 20; j++) ${r("b[60]", "own")} += a[j];
  ${r("", "b[k] = own;")}
}`,
  ),
  pattern(
    "private-temporary",
    "a b",
    ({ r, n, pfor, loop, at, T }) => `
${T} t;
${pfor(r("", "private(t)"))}
${loop("i", "0", n)} {
  t = ${at("b", "i")};
  ${at("a", "i")} = t * 2 + 1;
}`,
  ),
  pattern(
    "private-two",
    "a b",
    ({ r, n, pfor, loop, at, T }) => `
${T} t, u;
${pfor(r("private(t)", "private(t, u)"))}
${loop("i", "0", n)} {
  t = ${at("b", "i")};
  u = t + 1;
  ${at("a", "i")} = t * u;
}`,
  ),
  pattern(
    "private-inner-counter",
    "a:8",
    ({ r, pfor, at }) => `
int j;
${pfor(r("", "private(j)"))}
for (int k = 0; k < 30; k++)
  for (j = 0; j < 8; j++)
    ${at("a", "8 * k + j")} = k;`,
  ),
  pattern(
    "private-by-declaration",
    "a b",
    ({ r, n, pfor, loop, at, T }) => `
${r(`${T} t;`, "")}
${pfor()}
${loop("i", "0", n)} {
  ${r("", T)} t = ${at("b", "i")};
  ${at("a", "i")} = t + t;
}`,
  ),
  pattern(
    "private-conditional",
    "a b",
    ({ r, n, pfor, loop, at, T }) => `
${T} t = 0;
${pfor(r("", "firstprivate(t)"))}
${loop("i", "0", n)} {
  if (${at("b", "i")} > 2) t = 5; else t = 7;
  ${at("a", "i")} = t;
}`,
  ),
  pattern(
    "private-pointer",
    "a b",
    ({ r, n, pfor, loop, T }) => `
${T} *p;
${pfor(r("", "private(p)"))}
${loop("i", "0", n)} {
  p = a + i;
  *p = b[i];
}`,
  ),
  pattern(
    "private-while-counter",
    "a b",
    ({ r, n, pfor, loop, at }) => `
int k;
${pfor(r("", "private(k)"))}
${loop("i", "0", n)} {
  k = i;
  while (k > 1) k /= 2;
  ${at("a", "i")} = k;
}`,
  ),
  pattern(
    "firstprivate-changed",
    "a b",
    ({ r, n, pfor, loop, at }) => `
int k = 4;
${pfor(r("", "firstprivate(k)"))}
${loop("i", "0", n)} {
  k = k % 3 + ${r("i", "1")};
  ${at("a", "i")} = ${r("k", "0 * k")};
}`,
  ),
  pattern(
    "lastprivate",
    "a b",
    ({ r, n, pfor, loop, T }) => `
${T} last;
${pfor(r("", "lastprivate(last)"))}
${loop("i", "0", n)}
  last = b[i];
a[3] = last;`,
  ),
  pattern(
    "lastprivate-for-sections",
    "a",
    ({ r, T }) => `
${T} last = 0;
#pragma omp parallel sections${r("", " lastprivate(last)")}
{
#pragma omp section
  last = 1;
#pragma omp section
  last = 2;
}
a[3] = last;`,
  ),
  pattern(
    "linear-counter",
    "a:2",
    ({ r, n, pfor, at }) => `
int k = 0;
${pfor(r("", "linear(k: 2)"))}
for (int i = 0; i < ${n}; i++) {
  ${at("a", "k")} = i;
  k += 2;
}`,
  ),
  pattern(
    "induction",
    "a",
    ({ r, n, pfor, loop, at }) => `
int k = 0;
${pfor()}
${loop("i", "0", n)} {
  ${r("k = k + 1;", `int k = ${n} - i;`)}
  ${at("a", "k")} = 1;
}`,
  ),
  pattern(
    "shared-by-name",
    "a b",
    ({ r, n, pfor, loop, at, T }) => `
${T} t = 0;
${pfor(`default(none) shared(a, b, n) ${r("shared(t)", "private(t)")}`)}
${loop("i", "0", n)} {
  t = ${at("b", "i")};
  ${at("a", "i")} = t + 1;
}`,
  ),
  pattern(
    "private-outer-region",
    "a b",
    ({ r, n, loop, at, T }) => `
${T} t;
#pragma omp parallel ${r("", "private(t)")}
{
#pragma omp for
  ${loop("i", "0", n)} {
    t = ${at("b", "i")};
    ${at("a", "i")} = t + 1;
  }
}`,
  ),
  pattern(
    "region-temporary",
    "a b",
    ({ r, at, T }) => `
${r(`${T} mine;`, "")}
#pragma omp parallel
{
  ${r("", T)} mine = omp_get_thread_num();
  ${at("a", "omp_get_thread_num()")} = mine;
}`,
  ),
  pattern(
    "sum-by-threads",
    "a b",
    ({ r, n, loop, T }) => `
${T} sum = 0;
#pragma omp parallel
{
  ${T} part = 0;
#pragma omp for
  ${loop("i", "0", n)}
    part += a[i];
${r("", "#pragma omp critical")}
  sum += part;
}
b[3] = sum;`,
  ),
  pattern(
    "flag",
    "a",
    ({ r, n, pfor, loop }) => `
int found = 0;
${pfor()}
${loop("i", "0", n)}
  if (a[i] > 2) {
${r("", "#pragma omp atomic write")}
    found = i;
  }
a[3] = found > 0;`,
  ),
  pattern(
    "compaction",
    "a:int b:int",
    ({ r, n, pfor, loop }) => `
int count = 0;
${pfor()}
${loop("i", "0", n)}
  if (b[i] > 2) {
    int to;
${r("", "#pragma omp atomic capture")}
    to = count++;
    a[to] = i;
  }`,
  ),
  pattern(
    "minimum-and-place",
    "a",
    ({ r, n, pfor, loop, T }) => `
${T} best = 9;
int where = 0;
${pfor()}
${loop("i", "1", n)} {
${r("", "#pragma omp critical")}
  {
    if (a[i] < best) {
      best = a[i];
      where = i;
    }
  }
}
a[3] = where;`,
  ),
  pattern(
    "copyprivate",
    "a",
    ({ r, at, T }) => `
${r(`${T} first;`, "")}
#pragma omp parallel
{
  ${r("", `${T} first;`)}
#pragma omp single ${r("nowait", "copyprivate(first)")}
  first = 4;
  ${at("a", "omp_get_thread_num()")} = first;
}`,
  ),
];
