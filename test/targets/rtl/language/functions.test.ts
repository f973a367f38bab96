/** Functions with loops of their own, and structs that are given to functions and returned: as gcc's program computes. */
import { describe, expect, it } from "vitest";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed, designsOf, type Given, ideal, simulate } from "../simulation.ts";

const ints = (n: number, f: (k: number) => number): Given => ({
  bytes: 4,
  values: Array.from({ length: n }, (_, k) => f(k)),
});

interface Program {
  readonly name: string;
  readonly source: string;
  readonly given: Readonly<Record<string, Given>>;
}

const programs: readonly Program[] = [
  {
    name: "loops with trips known at run time, left early and within each other",
    source: `static int steps(int n) {
  int count = 0;
  while (n > 1) { n = n % 2 ? 3 * n + 1 : n / 2; count++; }
  return count;
}
static int gcd(int a, int b) {
  if (a < 0) return -1;
  for (;;) {
    if (b == 0) return a;
    int rest = a % b;
    a = b;
    b = rest;
  }
}
static int find(const int *of, int n, int what) {
  for (int i = 0; i < n; i++) {
    if (of[i] < 0) continue;
    for (int j = 0; j < i; j++)
      if (of[j] + of[i] == what) return j * 100 + i;
  }
  return -1;
}
static int both(int a, int b) { return gcd(a, b) + steps(b); }
void work(int n, const int *restrict x, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copy(y[0:n])
  for (int i = 0; i < n; i++) {
    if (i % 3 == 0 && find(x, n, 10) > 0) y[i]++;
    y[i] = i % 2 ? both(x[i], 12) : y[i] - steps(x[i]) * 2;
  }
}`,
    given: { n: 5, x: ints(5, (k) => [3, 9, 7, -4, 0][k] ?? 0), y: ints(5, (k) => k) },
  },
  {
    name: "calls in the tests of loops",
    source: `static int above(const int *of, int from, int limit) {
  int k = from;
  while (k < limit && of[k] < 50) k++;
  return k;
}
void work(int n, const int *restrict x, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copyout(y[0:n])
  {
    int k = 0, found = 0;
    while (above(x, k, n) < n) {
      k = above(x, k, n) + 1;
      if (x[k - 1] % 2) continue;
      y[found++] = k;
    }
    do { y[found++] = -k; k = k / 2; } while (above(x, k, n) > 3);
    for (int i = found; i < n + 0 * above(x, 0, 1); i++) y[i] = 1000;
  }
}`,
    given: { n: 10, x: ints(10, (k) => (k * 37) % 83), y: ints(10, () => 0) },
  },
  {
    name: "structs as arguments and as results",
    source: `struct number { int re, im; };
struct pair { struct number of[2]; short tag; };
static struct number sum(struct number a, struct number b) {
  a.re += b.re;
  a.im += b.im;
  return a;
}
static struct number product(const struct number a, const struct number b) {
  return (struct number){a.re * b.re - a.im * b.im, .im = 5};
}
static struct number larger(struct number a, struct number b) { return a.re < b.re ? b : a; }
static struct pair joined(struct number a, struct number b, int tag) {
  struct pair made;
  made.of[0] = a;
  made.of[1] = larger(a, b);
  made.tag = tag;
  if (tag < 3) return made;
  made.of[0].im = -tag;
  return made;
}
static int size(struct pair p) { return p.of[0].re + p.of[1].im * 3 + p.tag; }
void work(int n, struct number *restrict p, int *restrict y) {
#pragma acc serial copy(p[0:n]) copyout(y[0:n])
  for (int i = 0; i < n; i++) {
    struct number one = {i, -i}, now = sum(p[i], one);
    struct pair kept = joined(now, product(p[i], one), i);
    y[i] = size(kept) + sum(one, product(now, now)).im + larger(one, now).re;
    p[i] = larger(kept.of[1], i & 1 ? now : one);
  }
}`,
    given: { n: 9, p: ints(18, (k) => k * 7 - 50), y: ints(9, () => 0) },
  },
  {
    name: "addresses of local variables as arguments",
    source: `struct range { int low, high; };
static void swap(int *a, int *b) { int was = *a; *a = *b; b[0] = was; }
static void widen(struct range *of, const int *to) {
  if (*to < of->low) of->low = *to;
  if (*to > (*of).high) of->high = *to;
}
static int ordered(struct range *of) {
  if (of->low > of->high) { swap(&of->low, &of->high); return 1; }
  return 0;
}
void work(int n, const int *restrict x, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copyout(y[0:n])
  {
    struct range seen = {3, -3};
    int turned = ordered(&seen);
    for (int i = 0; i < n; i++) {
      int a = x[i], b = i;
      if (a > b) swap(&a, &b);
      widen(&seen, &b);
      y[i] = a * 100 + seen.low + seen.high + turned;
    }
  }
}`,
    given: { n: 8, x: ints(8, (k) => ((k * 5) % 9) - 4), y: ints(8, () => 0) },
  },
  {
    name: "returns out of switches, and of loops around them",
    source: `static int kind(int x) {
  for (int i = 0; i < x; i++)
    switch (i & 7) {
    case 3: return i;
    case 5: case 6: if (x > 30) return -i; break;
    default: x -= 2;
    }
  return x;
}
static int other(int x, int *out) {
  switch (x & 3) {
  case 0: *out = 1; return 5;
  case 1:
    *out = 2;
    switch (x & 4) { case 4: return 6; default: *out += 4; }
    break;
  case 2: *out = 3;
  default: if (x < 0) return 9; *out = 8;
  }
  *out += 10;
  return x;
}
void work(int n, const int *restrict x, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copyout(y[0:n])
  for (int i = 0; i < n; i++) { int o = 0; y[i] = kind(x[i]) * 100 + other(x[i], &o); y[i] += o; }
}`,
    given: { n: 12, x: ints(12, (k) => ((k * 37) % 83) - 20), y: ints(12, () => 0) },
  },
  {
    name: "switches with loops in them",
    source: `static int classify(int n) {
  switch (n % 3) {
  case 0: return 30;
  case 1:
    for (int d = 2; d <= n; d++) { if (d * d > n) return 31; if (n % d == 0) return d; }
    break;
  }
  return 99;
}
void work(int n, const int *restrict x, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copyout(y[0:n])
  for (int i = 0; i < n; i++) {
    int s = 0;
    switch (i % 5) {
    case 0: for (int j = 0; j < n; j++) s += x[j]; break;
    case 1: for (int j = 0; j < i; j++) s -= x[j]; s *= 2;
    default: for (int j = 0; j < 40; j++) { if (x[j % n] > 50) break; s += j; }
    case 2 ... 3: s += 1000; if (s & 1) break; s *= 3;
    }
    y[i] = s + classify(x[i]);
  }
}`,
    given: { n: 12, x: ints(12, (k) => ((k * 37) % 83) - 20), y: ints(12, () => 0) },
  },
  {
    name: "builtins that count bits and turn bytes round",
    source: `static int counted(unsigned x, unsigned long y) {
  int bits = __builtin_popcount(x) + (x ? 7 * __builtin_clz(x) + 11 * __builtin_ctz(x) : 0) + 13 * __builtin_ffs(x);
  int wide = __builtin_popcountl(y) + (y ? 7 * __builtin_clzl(y) + 11 * __builtin_ctzll(y) : 0);
  return __builtin_expect(x > 5, 1) ? bits + 1000 * wide + __builtin_parity(x) : __builtin_ffsl(y) - __builtin_parityl(y);
}
void work(int n, const int *restrict x, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copyout(y[0:n])
  for (int i = 0; i < n; i++)
    y[i] = counted(x[i], (x[i] + 1ul) << (i * 5)) ^ __builtin_bswap16(x[i]) ^ __builtin_bswap32(x[i]) ^
           (__builtin_bswap64(x[i] * 1234567l) < 1ul << 62);
}`,
    given: {
      n: 12,
      x: ints(12, (k) => [0, 1, -1, -2147483648, 65536, 12345, -7, 255, 1024, 8, 16777216, 4][k] ?? 0),
      y: ints(12, () => 0),
    },
  },
  {
    name: "that move a pointer and change a number of the region's",
    source: `static int next(const int **from) { return *(*from)++; }
static int mixed(const int **from, int *seed) {
  int first = next(from);
  *seed = *seed * 5 + first;
  return next(from) + *seed;
}
void work(int n, const int *restrict x, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copyout(y[0:8])
  for (int i = 0; i < 8; i++) y[i] = mixed(&x, &n);
}`,
    given: { n: 20, x: ints(20, (k) => 7 * k - 30), y: ints(8, () => 0) },
  },
];

describe("functions that are more than an expression", () => {
  const serial = serialArrays(programs);
  it.each(programs.map((p, k) => [p.name, p, k] as const))("give the serial result: %s", (_, program, k) => {
    const made = designed(program.source);
    expect(lint(made.design.text)).toBe("");
    expect(serial[k]).toMatchObject(simulate(made, program.given, ideal).arrays);
  });

  it("become steps of a loop that is pipelined where their loops are few iterations", () => {
    const made = designed(`static int weighted(int a, int b) {
  int sum = 0;
  for (int k = 0; k < 3; k++) sum += a * (k + b);
  return sum;
}
void work(int n, const int *restrict x, int *restrict y) {
#pragma acc parallel loop copyin(x[0:n]) copyout(y[0:n])
  for (int i = 0; i < n; i++) y[i] = weighted(x[i], i) + 1;
}`);
    const loops = made.design.plans.flatMap(({ pipelines }) => pipelines.filter((p) => p.pipeline.loop));
    expect(loops.map(({ ii }) => ii)).toEqual([1]);
  });

  it("are refused where they take a union that is no word", () => {
    const [outcome] = designsOf(`union u { int a; float b[3]; };
static int of(union u v) { return v.a; }
void work(union u *x, int *y) {
#pragma acc serial copyin(x[0:4]) copyout(y[0:4])
  for (int i = 0; i < 4; i++) y[i] = of(x[i]);
}`);
    if (!outcome || !("diagnostics" in outcome)) throw new Error("made");
    const [{ loc, code, message, remedy } = {} as never] = outcome.diagnostics;
    expect({ line: loc.line, code }).toEqual({ line: 5, code: "no-operator" });
    expect(message).toContain("union");
    expect(remedy).toContain("struct");
  });
});
