// Halves in stencils, products, transpositions, structures, calls, private arrays, reductions and atomics.
// arc: items>1
#include <stdio.h>
#include <string.h>

enum { N = 67 };

typedef _Float16 half;
struct cell {
  half x, y;
  int n;
  half w[3];
};

static half a[N][N], b[N][N], got[N][N], want[N][N];
static float sums[N][N];
static struct cell cells[N], filled[N];
static int wrong;

static void check(const char *what, int right) {
  if (!right) printf("%s: wrong\n", what);
  wrong += !right;
}

#pragma acc routine seq
static half mixed(half x, float y) {
  half r = x * (half)2 + (half)y;
  return r > (half)100 ? (half)100 : r;
}

#pragma acc routine seq
static void fill(struct cell *cell, int i) {
  cell->x = mixed((half)i, i * 0.5f);
  cell->y += cell->x / (half)3;
  cell->n = (int)cell->y;
  for (int k = 0; k < 3; k++) cell->w[k] = (half)(cell->y * (half)0.25 + k);
  cell->w[1]++;
  half *last = &cell->w[2];
  *last -= (half)0.25;
  *last *= 3;
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = (half)((i * 7 + j * 3) % 17 - 8);
      b[i][j] = (half)((i + 5 * j) % 13) / (half)4;
    }

#pragma acc parallel loop collapse(2) copyin(a) copy(got)
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      got[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / (half)3;
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      want[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / (half)3;
  check("stencil", memcmp(got, want, sizeof got) == 0);

#pragma acc parallel loop collapse(2) copyin(a) copyout(got)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) got[i][j] = a[j][i];
  int transposed = 1;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) transposed &= got[i][j] == a[j][i];
  check("transposition", transposed);

  /* Products of small numbers, of which float holds all sums. */
#pragma acc parallel loop collapse(2) copyin(a, b) copyout(sums)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float s = 0;
      for (int k = 0; k < N; k++) s += (float)a[i][k] * (float)b[k][j];
      sums[i][j] = s;
    }
  int multiplied = 1;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float s = 0;
      for (int k = 0; k < N; k++) s += (float)a[i][k] * (float)b[k][j];
      multiplied &= sums[i][j] == s;
    }
  check("product", multiplied);

  half most = -100, least = 100, count = 0;
#pragma acc parallel loop gang reduction(max: most) reduction(min: least) reduction(+: count) copyin(a)
  for (int i = 0; i < N; i++) {
    half m = -100, l = 100;
#pragma acc loop vector reduction(max: m) reduction(min: l)
    for (int j = 0; j < N; j++) {
      m = a[i][j] > m ? a[i][j] : m;
      l = a[i][j] < l ? a[i][j] : l;
    }
    most = m > most ? m : most;
    least = l < least ? l : least;
    count += (half)2;
  }
  check("reductions", most == 8 && least == -8 && count == 2 * N);

  half bins[7] = {0};
#pragma acc parallel loop copy(bins)
  for (int i = 0; i < 4000; i++) {
#pragma acc atomic
    bins[i % 7] += (half)1;
  }
  int counted = 1;
  for (int k = 0; k < 7; k++) counted &= bins[k] == (half)((4000 - k + 6) / 7);
  check("atomics", counted);

#pragma acc parallel loop copy(cells)
  for (int i = 0; i < N; i++) fill(&cells[i], i);
  for (int i = 0; i < N; i++) fill(&filled[i], i);
  check("structures and calls", memcmp(cells, filled, sizeof cells) == 0);

  half scale[4] = {1, 2, 3, 4}, large = 60000;
#pragma acc parallel loop copyout(got) firstprivate(scale, large)
  for (int i = 0; i < N; i++) {
    half t[4];
    for (int k = 0; k < 4; k++) t[k] = scale[k] * (half)i;
    for (int j = 0; j < N; j++) got[i][j] = t[j & 3] + (j == 5 ? large : -(half)j);
  }
  int scaled = 1;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      half t = scale[j & 3] * (half)i;
      half w = t + (j == 5 ? large : -(half)j);
      scaled &= got[i][j] == w;
    }
  check("arrays of an iteration", scaled);
  return wrong != 0;
}
