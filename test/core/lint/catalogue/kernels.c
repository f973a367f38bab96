/* Kernels as of PolyBench, and solvers. `//: NAME LABEL` begins a program: yes, it races; no, it does not. */
//: three-products no
#define N 128
static double a[N][N], b[N][N], c[N][N], d[N][N], e[N][N], f[N][N], g[N][N];
int main(void) { int i, j, k;
#pragma omp parallel private(j, k)
  {
#pragma omp for
    for (i = 0; i < N; i++) for (j = 0; j < N; j++) { e[i][j] = 0; for (k = 0; k < N; ++k) e[i][j] += a[i][k] * b[k][j]; }
#pragma omp for
    for (i = 0; i < N; i++) for (j = 0; j < N; j++) { f[i][j] = 0; for (k = 0; k < N; ++k) f[i][j] += c[i][k] * d[k][j]; }
#pragma omp for
    for (i = 0; i < N; i++) for (j = 0; j < N; j++) { g[i][j] = 0; for (k = 0; k < N; ++k) g[i][j] += e[i][k] * f[k][j]; }
  }
  return 0; }
//: three-products-without-waiting yes
#define N 128
static double a[N][N], b[N][N], c[N][N], e[N][N], g[N][N];
int main(void) { int i, j, k;
#pragma omp parallel private(j, k)
  {
#pragma omp for nowait
    for (i = 0; i < N; i++) for (j = 0; j < N; j++) { e[i][j] = 0; for (k = 0; k < N; ++k) e[i][j] += a[i][k] * b[k][j]; }
#pragma omp for
    for (i = 0; i < N; i++) for (j = 0; j < N; j++) { g[i][j] = 0; for (k = 0; k < N; ++k) g[i][j] += c[i][k] * e[k][j]; }
  }
  return 0; }
//: product-in-tiles no
#define N 128
static double a[N][N], b[N][N], c[N][N];
int main(void) { int t1, t2, t3, t4, t5, t6;
#pragma omp parallel for private(t2, t3, t4, t5, t6)
  for (t1 = 0; t1 <= 7; t1++) for (t2 = 0; t2 <= 7; t2++) for (t3 = 0; t3 <= 7; t3++)
    for (t4 = 16 * t1; t4 <= (16 * t1 + 15 < N - 1 ? 16 * t1 + 15 : N - 1); t4++)
      for (t5 = 16 * t3; t5 <= (16 * t3 + 15 < N - 1 ? 16 * t3 + 15 : N - 1); t5++)
        for (t6 = 16 * t2; t6 <= (16 * t2 + 15 < N - 1 ? 16 * t2 + 15 : N - 1); t6++) c[t4][t6] += a[t4][t5] * b[t5][t6];
  return 0; }
//: alternating-directions no
#define N 100
static double x[N][N], a[N][N], b[N][N];
int main(void) { int t, i1, i2;
  for (t = 0; t < 10; t++) {
#pragma omp parallel for private(i2)
    for (i1 = 0; i1 < N; i1++) for (i2 = 1; i2 < N; i2++) {
      x[i1][i2] = x[i1][i2] - x[i1][i2 - 1] * a[i1][i2] / b[i1][i2 - 1];
      b[i1][i2] = b[i1][i2] - a[i1][i2] * a[i1][i2] / b[i1][i2 - 1]; }
#pragma omp parallel for private(i1)
    for (i2 = 0; i2 < N; i2++) for (i1 = 1; i1 < N; i1++) {
      x[i1][i2] = x[i1][i2] - x[i1 - 1][i2] * a[i1][i2] / b[i1 - 1][i2];
      b[i1][i2] = b[i1][i2] - a[i1][i2] * a[i1][i2] / b[i1 - 1][i2]; }
  }
  return 0; }
//: alternating-directions-the-wrong-loop yes
#define N 100
static double x[N][N], a[N][N], b[N][N];
int main(void) { int i1, i2;
#pragma omp parallel for private(i2)
  for (i1 = 1; i1 < N; i1++) for (i2 = 0; i2 < N; i2++) x[i1][i2] = x[i1][i2] - x[i1 - 1][i2] * a[i1][i2] / b[i1 - 1][i2];
  return 0; }
//: jacobi-two-grids no
#define N 500
static double a[N][N], b[N][N];
int main(void) { int t, i, j;
  for (t = 0; t < 20; t++) {
#pragma omp parallel for private(j)
    for (i = 1; i < N - 1; i++) for (j = 1; j < N - 1; j++) b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][1 + j] + a[1 + i][j] + a[i - 1][j]);
#pragma omp parallel for private(j)
    for (i = 1; i < N - 1; i++) for (j = 1; j < N - 1; j++) a[i][j] = b[i][j];
  }
  return 0; }
//: gauss-seidel yes
#define N 500
static double a[N][N];
int main(void) { int t, i, j;
  for (t = 0; t < 20; t++)
#pragma omp parallel for private(j)
    for (i = 1; i < N - 1; i++) for (j = 1; j < N - 1; j++) a[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][1 + j] + a[1 + i][j] + a[i - 1][j]);
  return 0; }
//: red-and-black no
#define N 100
static double a[N][N];
int main(void) {
  for (int c = 0; c < 2; c++)
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++) for (int j = 1 + (i + c) % 2; j < N - 1; j += 2) a[i][j] = 0.25 * (a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
  return 0; }
//: heat-with-swapped-pointers no
void step(double *restrict new, const double *restrict old, int n) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; i++) new[i] = old[i] + 0.1 * (old[i - 1] - 2 * old[i] + old[i + 1]); }
int main(void) { int n = 1000; double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
  for (int t = 0; t < 100; t++) { step(b, a, n); double *swap = a; a = b; b = swap; }
  free(a); free(b); return 0; }
//: heat-in-place yes
int main(void) { int n = 1000; double *a = calloc(n, sizeof *a);
  for (int t = 0; t < 100; t++)
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++) a[i] = a[i] + 0.1 * (a[i - 1] - 2 * a[i] + a[i + 1]);
  free(a); return 0; }
//: triangular-solver-of-rows yes
#define N 100
static double l[N][N], x[N], b[N];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++) { x[i] = b[i]; for (int j = 0; j < i; j++) x[i] -= l[i][j] * x[j]; x[i] /= l[i][i]; }
  return 0; }
//: elimination-below-the-pivot no
#define N 100
static double a[N][N];
int main(void) {
  for (int k = 0; k < N - 1; k++)
#pragma omp parallel for
    for (int i = k + 1; i < N; i++) { a[i][k] /= a[k][k]; for (int j = k + 1; j < N; j++) a[i][j] -= a[i][k] * a[k][j]; }
  return 0; }
//: elimination-of-the-pivot-too yes
#define N 100
static double a[N][N];
int main(void) {
  for (int k = 0; k < N - 1; k++)
#pragma omp parallel for
    for (int i = k; i < N; i++) for (int j = k + 1; j < N; j++) a[i][j] -= a[i][k] * a[k][j];
  return 0; }
//: shortest-paths no
#define N 64
static int d[N][N];
int main(void) {
  for (int k = 0; k < N; k++)
#pragma omp parallel for
    for (int i = 0; i < N; i++) { if (i == k) continue; for (int j = 0; j < N; j++) if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j]; }
  return 0; }
//: covariance no
#define M 50
#define N 80
static double data[N][M], mean[M], cov[M][M];
int main(void) {
#pragma omp parallel for
  for (int j = 0; j < M; j++) { mean[j] = 0; for (int i = 0; i < N; i++) mean[j] += data[i][j]; mean[j] /= N; }
#pragma omp parallel for
  for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) data[i][j] -= mean[j];
#pragma omp parallel for
  for (int j1 = 0; j1 < M; j1++) for (int j2 = j1; j2 < M; j2++) { cov[j1][j2] = 0;
    for (int i = 0; i < N; i++) cov[j1][j2] += data[i][j1] * data[i][j2]; cov[j2][j1] = cov[j1][j2]; }
  return 0; }
//: transpose-in-place no
#define N 100
static double a[N][N];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++) for (int j = i + 1; j < N; j++) { double t = a[i][j]; a[i][j] = a[j][i]; a[j][i] = t; }
  return 0; }
//: transpose-in-place-of-all yes
#define N 100
static double a[N][N];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { double t = a[i][j]; a[i][j] = a[j][i]; a[j][i] = t; }
  return 0; }
//: symmetric-fill yes
#define N 100
static double a[N][N];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { a[i][j] = i; a[j][i] = j; }
  return 0; }
//: symmetric-product no
#define N 100
static double a[N][N], x1[N], x2[N], y[N];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) x1[i] = x1[i] + a[i][j] * y[j];
#pragma omp parallel for
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) x2[i] = x2[i] + a[j][i] * y[j];
  return 0; }
//: transposed-product-by-rows yes
#define N 100
static double a[N][N], x[N], y[N], t[N];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++) { t[i] = 0; for (int j = 0; j < N; j++) t[i] += a[i][j] * x[j];
    for (int j = 0; j < N; j++) y[j] += a[i][j] * t[i]; }
  return 0; }
//: alignment-by-diagonals no
#define N 60
static int h[N + 1][N + 1], s[N][N];
int main(void) {
  for (int d = 2; d <= 2 * N; d++) { int first = d > N ? d - N : 1, last = d > N ? N : d - 1;
#pragma omp parallel for
    for (int i = first; i <= last; i++) { int j = d - i; int best = h[i - 1][j - 1] + s[i - 1][j - 1];
      if (h[i - 1][j] - 1 > best) best = h[i - 1][j] - 1;
      if (h[i][j - 1] - 1 > best) best = h[i][j - 1] - 1;
      h[i][j] = best > 0 ? best : 0; } }
  return 0; }
//: alignment-best-place-shared yes
#define N 60
static int h[N + 1][N + 1], p[N + 1][N + 1];
int at;
static void similar(int i, int j, int *best) { h[i][j] = h[i - 1][j - 1] + 1; p[i][j] = 3; if (h[i][j] > h[0][*best]) *best = j; }
int main(void) {
#pragma omp parallel for
  for (int i = 1; i < N; i++) similar(1, i, &at);
  return 0; }
//: particles-forces-of-pairs yes
#define N 100
static double x[N], f[N];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++) for (int j = i + 1; j < N; j++) { double d = x[i] - x[j]; f[i] += d; f[j] -= d; }
  return 0; }
//: particles-forces-of-all no
#define N 100
static double x[N], f[N];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) if (i != j) f[i] += x[i] - x[j];
  return 0; }
//: odd-even-sort no
#define N 100
static int a[N];
int main(void) {
  for (int t = 0; t < N; t++)
#pragma omp parallel for
    for (int i = t % 2; i < N - 1; i += 2) if (a[i] > a[i + 1]) { int s = a[i]; a[i] = a[i + 1]; a[i + 1] = s; }
  return 0; }
//: bubble-sort yes
#define N 100
static int a[N];
int main(void) {
  for (int t = 0; t < N; t++)
#pragma omp parallel for
    for (int i = 0; i < N - 1; i++) if (a[i] > a[i + 1]) { int s = a[i]; a[i] = a[i + 1]; a[i + 1] = s; }
  return 0; }
//: prefix-sum yes
#define N 100
static int a[N], s[N];
int main(void) { s[0] = a[0];
#pragma omp parallel for
  for (int i = 1; i < N; i++) s[i] = s[i - 1] + a[i];
  return 0; }
//: prefix-sum-by-doubling no
#define N 128
static int a[N], b[N];
int main(void) {
  for (int d = 1; d < N; d *= 2) {
#pragma omp parallel for
    for (int i = 0; i < N; i++) b[i] = i >= d ? a[i] + a[i - d] : a[i];
#pragma omp parallel for
    for (int i = 0; i < N; i++) a[i] = b[i];
  }
  return 0; }
//: prefix-sum-by-doubling-in-place yes
#define N 128
static int a[N];
int main(void) {
  for (int d = 1; d < N; d *= 2)
#pragma omp parallel for
    for (int i = d; i < N; i++) a[i] += a[i - d];
  return 0; }
//: butterflies no
#define N 64
static double re[N];
int main(void) {
  for (int half = 1; half < N; half *= 2)
#pragma omp parallel for
    for (int k = 0; k < N; k++) if ((k & half) == 0) { double u = re[k], v = re[k + half]; re[k] = u + v; re[k + half] = u - v; }
  return 0; }
//: tile-that-reads-its-right yes
int main(void) { double a[64][64]; for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) a[i][j] = i;
#pragma omp parallel for collapse(2)
  for (int ii = 0; ii < 64; ii += 8) for (int jj = 0; jj < 56; jj += 8)
    for (int i = ii; i < ii + 8; i++) for (int j = jj; j < jj + 8; j++) a[i][j] += a[i][j + 8];
  printf("%f\n", a[3][3]); return 0; }
//: tile-of-its-own no
int main(void) { double a[64][64]; for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) a[i][j] = i;
#pragma omp parallel for collapse(2)
  for (int ii = 0; ii < 64; ii += 8) for (int jj = 0; jj < 64; jj += 8)
    for (int i = ii; i < ii + 8; i++) for (int j = jj; j < jj + 8; j++) a[i][j] += a[i][jj + 7 - (j - jj)];
  printf("%f\n", a[3][3]); return 0; }
