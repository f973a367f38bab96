/** Explicit tasks. */
import { pattern } from "../pattern.ts";

const team = (body: string) => `
#pragma omp parallel
#pragma omp single
{
${body}
}`;

export const tasks = [
  pattern("task-depend-missing", "a", ({ r, T }) =>
    team(`  ${T} x = 1;
#pragma omp task shared(x) depend(out: x)
  x = 5;
#pragma omp task shared(x) ${r("", "depend(in: x)")}
  a[3] = x;
#pragma omp taskwait`),
  ),
  pattern("task-depend-both-in", "a", ({ r, T }) =>
    team(`  ${T} x = 1;
#pragma omp task shared(x) depend(${r("in", "out")}: x)
  x = 5;
#pragma omp task shared(x) depend(in: x)
  a[3] = x;
#pragma omp taskwait`),
  ),
  pattern("task-depend-other", "a", ({ r, T }) =>
    team(`  ${T} x = 1, y = 2;
#pragma omp task shared(x, y) depend(out: x)
  x = 5;
#pragma omp task shared(x, y) depend(out: ${r("y", "x")})
  x = x + y;
#pragma omp taskwait
  a[3] = x;`),
  ),
  pattern("task-three", "a", ({ r, T }) =>
    team(`  ${T} x = 1;
#pragma omp task shared(x) depend(out: x)
  x = 5;
#pragma omp task shared(x) depend(in: x)
  a[3] = x;
#pragma omp task shared(x) ${r("depend(in: x)", "depend(inout: x)")}
  x = 7;
#pragma omp taskwait`),
  ),
  pattern("taskwait-missing", "a", ({ r, T }) =>
    team(`  ${T} x = 1;
#pragma omp task shared(x)
  x = 5;
${r("", "#pragma omp taskwait")}
  a[3] = x;
#pragma omp taskwait`),
  ),
  pattern("taskwait-grandchild", "a", ({ r, T }) =>
    team(`  ${T} x = 1;
#pragma omp task shared(x)
  {
#pragma omp task shared(x)
    x = 5;
${r("", "#pragma omp taskwait")}
  }
#pragma omp taskwait
  a[3] = x;`),
  ),
  pattern("taskgroup", "a", ({ r, T }) =>
    team(`  ${T} x = 1;
#pragma omp task${r("wait", "group")}
${r("", "  {")}
#pragma omp task shared(x)
  {
#pragma omp task shared(x)
    x = 5;
  }
${r("#pragma omp taskwait", "  }")}
  a[3] = x;`),
  ),
  pattern("task-in-loop", "a", ({ r, T }) =>
    team(`  ${T} x = 1;
  for (int k = 0; k < 4; k++) {
#pragma omp task shared(x)
    x += k;
${r("", "#pragma omp taskwait")}
  }
#pragma omp taskwait
  a[3] = x;`),
  ),
  pattern("task-in-loop-elements", "a", ({ r, at }) =>
    team(`  for (int k = 0; k < 20; k++) {
#pragma omp task
    ${at("a", r("k / 2", "k"))} = k;
  }`),
  ),
  pattern("task-in-loop-neighbours", "a b", ({ r, at }) =>
    team(`  for (int k = 1; k < 20; k++) {
#pragma omp task
    ${at("a", "k")} = ${at(r("a", "b"), "k - 1")} + 1;
  }`),
  ),
  pattern("task-chain-by-elements", "a", ({ r }) =>
    team(`  for (int k = 1; k < 20; k++) {
#pragma omp task ${r("depend(out: a[k])", "depend(in: a[k - 1]) depend(out: a[k])")}
    a[k] = a[k - 1] + 1;
  }`),
  ),
  pattern("task-shared-counter", "a", ({ r }) =>
    team(`  int j = 0;
  for (j = 0; j < 10; j++) {
#pragma omp task ${r("shared(j)", "firstprivate(j)")}
    a[j] = 1;
  }
#pragma omp taskwait`),
  ),
  pattern(
    "tasks-each-thread",
    "a",
    ({ r }) => `
#pragma omp parallel
${r("", "#pragma omp single")}
{
#pragma omp task
  a[3] += 1;
}`,
  ),
  pattern(
    "tasks-atomic",
    "a",
    ({ r }) => `
#pragma omp parallel
{
#pragma omp task
  {
${r("", "#pragma omp atomic")}
    a[3] += 1;
  }
}`,
  ),
  pattern("tasks-critical", "a", ({ r }) =>
    team(`  for (int k = 0; k < 10; k++) {
#pragma omp task
    {
${r("", "#pragma omp critical")}
      a[3] += k;
    }
  }`),
  ),
  pattern("task-and-creator", "a", ({ r }) =>
    team(`#pragma omp task
  a[3] = 1;
  a[${r("3", "4")}] = 2;`),
  ),
  pattern("task-undeferred", "a", ({ r, T }) =>
    team(`  ${T} x = 0;
#pragma omp task shared(x) ${r("", "if(0)")}
  x = 1;
  x += 1;
#pragma omp taskwait
  a[3] = x;`),
  ),
  pattern("taskloop", "a b", ({ r, n, at }) =>
    team(`#pragma omp taskloop
  for (int k = 0; k < ${n} - 1; k++)
    ${at("a", "k")} = ${at(r("a", "b"), "k + 1")};`),
  ),
  pattern("taskloop-sum", "a", ({ r, n, T }) =>
    team(
      `  ${T} s = 0;
#pragma omp taskloop shared(s) ${r("", "reduction(+: s)").replace("shared(s) reduction", "reduction")}
  for (int k = 0; k < ${n}; k++)
    s += k;
  a[3] = s;`.replace(r("\u0000", "shared(s) "), ""),
    ),
  ),
  pattern("taskloop-nogroup", "a b", ({ r, n, at }) =>
    team(`#pragma omp taskloop ${r("nogroup", "")}
  for (int k = 0; k < ${n}; k++)
    ${at("a", "k")} = k;
  b[3] = a[4];`),
  ),
  pattern("taskloop-private", "a", ({ r, n, T, at }) =>
    team(`  ${T} t = 0;
#pragma omp taskloop ${r("shared(t)", "private(t)")}
  for (int k = 0; k < ${n}; k++) {
    t = k;
    ${at("a", "k")} = t;
  }`),
  ),
  pattern("recursive-sum", "a", () => team("  a[3] = total(a, 40);"), {
    before: ({ r, T }) => `static ${T} total(${T} *v, int m) {
  ${T} x, y;
  if (m < 2) return v[0];
#pragma omp task shared(x)
  x = total(v, m / 2);
#pragma omp task shared(y)
  y = total(v + m / 2, m - m / 2);
${r("", "#pragma omp taskwait\n")}  return x + y;
}\n`,
  }),
  pattern("recursive-depends", "a", () => team("  a[3] = fib(8);"), {
    before: ({ r }) => `static int fib(int m) {
  int x, y, s;
  if (m < 2) return m;
#pragma omp task shared(x) depend(out: x)
  x = fib(m - 1);
#pragma omp task shared(y) depend(out: y)
  y = fib(m - 2);
#pragma omp task shared(s, x, y) depend(in: x, y) depend(out: s)
  s = x + y;
#pragma omp taskwait depend(in: ${r("x", "s")})
  return s;
}\n`,
  }),
  pattern("mutexinoutset", "a", ({ r, T }) =>
    team(`  ${T} s = 0;
#pragma omp task shared(s) ${r("", "depend(mutexinoutset: s)")}
  s += 1;
#pragma omp task shared(s) ${r("", "depend(mutexinoutset: s)")}
  s += 2;
#pragma omp taskwait
  a[3] = s;`),
  ),
  pattern(
    "task-threadprivate",
    "a",
    ({ r }) =>
      team(`#pragma omp task
  {
    kept = 1;
    a[1] = ${r("kept", "1")};
  }
#pragma omp task
  {
    ${r("kept = 2;", "")}
    a[2] = 2;
  }`),
    { before: ({ T }) => `static ${T} kept;\n` },
  ),
  pattern(
    "task-across-barrier",
    "a b",
    ({ r }) => `
#pragma omp parallel
{
#pragma omp single nowait
  {
#pragma omp task
    a[3] = 1;
  }
${r("", "#pragma omp barrier")}
#pragma omp single
  b[3] = a[3];
}`,
  ),
];
