/** Routines and types included in every program. */
export const prelude = `#include <stdio.h>
#include <stdlib.h>
#include <math.h>
typedef float real_t;
struct part { int i; float f; char c[3]; long l; };
static int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
#pragma acc declare copyin(table)
#pragma acc routine seq
static int mix(int a, int b) { return (a % 1000 * 3 - b % 1000 + table[(unsigned)(a + b) % 16]) % 1000; }
#pragma acc routine seq
static void bump(int *p, int by) { *p = (*p + by) % 1000; }
#pragma acc routine seq
static int early(int a) { for (int k = 0; k < 9; k++) { if (table[k] > a) return k; a--; } return a < 0 ? -a % 50 : a % 50; }
#pragma acc routine vector
static void fill(int *row, int n, int v) {
#pragma acc loop vector
  for (int k = 0; k < n; k++)
    row[k] = (v + k * 7) % 1000;
}
#pragma acc routine vector
static int total(const int *row, int n) {
  int sum = 0;
#pragma acc loop vector reduction(+:sum)
  for (int k = 0; k < n; k++)
    sum += row[k];
  return sum % 1000;
}
#pragma acc routine worker
static void blend(int *row, int n, int v) {
#pragma acc loop worker vector
  for (int k = 0; k < n; k++)
    row[k] = (row[k] / 2 + v + k) % 1000;
}
struct mix { int i; unsigned u : 5; float f; int b : 9; short s[3]; unsigned long w; struct { signed char c; _Bool t; } in; };
union word { unsigned w; unsigned char b[4]; unsigned short h[2]; };
struct box { int n; int *p; };
#pragma acc routine seq
static struct mix twist(struct mix m, int k) { m.i = (m.i + k) % 1000; m.b = k & 127; m.s[k & 1]++; m.s[k & 1] &= 255; m.w ^= m.i; m.in.t = !m.in.t; return m; }
#pragma acc routine seq
static void poke(struct mix *m, const struct mix *from) { m->u = from->u + 1; m->in = from->in; m->w += from->w << 7; }
static void show(const char *name, unsigned long *h, double x) {
  (void)name;
  *h = *h * 1000003ul + (unsigned long)(long)(x * 16);
}
`;
