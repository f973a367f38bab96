/** Pointers to local variables, into local arrays and to nothing, given to functions and kept in variables. */
import { describe, expect, it } from "vitest";
import type { HardwarePlan } from "../../../../core/hw/binding/process.ts";
import { predictCycles } from "../../../../core/hw/schedule/predict.ts";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed, designsOf, type Given, ideal, loadsAt, simulate } from "../simulation.ts";

const ints = (n: number, f: (k: number) => number): Given => ({
  bytes: 4,
  values: Array.from({ length: n }, (_, k) => f(k)),
});

interface Program {
  readonly name: string;
  readonly functions?: string;
  /** Of the loop over i, which sets y[i]. */
  readonly body: string;
  /** Of the innermost loops. */
  readonly intervals: readonly number[];
}

const programs: readonly Program[] = [
  {
    name: "results through pointers to variables, elements and members",
    functions: `struct s { int a; int v[3]; };
static int divide(int a, int b, int *rest) { *rest = a % b; return a / b; }
static void spread(int *out, int v) { *out++ = v; *out = v + 1; out[1] = v * 3; }
static void next(unsigned *state) { *state ^= *state << 13; *state ^= *state >> 17; }
static void count(int *of, int *at) { *at = *at + 1; *of += *at; }`,
    body: `int r, t[7] = {0}, j = i & 1; struct s s; unsigned state = x[i];
      s.a = divide(x[i], 7, &r); spread(s.v, i); spread(t + 2, r); spread(&t[j + 4], s.v[1]);
      next(&state); count(&s.v[2], &s.a); count(&t[j++], &j);
      y[i] = s.a + s.v[0] * 3 - s.v[2] + t[0] + t[1] * 5 + t[2] + t[4] * 7 + t[6] + (int)(state & 15) + j;`,
    intervals: [1],
  },
  {
    name: "parts of arrays as arguments",
    functions: `typedef int m3[3][3];
static int dot(const int *a, const int *b, int n) { int s = 0; for (int k = 0; k < n; k++) s += a[k] * b[k]; return s; }
static int trace(m3 m) { return m[0][0] + m[1][1] + m[2][2]; }
static int corners(const int (*m)[3]) { return m[0][0] - (*m)[2] + m[2][0] * *m[1]; }
static void add(int *v, const int *w) { for (int k = 0; k < 3; k++) v[k] += w[k]; }`,
    body: `m3 m; for (int k = 0; k < 9; k++) m[k / 3][k % 3] = x[(i + k) & 15];
      add(m[1], m[0]); add(&m[2][0], (int[3]){i, 2, 3});
      y[i] = dot(m[0], m[i % 3], 3) + trace(m) + corners(m) + dot(&m[0][0], m[1], 5);`,
    intervals: [1],
  },
  {
    name: "pointers in variables, that move, change places and are compared",
    functions: `static const int *larger(const int *a, const int *b) { return *a < *b ? b : a; }
static void swap(int **p, int **q) { int *t = *p; *p = *q; *q = t; }
static int sum(const int *from, const int *to) { int s = 0; while (from != to) s += *from++; return s; }
struct view { const int *data; int n; };
static int last(struct view v) { return v.data[v.n - 1]; }`,
    body: `int a[4] = {1, 2, x[i], 4}, b[4] = {5, i, 7, 8}, c = 9, *p = a, *q = i & 1 ? b + 1 : &c;
      if (x[i] & 1) swap(&p, &q);
      *p += 2; *q = *q * 3 + (q == &c); q = b; *q++ -= 1; *++q = i;
      struct view v = {p == &c ? a : p, 2}; int *r[3] = {a, b}; *r[i & 1] += 3; if (i & 2) r[2] = r[0] + 1;
      y[i] = r[2] ? *r[2] : r[1][2]; y[i] += *larger(&a[2], q) + sum(a, a + (i & 3)) + last(v) + c + (p ? b[0] : 0) + (int)(q - b);`,
    intervals: [1],
  },
  {
    name: "structs through pointers, and pointers to nothing",
    functions: `struct v { int x, y; };
static void move(struct v *p, int by) { p->x += by; p[0].y -= by; }
static void set(struct v *p, struct v by) { *p = by; }
static int f(int v, int *out, const struct v *from) { if (out) *out = v; return from ? from->y : v + 1; }`,
    body: `struct v t[3] = {{1, 2}, {3, 4}, {5, x[i]}}, *p = &t[i % 3]; int r = 3;
      move(p, i); move(t + 1, 4); set(i & 1 ? p : &t[2], (struct v){p->y, i}); struct v now = *p;
      y[i] = f(x[i], 0, 0) + f(x[i], &r, p) * 7 + r + t[0].x + t[1].y * 10 + t[2].x * 100 + now.x - now.y;`,
    intervals: [1],
  },
];

const sourceOf = ({ functions = "", body }: Program): string => `${functions}
void work(int n, const int *restrict x, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copyout(y[0:n])
  for (int i = 0; i < n; i++) {
      ${body}
  }
}`;

describe("pointers to objects in registers", () => {
  const given = { n: 16, x: ints(16, (k) => ((k * 7919) % 97) - 40), y: ints(16, () => 0) };
  const cases = programs.map((p) => ({ source: sourceOf(p), given }));
  const serial = serialArrays(cases);
  it.each(programs.map((p, k) => [p.name, p, k] as const))(
    "give the serial result, in the cycles that the schedule predicts: %s",
    (_, { intervals }, k) => {
      const made = designed((cases[k] as (typeof cases)[number]).source);
      expect(lint(made.design.text)).toBe("");
      const run = simulate(made, given, ideal);
      expect(run.arrays).toEqual(serial[k]);
      const plan = made.design.plans[0] as HardwarePlan;
      const runs = run.runs.map((r) => ({ ...r, loads: loadsAt(r, made.design.kernel.reads) }));
      expect(predictCycles(plan, runs, ideal)).toBe(run.cycles);
      expect(simulate(made, given, { latency: 3, stalls: 6, seed: 2 }).arrays).toEqual(serial[k]);
      expect(plan.pipelines.filter((p) => p.pipeline.loop).map((p) => p.ii)).toEqual(intervals);
    },
  );

  it("may point into block RAM and be loop counters", () => {
    const source = `static void fill(int *from, const int *end, int by) { for (; from < end; from += 2) from[0] = from[1] = by++; }
static int get(const int *v) { return *v + v[1]; }
void work(int n, const int *restrict x, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copyout(y[0:n])
  {
    int t[4][100];
    for (int *p = &t[0][0]; p < &t[0][0] + 400; ++p) *p = (int)(p - t[0]);
    fill(t[1], &t[1][50], n);
    for (int i = 0; i < n; i++) y[i] = get(t[i & 3]) + get(&t[x[i] & 1][i]);
  }
}`;
    const [serial] = serialArrays([{ source, given }]);
    const made = designed(source);
    expect(lint(made.design.text)).toBe("");
    const run = simulate(made, given, ideal);
    expect(run.arrays).toEqual(serial);
    const plan = made.design.plans[0] as HardwarePlan;
    const runs = run.runs.map((r) => ({ ...r, loads: loadsAt(r, made.design.kernel.reads) }));
    expect(predictCycles(plan, runs, ideal)).toBe(run.cycles);
    expect(plan.pipelines.filter((p) => p.pipeline.loop).map((p) => p.ii)).toEqual([1, 2, 1]);
  });

  it("are refused where they lead beside a variable that is no array", () => {
    const [outcome] = designsOf(`struct c { float re, im; };
static float size(const float *p) { return p[0] + p[1]; }
void work(float *y) {
#pragma acc serial copyout(y[0:4])
  for (int i = 0; i < 4; i++) { struct c z = {i, 1}; y[i] = size(&z.re); }
}`);
    if (!outcome || !("diagnostics" in outcome)) throw new Error("made");
    const [{ loc, message } = {} as never] = outcome.diagnostics;
    expect(`${loc.line}: ${message}`).toContain("2: this expression (what lies beside a variable");
  });
});
