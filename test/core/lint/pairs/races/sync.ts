/** Barriers, critical sections, atomics, locks, sections, single and master. */
import { pattern } from "../pattern.ts";

/** The wait of a loop for its own iterations has as many arguments as loops. */
const unseen = { unseen: true } as const;
const lock = { before: () => "static omp_lock_t one, two;\n" };

export const sync = [
  pattern(
    "barrier-missing",
    "a b",
    ({ r, at }) => `
#pragma omp parallel num_threads(4)
{
  int t = omp_get_thread_num();
  ${at("a", "t")} = t;
${r("", "#pragma omp barrier")}
  ${at("b", "t")} = ${at("a", "(t + 1) % 4")};
}`,
  ),
  pattern(
    "nowait",
    "a b",
    ({ r, n, loop, at }) => `
#pragma omp parallel
{
#pragma omp for ${r("nowait", "")}
  ${loop("i", "0", n)}
    ${at("a", "i")} = i;
#pragma omp for
  ${loop("i", "0", `${n} - 1`)}
    ${at("b", "i")} = ${at("a", "i + 1")};
}`,
  ),
  pattern(
    "nowait-dynamic",
    "a b",
    ({ r, n, loop, at }) => `
#pragma omp parallel
{
#pragma omp for schedule(${r("dynamic", "static")}) nowait
  ${loop("i", "0", n)}
    ${at("a", "i")} = i;
#pragma omp for schedule(${r("dynamic", "static")})
  ${loop("i", "0", n)}
    ${at("b", "i")} = ${at("a", "i")};
}`,
  ),
  pattern(
    "nowait-then-scalar",
    "a",
    ({ r, n, loop, T }) => `
${T} s = 0;
#pragma omp parallel
{
#pragma omp for reduction(+: s) ${r("nowait", "")}
  ${loop("i", "0", n)}
    s += i;
#pragma omp single
  a[3] = s;
}`,
  ),
  pattern(
    "single-nowait",
    "a b",
    ({ r, n, loop, at, T }) => `
${T} start = 0;
#pragma omp parallel
{
#pragma omp single ${r("nowait", "")}
  start = 5;
#pragma omp for
  ${loop("i", "0", n)}
    ${at("a", "i")} = start + i;
}`,
  ),
  pattern(
    "master-without-barrier",
    "a",
    ({ r, n, loop, at, T }) => `
${T} start = 0;
#pragma omp parallel
{
#pragma omp ${r("master", "single")}
  start = 5;
#pragma omp for
  ${loop("i", "0", n)}
    ${at("a", "i")} = start + i;
}`,
  ),
  pattern(
    "masked-without-barrier",
    "a",
    ({ r, at, T }) => `
${T} start = 0;
#pragma omp parallel
{
#pragma omp masked
  start = 5;
${r("", "#pragma omp barrier")}
  ${at("a", "omp_get_thread_num()")} = start;
}`,
  ),
  pattern(
    "single-missing",
    "a",
    ({ r, at, T }) => `
${T} start = 0;
#pragma omp parallel
{
${r("", "#pragma omp single")}
  start = start + 5;
#pragma omp barrier
  ${at("a", "omp_get_thread_num()")} = start;
}`,
  ),
  pattern(
    "barrier-before-overwrite",
    "a",
    ({ r, at, T }) => `
${T} shared = 0;
#pragma omp parallel
{
  for (int step = 0; step < 4; step++) {
#pragma omp single
    shared = step;
    ${at("a", "omp_get_thread_num()")} = shared;
${r("", "#pragma omp barrier")}
  }
}`,
  ),
  pattern(
    "critical-missing",
    "a",
    ({ r, n, pfor, loop, T }) => `
${T} s = 0;
${pfor()}
${loop("i", "0", n)}
{
${r("", "#pragma omp critical")}
  s += a[i];
}
a[3] = s;`,
  ),
  pattern(
    "critical-names-differ",
    "a",
    ({ r, T }) => `
${T} s = 0;
#pragma omp parallel sections
{
#pragma omp section
  {
#pragma omp critical(left)
    s += 1;
  }
#pragma omp section
  {
#pragma omp critical(${r("right", "left")})
    s += 2;
  }
}
a[3] = s;`,
  ),
  pattern(
    "critical-of-one",
    "a",
    ({ r, n, pfor, loop, T }) => `
${T} s = 0, t = 0;
${pfor()}
${loop("i", "0", n)} {
#pragma omp critical
  ${r("s += a[i];", "{ s += a[i]; t += 1; }")}
  ${r("t += 1;", "")}
}
a[3] = s + t;`,
  ),
  pattern(
    "critical-reads-outside",
    "a b",
    ({ r, n, pfor, loop }) => `
int next = 0;
${pfor()}
${loop("i", "0", n)} {
  int mine;
${r("#pragma omp critical\n  next++;\n  mine = next;", "#pragma omp critical\n  { next++; mine = next; }")}
  b[i] = mine;
}`,
  ),
  pattern(
    "atomic-missing",
    "a",
    ({ r, n, pfor, loop, T }) => `
${T} s = 0;
${pfor()}
${loop("i", "0", n)}
{
${r("", "#pragma omp atomic update")}
  s += a[i];
}
a[3] = s;`,
  ),
  pattern(
    "atomic-half",
    "a",
    ({ r }) => `
int s = 0;
#pragma omp parallel
{
#pragma omp atomic
  s += 1;
  int seen;
${r("", "#pragma omp atomic read")}
  seen = s;
  a[omp_get_thread_num()] = seen;
}`,
  ),
  pattern(
    "atomic-write-missing",
    "a",
    ({ r }) => `
int s = 0;
#pragma omp parallel sections
{
#pragma omp section
  {
${r("", "#pragma omp atomic write")}
    s = 1;
  }
#pragma omp section
  {
    int seen;
#pragma omp atomic read
    seen = s;
    a[3] = seen;
  }
}`,
  ),
  pattern(
    "atomic-and-critical",
    "a",
    ({ r, n, pfor, loop }) => `
int s = 0;
${pfor()}
${loop("i", "0", n)} {
  if (i % 2) {
#pragma omp atomic
    s += 1;
  } else {
${r("#pragma omp critical", "#pragma omp atomic")}
    s += 2;
  }
}
a[3] = s;`,
  ),
  pattern(
    "lock-missing",
    "a",
    ({ r, n, pfor, loop, T }) => `
${T} s = 0;
omp_init_lock(&one);
${pfor()}
${loop("i", "0", n)} {
  ${r("", "omp_set_lock(&one);")}
  s += a[i];
  ${r("", "omp_unset_lock(&one);")}
}
a[3] = s;`,
    lock,
  ),
  pattern(
    "locks-differ",
    "a",
    ({ r, T }) => `
${T} s = 0;
omp_init_lock(&one);
omp_init_lock(&two);
#pragma omp parallel sections
{
#pragma omp section
  {
    omp_set_lock(&one);
    s += 1;
    omp_unset_lock(&one);
  }
#pragma omp section
  {
    omp_set_lock(&${r("two", "one")});
    s += 2;
    omp_unset_lock(&${r("two", "one")});
  }
}
a[3] = s;`,
    lock,
  ),
  pattern(
    "lock-too-short",
    "a",
    ({ r, n, pfor, loop, T }) => `
${T} s = 0;
omp_init_lock(&one);
${pfor()}
${loop("i", "0", n)} {
  ${T} t;
  omp_set_lock(&one);
  t = s + a[i];
  ${r("omp_unset_lock(&one);", "")}
  s = t;
  ${r("", "omp_unset_lock(&one);")}
}
a[3] = s;`,
    lock,
  ),
  pattern(
    "sections",
    "a b",
    ({ r, at }) => `
#pragma omp parallel sections
{
#pragma omp section
  ${at("a", "1")} = 1;
#pragma omp section
  ${at("a", r("1", "2"))} = 2;
}`,
  ),
  pattern(
    "sections-reading",
    "a b",
    ({ r, n, at }) => `
#pragma omp parallel
{
#pragma omp sections ${r("", "nowait")}
  {
#pragma omp section
    for (int k = 0; k < ${n}; k++) ${at("a", "k")} = k;
#pragma omp section
    for (int k = 0; k < ${n}; k++) ${at("b", "k")} = ${r(at("a", "k"), "k")};
  }
}`,
  ),
  pattern(
    "sections-nowait",
    "a b",
    ({ r }) => `
#pragma omp parallel
{
#pragma omp sections ${r("nowait", "")}
  {
#pragma omp section
    a[0] = 1;
#pragma omp section
    a[1] = 1;
  }
#pragma omp single
  b[0] = a[0] + a[1];
}`,
  ),
  pattern(
    "sections-share-a-temporary",
    "a",
    ({ r, T }) => `
${T} t;
#pragma omp parallel sections ${r("", "private(t)")}
{
#pragma omp section
  { t = 1; a[1] = t; }
#pragma omp section
  { t = 2; a[2] = t; }
}`,
  ),
  pattern(
    "ordered-missing",
    "a",
    ({ r, n, T }) => `
${T} s = 1;
#pragma omp parallel for ordered
for (int k = 0; k < ${n}; k++) {
${r("", "#pragma omp ordered")}
  s = s * 2 + k;
}
a[3] = s;`,
  ),
  pattern(
    "ordered-half",
    "a",
    ({ r, n, T }) => `
${T} s = 1;
#pragma omp parallel for ordered
for (int k = 0; k < ${n}; k++) {
  ${T} t = ${r("s", "k")};
#pragma omp ordered
  s = s + t;
}
a[3] = s;`,
  ),
  pattern(
    "doacross-distance",
    "a",
    ({ r, n, at }) => `
#pragma omp parallel for ordered(1)
for (int k = 2; k < ${n}; k++) {
#pragma omp ordered depend(sink: k - ${r("2", "1")})
  ${at("a", "k")} = ${at("a", "k - 1")} + 1;
#pragma omp ordered depend(source)
}`,
    unseen,
  ),
  pattern(
    "doacross-posted-early",
    "a b",
    ({ r, n, at }) => `
#pragma omp parallel for ordered(1)
for (int k = 1; k < ${n}; k++) {
#pragma omp ordered depend(sink: k - 1)
${r("#pragma omp ordered depend(source)", "")}
  ${at("a", "k")} = ${at("a", "k - 1")} + 1;
${r("", "#pragma omp ordered depend(source)")}
  ${at("b", "k")} = k;
}`,
    unseen,
  ),
  pattern(
    "doacross-plane",
    "a",
    ({ r }) => `
#pragma omp parallel for ordered(2)
for (int i = 1; i < 30; i++)
  for (int j = 1; j < 30; j++) {
#pragma omp ordered depend(sink: i, j - 1) ${r("", "depend(sink: i - 1, j)")}
    g[i][j] = g[i - 1][j] + g[i][j - 1];
#pragma omp ordered depend(source)
  }`,
    { ...unseen, before: ({ T }) => `static ${T} g[32][32];\n` },
  ),
  pattern(
    "all-threads-write",
    "a",
    ({ r, n }) => `
int k = 0;
#pragma omp parallel ${r("", "private(k)")}
for (k = 0; k < ${n}; k++)
  a[omp_get_thread_num()] = k;`,
  ),
  pattern(
    "for-forgotten",
    "a",
    ({ r, n, at }) => `
#pragma omp parallel
{
${r("", "#pragma omp for")}
  for (int k = 0; k < ${n}; k++)
    ${at("a", "k")} = ${at("a", "k")} + k;
}`,
  ),
  pattern(
    "slots-by-thread",
    "a",
    ({ r }) => `
#pragma omp parallel num_threads(4)
{
  int t = omp_get_thread_num();
  for (int k = 0; k < 8; k++)
    a[${r("t + k", "8 * t + k")}] = k;
}`,
  ),
  pattern(
    "blocks-by-thread",
    "a b",
    ({ r, at }) => `
#pragma omp parallel num_threads(4)
{
  int t = omp_get_thread_num();
  for (int k = t * 10; k < (t + 1) * 10${r(" + 1", "")}; k++)
    ${at("a", "k")} = k;
}`,
  ),
  pattern(
    "cyclic-by-thread",
    "a",
    ({ r, at }) => `
#pragma omp parallel num_threads(4)
{
  for (int k = omp_get_thread_num(); k < 40; k += ${r("2", "4")})
    ${at("a", "k")} = ${at("a", "k")} + 1;
}`,
  ),
  pattern(
    "phases",
    "a b",
    ({ r, n, loop, at }) => `
#pragma omp parallel
{
  for (int step = 0; step < 3; step++) {
#pragma omp for
    ${loop("i", "1", `${n} - 1`)}
      ${at("b", "i")} = ${at("a", "i - 1")} + ${at("a", "i + 1")};
#pragma omp for ${r("nowait", "")}
    ${loop("i", "1", `${n} - 1`)}
      ${at("a", "i")} = ${at("b", "i")};
  }
}`,
  ),
  pattern(
    "conditional-barrier-of-swap",
    "a b",
    ({ r, n, loop, T }) => `
${T} *from = a, *to = b;
#pragma omp parallel
{
  for (int step = 0; step < 3; step++) {
#pragma omp for
    ${loop("i", "1", `${n} - 1`)}
      b[i] = a[i - 1] + 1;
${r("", "#pragma omp single")}
    a[5] = b[5] + step;
${r("#pragma omp barrier", "")}
  }
}
(void)from, (void)to;`,
  ),
  pattern(
    "inner-region",
    "a",
    ({ r, T }) => `
#pragma omp parallel for
for (int i = 0; i < 8; i++) {
  ${T} s = 0;
#pragma omp parallel for ${r("", "reduction(+: s)")}
  for (int j = 0; j < 20; j++)
    s += j;
  a[i] = s;
}`,
  ),
];
