/* Products of matrices of doubles, which matrix units of GPUs can multiply: whole, transposed and scaled, growing, of mixed
   types, of a matrix with itself, several. Sizes end within tiles and within steps of the units. */
#include <math.h>
#include <stdio.h>

#define N 530
#define M 610
#define K 37
#define MANY 3

static double a[N][K], at[K][N], b[K][M], bt[M][K], c[N][M], want[N][M], self[N][N];
static float af[N][K];
static double batch_a[MANY][260][K], batch_b[MANY][K][270], batch_c[MANY][260][270];

static void whole(int n, int m, int k) {
#pragma acc parallel loop collapse(2) copyin(a, b) copy(c)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double sum = 0;
      for (int l = 0; l < k; l++)
        sum += a[i][l] * b[l][j];
      c[i][j] = sum;
    }
}

static void transposed(int n, int m, int k, double alpha, double beta) {
#pragma acc parallel loop copyin(at, bt) copy(c)
  for (int i = 0; i < n; i++)
#pragma acc loop
    for (int j = 0; j < m; j++) {
      double sum = beta * c[i][j];
      for (int l = 0; l < k; l++)
        sum = sum - bt[j][l] * (alpha * at[l][i]);
      c[i][j] = sum;
    }
}

static void growing(int n, int m, int k) {
#pragma acc parallel loop collapse(2) copyin(af, b) copy(c)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int l = 0; l < k; l++)
        c[i][j] += af[i][l] * b[l][j];
}

static void lower(int n, int k) {
#pragma acc parallel loop copyin(a) copy(self)
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int l = 0; l < k; l++)
        sum += a[i][l] * a[j][l];
      self[i][j] = sum;
    }
}

static void several(int n, int m, int k) {
#pragma acc parallel loop collapse(3) copyin(batch_a, batch_b) copy(batch_c)
  for (int q = 0; q < MANY; q++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        double sum = 0;
        for (int l = 0; l < k; l++)
          sum += batch_a[q][i][l] * batch_b[q][l][j];
        batch_c[q][i][j] = sum;
      }
}

static int wrong;

static void check(const char *what, int i, int j, double got, double expected) {
  if (!(fabs(got - expected) <= 1e-12) && wrong++ < 5)
    printf("%s [%d][%d]: %.17g, not %.17g\n", what, i, j, got, expected);
}

static void compare(const char *what) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      check(what, i, j, c[i][j], want[i][j]);
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int l = 0; l < K; l++) {
      at[l][i] = a[i][l] = sin(3 * i + l);
      af[i][l] = (float)(i % 7 - l % 3) / 4;
    }
  for (int l = 0; l < K; l++)
    for (int j = 0; j < M; j++)
      bt[j][l] = b[l][j] = cos(2 * j - l);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      want[i][j] = 0;
      for (int l = 0; l < K; l++)
        want[i][j] += a[i][l] * b[l][j];
    }
  whole(N, M, K);
  compare("whole");
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      want[i][j] *= 0.25;
      for (int l = 0; l < K; l++)
        want[i][j] -= bt[j][l] * (1.5 * at[l][i]);
    }
  transposed(N, M, K, 1.5, 0.25);
  compare("transposed");
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      for (int l = 0; l < K; l++)
        want[i][j] += af[i][l] * b[l][j];
  growing(N, M, K);
  compare("growing");
  lower(N, K);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int l = 0; l < K && j <= i; l++)
        sum += a[i][l] * a[j][l];
      check("lower", i, j, self[i][j], sum);
    }
  for (int q = 0; q < MANY; q++)
    for (int l = 0; l < K; l++) {
      for (int i = 0; i < 260; i++)
        batch_a[q][i][l] = sin(q + 5 * i - l);
      for (int j = 0; j < 270; j++)
        batch_b[q][l][j] = cos(q - j + 3 * l);
    }
  several(260, 270, K);
  for (int q = 0; q < MANY; q++)
    for (int i = 0; i < 260; i++)
      for (int j = 0; j < 270; j++) {
        double sum = 0;
        for (int l = 0; l < K; l++)
          sum += batch_a[q][i][l] * batch_b[q][l][j];
        check("several", i, j, batch_c[q][i][j], sum);
      }
  return wrong != 0;
}
