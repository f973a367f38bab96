/** Scans beside other loops of a region, and data passed between them: as in plain C, under Oclgrind and on fibers. */
import { afterAll, describe, expect, it } from "vitest";
import { differences } from "../../targets/fuzz/compare.ts";
import { Workshop } from "../../targets/runtime/harness.ts";

const hash = (elements: number, value: string) =>
  `unsigned h = 0; for (int i = 0; i < ${elements}; i++) h = h * 31 + ${value};`;

const bodies = [
  `static int a[700], b[700], c[700]; int n = 700; for (int i = 0; i < n; i++) a[i] = i % 7;
  // In a loop that the launch repeats, between loops that all groups share.
#pragma acc parallel copy(a, b, c)
  {
    int last = 1;
    for (int t = 0; t < 5; t++) {
#pragma acc loop gang vector
      for (int i = 0; i < n; i++) c[i] = a[i] + t;
      int s = last;
      for (int i = 0; i < n; i++) { s += c[i]; b[i] = s; }
      last = s;
#pragma acc loop gang vector
      for (int i = 0; i < n; i++) a[i] = b[i] % 11;
    }
  }
  ${hash(700, "a[i] + b[i]")}`,
  `static int a[3000], b[3000], c[3000]; int n = 3000; for (int i = 0; i < n; i++) a[i] = i % 7;
  // One after the other.
#pragma acc kernels copy(a, b, c)
  {
    int s = 3;
    for (int i = 0; i < n; i++) { s += a[i]; b[i] = s; }
    for (int i = 1; i < n; i++) c[i] = c[i - 1] ^ b[i];
    int m = s;
    for (int i = 0; i < n; i++) { if (c[i] % 100 > m) m = c[i] % 100; c[i] += m; }
  }
  ${hash(3000, "c[i] + b[i]")}`,
  `static int a[400][60], r[400]; int n = 400; for (int i = 0; i < 24000; i++) a[i / 60][i % 60] = i % 7;
  // Of sums that an inner loop makes.
#pragma acc kernels copy(a, r)
  { int s = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < 60; j++) s += a[i][j]; r[i] = s; } }
  ${hash(400, "r[i]")}`,
  `static short a[3000], b[3000]; static unsigned char c[3000]; int n = 3000;
  for (int i = 0; i < n; i++) a[i] = i % 7 * 1000, b[i] = 1, c[i] = i * 3;
  // Of several types, whose last values are used.
#pragma acc serial copy(a, b, c)
  {
    short s = 3;
    unsigned char m = 255, x = 7;
    for (unsigned i = 3; i <= 2990u; i += 3) {
      s += a[i];
      if (c[i] < m) m = c[i];
      x *= c[i] | 1;
      b[i] = s + m + x;
    }
    b[0] = s; b[1] = m; b[2] = x;
  }
  ${hash(3000, "b[i]")}`,
  `static int a[3][5000], b[3][5000]; static long tot[3]; int n = 5000;
  for (int i = 0; i < 15000; i++) a[i / 5000][i % 5000] = i % 7;
  // In rows, between a sum and a loop that reads what other lanes have stored.
#pragma omp target teams distribute parallel for map(tofrom: a, b, tot)
  for (int r = 0; r < 3; r++) {
    long s = r;
    int x = 0;
    for (int i = 0; i < n; i++) x += a[r][i];
    for (int i = 0; i < n; i++) { s += a[r][i] * x; b[r][i] = s; }
    tot[r] = s + b[r][n / 2];
    for (int i = 0; i < n; i++) a[r][i] = b[r][n - 1 - i] - s;
  }
  ${hash(15000, "b[i / 5000][i % 5000] + a[i / 5000][i % 5000]")}`,
  `static int a[1700], b[1700], c[3]; int n = 1700, s = 4, i; for (int i = 0; i < n; i++) a[i] = i % 7;
  // Within bounds that the region computes, by values in branches.
#pragma omp target map(tofrom: a, b, c, s)
  {
    int k = a[3], m = n - k;
    for (i = k; i < m; ++i) {
      int x = a[i] * k;
      if (x > 3) { int y = x; s += y; } else s -= 1;
      b[i] += s;
    }
    c[1] = k + s;
  }
  ${hash(1700, "b[i] + c[i % 3] + s")}`,
  `static int a[1700], b[1700], c[3]; int n = 1700, s = 4; for (int i = 0; i < n; i++) a[i] = i % 7;
  // From a copy that the region was passed.
#pragma acc serial copy(a, b, c) firstprivate(s)
  { for (int i = 0; i < n; i++) { s += a[i]; b[i] = s; } c[0] = s; s = 3; c[1] = s + a[0]; }
  ${hash(1700, "b[i] + c[i % 3]")}`,
  `static int a[40][700], b[40][700]; int s, i, j; for (i = 0; i < 28000; i++) a[i / 700][i % 700] = i % 7;
  // In rows of different length, by variables from outside.
#pragma acc parallel loop private(s, j) copy(a, b)
  for (i = 0; i < 40; i++) { s = i; for (j = 0; j <= i * 17; j++) { s ^= a[i][j]; b[i][j] = s; } }
  ${hash(28000, "b[i / 700][i % 700]")}`,
  `static int a[200]; int *p = a, *q = a + 1; for (int i = 0; i < 200; i++) a[i] = i % 7;
  // Where pointers lead to the same memory, which the launch finds out.
#pragma acc data copy(a)
#pragma acc parallel loop present(p[0:100], q[0:100])
  for (int r = 0; r < 1; r++) { int s = r; for (int i = 0; i < 100; i++) { s += p[i]; q[i] = s % 1000; } }
  ${hash(200, "a[i]")}`,
  `static int a[300][64], b[300][64]; int n = 300; for (int i = 0; i < 19200; i++) a[i / 64][i % 64] = b[i / 64][i % 64] = i % 7;
  // Down columns that lie side by side.
#pragma acc kernels copy(a, b)
  for (int j = 0; j < 64; j++)
    for (int i = 1; i < n; i++) b[i][j] = b[i - 1][j] + a[i][j];
  ${hash(19200, "b[i / 64][i % 64]")}`,
  `static int a[40][700], b[40][700]; int s; for (int i = 0; i < 28000; i++) a[i / 700][i % 700] = i % 7;
  // In loops that the compiler judges, by a variable that a clause makes private.
#pragma acc parallel loop gang private(s) copy(a, b)
  for (int i = 0; i < 40; i++) {
    s = i;
#pragma acc loop auto
    for (int j = 0; j < 600; j++) { s += a[i][j]; b[i][j] = s; }
  }
  ${hash(28000, "b[i / 700][i % 700]")}`,
  `static int a[300000], b[300000]; int n = 300000; for (int i = 0; i < n; i++) a[i] = i % 7 - 3;
  // Of more iterations than the device has items.
#pragma acc serial copy(a, b)
  { int s = 3; for (int i = 0; i < n; i++) { b[i] = s; s ^= a[i]; } }
  ${hash(300000, "b[i]")}`,
];
const functions = bodies.map(
  (body, k) => `static void f${k}(void) {\n  ${body}\n  printf("f${k} %u\\n", h);\n}\n`,
);

describe("scans among other loops", () => {
  const shop = new Workshop("gcc", ["-w"]);
  afterAll(() => shop.remove());

  it.each([
    { kind: "oclgrind", list: functions.slice(0, -1) },
    { kind: "lanes", list: functions },
  ] as const)("are what plain C computes, on $kind", { timeout: 300_000 }, ({ kind, list }) => {
    expect(differences(list, [kind], shop.archive())).toEqual([]);
  });
});
