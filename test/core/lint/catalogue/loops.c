/* Loops, and what their iterations share. `//: NAME LABEL` begins a program: yes, it races; no, it does not. */
//: antidep yes
int main(void) { int len = 1000, a[1000];
  for (int i = 0; i < len; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < len - 1; i++) a[i] = a[i + 1] + 1;
  printf("%d\n", a[500]); return 0; }
//: antidep-length-given yes
int main(int argc, char **argv) { int len = argc > 1 ? atoi(argv[1]) : 1000; int a[len];
  for (int i = 0; i < len; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < len - 1; i++) a[i] = a[i + 1] + 1;
  return 0; }
//: antidep-of-rows yes
int main(void) { int len = 20; double a[20][20];
  for (int i = 0; i < len; i++) for (int j = 0; j < len; j++) a[i][j] = 0.5;
#pragma omp parallel for
  for (int i = 0; i < len - 1; i++) for (int j = 0; j < len; j++) a[i][j] += a[i + 1][j];
  printf("%f\n", a[10][10]); return 0; }
//: antidep-of-rows-length-given yes
int main(int argc, char **argv) { int len = argc > 1 ? atoi(argv[1]) : 20; double a[len][len];
  for (int i = 0; i < len; i++) for (int j = 0; j < len; j++) a[i][j] = 0.5;
#pragma omp parallel for
  for (int i = 0; i < len - 1; i++) for (int j = 0; j < len; j++) a[i][j] += a[i + 1][j];
  return 0; }
//: indirect-sets-that-meet yes
static int at[12] = {3, 5, 7, 9, 11, 13, 15, 17, 15, 21, 23, 25};
int main(void) { double *base = malloc(sizeof(double) * 60); double *one = base, *two = base + 12;
  for (int i = 0; i < 60; i++) base[i] = 0.5 * i;
#pragma omp parallel for
  for (int i = 0; i < 12; i++) { int k = at[i]; one[k] += 1.0; two[k] += 3.0; }
  free(base); return 0; }
//: indirect-sets-apart-by-a-distance-that-meets yes
static int at[6] = {0, 4, 8, 12, 16, 20};
int main(void) { double *base = malloc(sizeof(double) * 64); double *one = base, *two = base + 12;
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 6; i++) { int k = at[i]; one[k] += 1.0; two[k] += 3.0; }
  free(base); return 0; }
//: indirect-sets-that-share-a-base no
static int at[6] = {0, 4, 8, 12, 16, 20};
int main(void) { double *base = malloc(sizeof(double) * 64); double *one = base, *two = base + 1;
#pragma omp parallel for
  for (int i = 0; i < 6; i++) { int k = at[i]; one[k] += 1.0; two[k] += 3.0; }
  free(base); return 0; }
//: lastprivate-missing yes
int main(void) { int i, x;
#pragma omp parallel for private(i)
  for (i = 0; i < 100; i++) x = i;
  printf("%d", x); return 0; }
//: lastprivate no
int main(void) { int i, x;
#pragma omp parallel for private(i) lastprivate(x)
  for (i = 0; i < 100; i++) x = i;
  printf("%d", x); return 0; }
//: counter-decremented yes
int main(void) { int in[100], out[100], left = 100;
  for (int i = 0; i < 100; i++) in[i] = i % 2 ? -5 : 5;
#pragma omp parallel for
  for (int i = 0; i < 100; i++) if (in[i] > 0) { left--; out[i] = in[i]; }
  printf("%d\n", left); return 0; }
//: counter-incremented-for-places yes
int main(void) { int in[1000], out[1000], outs = 0;
  for (int i = 0; i < 1000; i++) in[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 1000; i++) out[outs++] = in[i];
  printf("%d", out[500]); return 0; }
//: counter-incremented-for-places-length-given yes
int main(int argc, char **argv) { int n = argc > 1 ? atoi(argv[1]) : 1000; int in[n], out[n], outs = 0;
  for (int i = 0; i < n; i++) in[i] = i;
#pragma omp parallel for
  for (int i = 0; i < n; i++) out[outs++] = in[i];
  return 0; }
//: nowait-behind-a-loop yes
int main(void) { int error, b = 5, len = 1000; int a[1000];
  for (int i = 0; i < len; i++) a[i] = i;
#pragma omp parallel shared(b, error)
  {
#pragma omp for nowait
    for (int i = 0; i < len; i++) a[i] = b + a[i] * 5;
#pragma omp single
    error = a[9] + 1;
  }
  printf("%d\n", error); return 0; }
//: nowait-then-a-barrier no
int main(void) { int error, b = 5, len = 1000; int a[1000];
  for (int i = 0; i < len; i++) a[i] = i;
#pragma omp parallel shared(b, error)
  {
#pragma omp for nowait
    for (int i = 0; i < len; i++) a[i] = b + a[i] * 5;
#pragma omp barrier
#pragma omp single
    error = a[9] + 1;
  }
  printf("%d\n", error); return 0; }
//: column-below-zero-is-the-row-before yes
int main(void) { int n = 100, m = 100; double b[100][100];
#pragma omp parallel for
  for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) b[i][j] = b[i][j - 1];
  printf("%f\n", b[50][50]); return 0; }
//: column-below-zero-length-given yes
int main(int argc, char **argv) { int n = argc > 1 ? atoi(argv[1]) : 100, m = n; double b[n][m];
#pragma omp parallel for
  for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) b[i][j] = b[i][j - 1];
  return 0; }
//: output-dependence-of-a-scalar yes
int a[100];
int main(void) { int len = 100, x = 10;
#pragma omp parallel for
  for (int i = 0; i < len; i++) { a[i] = x; x = i; }
  printf("%d %d", x, a[0]); return 0; }
//: output-dependence-length-given yes
int main(int argc, char **argv) { int len = argc > 1 ? atoi(argv[1]) : 100, x = 10; int a[len];
#pragma omp parallel for
  for (int i = 0; i < len; i++) { a[i] = x; x = i; }
  printf("%d", x); return 0; }
//: private-missing yes
int main(void) { int tmp, len = 100, a[100];
  for (int i = 0; i < len; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < len; i++) { tmp = a[i] + i; a[i] = tmp; }
  printf("%d\n", a[50]); return 0; }
//: private-missing-length-given yes
int main(int argc, char **argv) { int tmp, len = argc > 1 ? atoi(argv[1]) : 100; int a[len];
  for (int i = 0; i < len; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < len; i++) { tmp = a[i] + i; a[i] = tmp; }
  return 0; }
//: reduction-missing-in-rows yes
int main(void) { int len = 100; float temp, u[100][100], sum = 0.0;
  for (int i = 0; i < len; i++) for (int j = 0; j < len; j++) u[i][j] = 0.5;
#pragma omp parallel for private(temp)
  for (int i = 0; i < len; i++) for (int j = 0; j < len; j++) { temp = u[i][j]; sum = sum + temp * temp; }
  printf("%f\n", sum); return 0; }
//: reduction-in-rows no
int main(void) { int len = 100; float temp, u[100][100], sum = 0.0;
  for (int i = 0; i < len; i++) for (int j = 0; j < len; j++) u[i][j] = 0.5;
#pragma omp parallel for private(temp) reduction(+ : sum)
  for (int i = 0; i < len; i++) for (int j = 0; j < len; j++) { temp = u[i][j]; sum = sum + temp * temp; }
  printf("%f\n", sum); return 0; }
//: inner-counter-shared yes
int main(void) { int i, j; static double a[1000][1000];
#pragma omp parallel for
  for (i = 0; i < 1000; i++) for (j = 0; j < 1000; j++) a[i][j] = i + j;
  return 0; }
//: inner-counter-shared-and-summed yes
int main(void) { int i, j, n = 100; double u[100][100];
#pragma omp parallel for
  for (i = 0; i < n; i++) for (j = 0; j < n; j++) u[i][j] = u[i][j] + 1;
  return 0; }
//: truedep yes
int main(void) { int len = 100, a[100];
  for (int i = 0; i < len; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < len - 1; i++) a[i + 1] = a[i] + 1;
  printf("%d\n", a[50]); return 0; }
//: truedep-of-rows yes
int main(void) { int n = 100, m = 100; double b[100][100];
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i][j] = 0.5;
#pragma omp parallel for
  for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) b[i][j] = b[i - 1][j - 1];
  return 0; }
//: truedep-linear yes
int main(void) { int a[2000];
  for (int i = 0; i < 2000; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 1000; i++) a[2 * i + 1] = a[i] + 1;
  printf("%d", a[1001]); return 0; }
//: truedep-linear-length-given yes
int main(int argc, char **argv) { int len = argc > 1 ? atoi(argv[1]) : 2000; int a[len];
#pragma omp parallel for
  for (int i = 0; i < len / 2; i++) a[2 * i + 1] = a[i] + 1;
  return 0; }
//: truedep-of-a-scalar yes
int main(void) { int len = 100, tmp = 10, a[100];
#pragma omp parallel for
  for (int i = 0; i < len; i++) { a[i] = tmp; tmp = a[i] + i; }
  printf("%d", a[50]); return 0; }
//: truedep-in-the-inner-loop-that-is-shared-out yes
int main(void) { int n = 1000, m = 1000; static double b[1000][1000];
  for (int i = 0; i < n; i++)
#pragma omp parallel for
    for (int j = 1; j < m; j++) b[i][j] = b[i][j - 1];
  return 0; }
//: truedep-of-one-element yes
int main(void) { int len = 1000, a[1000]; a[0] = 2;
#pragma omp parallel for
  for (int i = 0; i < len; i++) a[i] = a[i] + a[0];
  printf("%d", a[500]); return 0; }
//: truedep-of-one-element-length-given yes
int main(int argc, char **argv) { int len = argc > 1 ? atoi(argv[1]) : 1000; int a[len]; a[0] = 2;
#pragma omp parallel for
  for (int i = 0; i < len; i++) a[i] = a[i] + a[0];
  return 0; }
//: doall no
int a[100];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++) a[i] = a[i] + 1;
  return 0; }
//: doall-of-rows no
int a[100][100];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++) for (int j = 0; j < 100; j++) a[i][j] = a[i][j] + 1;
  return 0; }
//: doall-of-characters no
char a[100];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++) a[i] = a[i] + 1;
  return 0; }
//: doall-inner-counter-at-file-scope yes
int a[100][100]; int i, j;
int main(void) {
#pragma omp parallel for
  for (i = 0; i < 100; i++) for (j = 0; j < 100; j++) a[i][j] = a[i][j] + 1;
  return 0; }
//: doall-collapsed no
int a[100][100]; int i, j;
int main(void) {
#pragma omp parallel for collapse(2)
  for (i = 0; i < 100; i++) for (j = 0; j < 100; j++) a[i][j] = a[i][j] + 1;
  return 0; }
//: firstprivate no
void scale(int *a, int n, int g) {
#pragma omp parallel for firstprivate(g)
  for (int i = 0; i < n; i++) a[i] = a[i] + g; }
int a[100];
int main(void) { scale(a, 100, 7); return 0; }
//: prints-in-a-loop no
int main(void) { int len = 1000, a[1000];
  for (int i = 0; i < len; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < len; i++) printf("%d\n", a[i]);
  return 0; }
//: function-parameters no
void make(double out[], int len) { double value;
#pragma omp parallel for private(value)
  for (int i = 0; i < len; i++) { value = i * i; out[i] = value + 1; } }
double out[100];
int main(void) { make(out, 100); return 0; }
//: thread-number-private no
int main(void) { int n;
#pragma omp parallel private(n)
  { n = omp_get_thread_num(); printf("%d\n", n); }
  return 0; }
//: thread-number-shared yes
int main(void) { int n = 0;
#pragma omp parallel
  { if (omp_get_thread_num() == 0) n = omp_get_num_threads(); else printf("%d\n", n); }
  printf("%d\n", n); return 0; }
//: team-size-by-all yes
int main(void) { int n = 0;
#pragma omp parallel
  { n = omp_get_num_threads(); }
  printf("%d\n", n); return 0; }
//: inner-loop-alone no
int main(void) { int n = 100, m = 100; double a[100][100];
  for (int i = 0; i < n - 1; i++)
#pragma omp parallel for
    for (int j = 0; j < m; j++) a[i][j] += a[i + 1][j];
  return 0; }
//: outer-loop-alone no
double b[100][100];
int main(void) { int n = 100, m = 100;
#pragma omp parallel for
  for (int i = 0; i < n; i++) for (int j = 0; j < m - 1; j++) b[i][j] = b[i][j + 1];
  return 0; }
//: outer-loop-alone-truedep-inside no
double b[100][100];
void f(int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) b[i][j] = b[i][j - 1]; }
int main(void) { f(100, 100); return 0; }
//: jacobi-first-values no
#define M 200
double u[M][M], f[M][M]; int n = M, m = M; double alpha = 0.05;
void start(void) { int i, j, xx, yy; double dx = 2.0 / (n - 1), dy = 2.0 / (m - 1);
#pragma omp parallel for private(i, j, xx, yy)
  for (i = 0; i < n; i++) for (j = 0; j < m; j++) {
    xx = (int)(-1.0 + dx * (i - 1)); yy = (int)(-1.0 + dy * (j - 1));
    u[i][j] = 0.0; f[i][j] = -1.0 * alpha * (1.0 - xx * xx) * (1.0 - yy * yy); } }
int main(void) { start(); return 0; }
//: jacobi-kernel no
#define M 200
double u[M][M], f[M][M], old[M][M]; int n = M, m = M, most = 1000;
int main(void) { double omega = 0.8, error = 10.0, tol = 1e-10, ax = 1, ay = 2, b = 3, resid; int i, j, k = 1;
  while (k <= most && error > tol) { error = 0.0;
#pragma omp parallel
    {
#pragma omp for private(i, j)
      for (i = 0; i < n; i++) for (j = 0; j < m; j++) old[i][j] = u[i][j];
#pragma omp for private(i, j, resid) reduction(+ : error) nowait
      for (i = 1; i < n - 1; i++) for (j = 1; j < m - 1; j++) {
        resid = (ax * (old[i - 1][j] + old[i + 1][j]) + ay * (old[i][j - 1] + old[i][j + 1]) + b * old[i][j] - f[i][j]) / b;
        u[i][j] = old[i][j] - omega * resid; error = error + resid * resid; }
    }
    k = k + 1; error = sqrt(error) / (n * m); }
  return 0; }
//: matrix-product no
#define N 100
double a[N][N], b[N][N], c[N][N];
int main(void) { int i, j, k;
#pragma omp parallel for private(j, k)
  for (i = 0; i < N; i++) for (k = 0; k < N; k++) for (j = 0; j < N; j++) c[i][j] = c[i][j] + a[i][k] * b[k][j];
  return 0; }
//: matrix-vector no
double a[100][100], v[100], out[100];
void mv(void) { int i, j;
#pragma omp parallel for private(i, j)
  for (i = 0; i < 100; i++) { float sum = 0.0; for (j = 0; j < 100; j++) sum += a[i][j] * v[j]; out[i] = sum; } }
int main(void) { mv(); return 0; }
//: matrix-vector-inner no
double a[1000][1000], v[1000], out[1000];
void mv(void) { int i, j;
  for (i = 0; i < 1000; i++) { float sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (j = 0; j < 1000; j++) sum += a[i][j] * v[j];
    out[i] = sum; } }
int main(void) { mv(); return 0; }
//: pi-by-reduction no
long long steps = 2000000000;
int main(void) { double x, interval = 1.0 / steps, pi = 0.0; long long i;
#pragma omp parallel for reduction(+ : pi) private(x)
  for (i = 0; i < steps; i++) { x = (i + 0.5) * interval; pi += 1.0 / (x * x + 1.0); }
  printf("%f\n", pi * 4.0 * interval); return 0; }
//: two-allocations no
void fill(int n) { double *m = malloc(n * sizeof(double)), *p = malloc(n * sizeof(double));
#pragma omp parallel for
  for (int i = 0; i < n; ++i) { m[i] = i; p[i] = i * i; }
  free(m); free(p); }
int main(void) { fill(1000); return 0; }
//: restrict-pointers no
typedef double real;
void f(real *restrict x, real *restrict y, real *restrict z, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) z[i] = x[i] + y[i] * 2; }
int main(void) { real *x = malloc(800), *y = malloc(800), *z = malloc(800); f(x, y, z, 100); return 0; }
//: restrict-pointers-of-a-caller no
void init(int n, int *restrict a, int *restrict b, int *restrict c) {
  for (int i = 0; i < n; i++) { a[i] = 1; b[i] = i; c[i] = i * i; }
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[i] = b[i] + c[i]; }
int main(void) { int n = 1000; int *a = malloc(n * 4), *b = malloc(n * 4), *c = malloc(n * 4); init(n, a, b, c); return 0; }
//: ordered-missing yes
int main(void) { int x = 0;
#pragma omp parallel for ordered
  for (int i = 0; i < 100; ++i) x++;
  printf("%d\n", x); return 0; }
//: ordered no
int main(void) { int x = 0;
#pragma omp parallel for ordered
  for (int i = 0; i < 100; ++i) {
#pragma omp ordered
    { x++; }
  }
  printf("%d\n", x); return 0; }
//: ordered-of-two-loops no
int a[100][100];
int main(void) {
#pragma omp parallel for ordered(2)
  for (int i = 0; i < 100; i++) for (int j = 0; j < 100; j++) { a[i][j] = a[i][j] + 1;
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
    printf("%d\n", a[i][j]);
#pragma omp ordered depend(source)
  }
  return 0; }
//: ordered-waits-for-the-wrong-one yes
int main(void) { int a[100]; for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp parallel for ordered(1)
  for (int i = 1; i < 100; i++) {
#pragma omp ordered depend(sink : i - 2)
    a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
  }
  return 0; }
//: ordered-waits-for-the-one-before no
int main(void) { int a[100]; for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp parallel for ordered(1)
  for (int i = 1; i < 100; i++) {
#pragma omp ordered depend(sink : i - 1)
    a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
  }
  return 0; }
//: linear-missing yes
int main(void) { int len = 100, j = 0; double a[100], b[100], c[100];
  for (int i = 0; i < len; i++) { a[i] = i / 2.0; b[i] = i / 3.0; c[i] = i / 7.0; }
#pragma omp parallel for
  for (int i = 0; i < len; i++) { c[j] += a[i] * b[i]; j++; }
  printf("%f\n", c[50]); return 0; }
//: linear no
int main(void) { int len = 100, j = 0; double a[100], b[100], c[100];
#pragma omp parallel for linear(j)
  for (int i = 0; i < len; i++) { c[j] += a[i] * b[i]; j++; }
  printf("%f\n", c[50]); return 0; }
//: default-none no
int a[100][100], b[100][100];
int main(void) { int i, j;
#pragma omp parallel for default(none) shared(a) private(i, j)
  for (i = 0; i < 100; i++) for (j = 0; j < 100; j++) a[i][j] = a[i][j] + 1;
#pragma omp parallel for default(shared) private(i, j)
  for (i = 0; i < 100; i++) for (j = 0; j < 100; j++) b[i][j] = b[i][j] + 1;
  return 0; }
//: if-on-a-random-number yes
int rand(void);
int main(void) { int len = 100, a[100];
  for (int i = 0; i < len; i++) a[i] = i;
#pragma omp parallel for if (rand() % 2)
  for (int i = 0; i < len - 1; i++) a[i + 1] = a[i] + 1;
  return 0; }
//: reduction-twice no
int main(void) { int sum1 = 0, sum2 = 0;
#pragma omp parallel reduction(+ : sum1) num_threads(5)
  {
    sum1 = sum1 + 1;
#pragma omp for reduction(+ : sum2)
    for (int i = 1; i <= 5; i++) { sum1 += i; sum2 += i; }
  }
  printf("%d %d\n", sum1, sum2); return 0; }
//: reduction-with-nowait-and-no-barrier yes
int main(void) { int a, i;
#pragma omp parallel shared(a) private(i)
  {
#pragma omp master
    a = 0;
#pragma omp for reduction(+ : a)
    for (i = 0; i < 10; i++) a = a + i;
#pragma omp single
    printf("%d\n", a);
  }
  return 0; }
//: reduction-behind-a-barrier no
int main(void) { int a, i;
#pragma omp parallel shared(a) private(i)
  {
#pragma omp master
    a = 0;
#pragma omp barrier
#pragma omp for reduction(+ : a)
    for (i = 0; i < 10; i++) a = a + i;
#pragma omp single
    printf("%d\n", a);
  }
  return 0; }
//: nested-loops-collapsed no
int main(void) { int a[10][20], i, j, k;
#pragma omp parallel for ordered(2) private(i, j, k) schedule(static)
  for (i = 0; i < 9; i++) for (j = 0; j < 19; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
    a[i][j] = 1; a[i][j + 1] = 2;
#pragma omp ordered depend(source)
  }
  return 0; }
//: min-in-a-critical-alone yes
int main(void) { int a[100], low = 100;
  for (int i = 0; i < 100; i++) a[i] = 99 - i;
#pragma omp parallel for
  for (int i = 0; i < 100; i++) if (a[i] < low) low = a[i];
  printf("%d\n", low); return 0; }
//: histogram yes
int main(void) { int bins[8] = {0}, a[1000];
  for (int i = 0; i < 1000; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 1000; i++) bins[i % 8]++;
  printf("%d\n", bins[3]); return 0; }
//: histogram-by-reduction no
int main(void) { int bins[8] = {0};
#pragma omp parallel for reduction(+ : bins)
  for (int i = 0; i < 1000; i++) bins[i % 8]++;
  printf("%d\n", bins[3]); return 0; }
//: input-above-a-number-races yes
int main(int argc, char **argv) { int n = argc > 1 ? atoi(argv[1]) : 100; int a[1000];
  for (int i = 0; i < 1000; i++) a[i] = i;
  if (n > 200)
#pragma omp parallel for
    for (int i = 0; i < 999; i++) a[i] = a[i + 1];
  return 0; }
//: input-below-which-nothing-is-written yes
int main(int argc, char **argv) { int n = argc > 1 ? atoi(argv[1]) : 1000, a[1000], b[1000];
  for (int i = 0; i < 1000; i++) a[i] = b[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 999; i++) { a[i] = b[i + 1]; if (n > 10000) a[0] = i; }
  return 0; }
//: loop-of-one-turn no
int main(void) { int a[10] = {0}, s = 0;
#pragma omp parallel for
  for (int i = 0; i < 1; i++) s += a[i];
  return s; }
//: strides-apart no
int main(void) { int a[200];
#pragma omp parallel for
  for (int i = 0; i < 100; i++) { a[2 * i] = i; a[2 * i + 1] = a[2 * i] + 1; }
  return a[3]; }
//: strides-that-meet yes
int main(void) { int a[400];
#pragma omp parallel for
  for (int i = 0; i < 100; i++) { a[2 * i] = i; a[3 * i + 1] = 1; }
  return a[3]; }
//: rows-of-one-block-that-overlap yes
int main(void) { int n = 8, m = 10; double *block = malloc(100 * sizeof(double)); double *row[8];
  for (int i = 0; i < n; i++) row[i] = block + 8 * i;
#pragma omp parallel for
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) row[i][j] = i;
  free(block); return 0; }
//: rows-of-one-block no
int main(void) { int n = 8, m = 10; double *block = malloc(100 * sizeof(double)); double *row[8];
  for (int i = 0; i < n; i++) row[i] = block + 10 * i;
#pragma omp parallel for
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) row[i][j] = i;
  free(block); return 0; }
//: two-rows-that-overlap-by-two yes
int main(void) { int *p[2], s[20];
  p[0] = &s[0]; p[1] = &s[8];
#pragma omp parallel for
  for (int i = 0; i < 2; i++) for (int j = 0; j < 10; j++) p[i][j] = i + j;
  return 0; }
//: two-rows-side-by-side no
int main(void) { int *p[2], s[20];
  p[0] = &s[0]; p[1] = &s[10];
#pragma omp parallel for
  for (int i = 0; i < 2; i++) for (int j = 0; j < 10; j++) p[i][j] = i + j;
  return 0; }
//: pointers-one-from-the-second-turn-on yes
int main(void) { int n = 100; double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (int t = 0; t < 10; t++) {
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++) a[i] = b[i + 1];
    a = b;
  }
  return 0; }
//: pointers-swapped-each-turn no
int main(void) { int n = 100; double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c;
  for (int t = 0; t < 10; t++) {
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++) a[i] = b[i + 1];
    c = a; a = b; b = c;
  }
  return 0; }
//: pointers-one-before-the-loop yes
int main(void) { int n = 100; double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  free(b); b = a;
#pragma omp parallel for
  for (int i = 0; i < n - 1; i++) a[i] = b[i + 1];
  return 0; }
//: dynamic-schedule-and-nowait yes
int main(void) { int n = 100; double a[100], b[100];
#pragma omp parallel
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < n; i++) a[i] = i;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) b[i] = a[i];
  }
  return 0; }
//: static-schedule-and-nowait no
int main(void) { int n = 100; double a[100], b[100];
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++) a[i] = i;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) b[i] = a[i];
  }
  return 0; }
//: pointers-one-in-a-branch-and-another-in-the-other no
int main(int argc, char **argv) { int n = 100; double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *p = 0;
  if (argc > 1) { p = a; printf("%p\n", (void *)p); }
  else { p = b;
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++) p[i] = a[i + 1];
  }
  return 0; }
//: pointers-one-and-then-not no
int main(void) { int n = 100; double *a = malloc(n * sizeof *a), *b = a;
  b = malloc(n * sizeof *b);
#pragma omp parallel for
  for (int i = 0; i < n - 1; i++) a[i] = b[i + 1];
  return 0; }
//: pointers-kept-from-the-turn-before no
int main(void) { int n = 100; double *a = malloc(n * sizeof *a), *old = malloc(n * sizeof *old);
  for (int t = 0; t < 10; t++) {
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++) a[i] = old[i + 1];
    free(old); old = a; a = malloc(n * sizeof *a);
  }
  return 0; }
//: pointers-one-if-they-are-not no
int main(void) { int n = 100; double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (int t = 0; t < 10; t++) {
    if (a != b) {
#pragma omp parallel for
      for (int i = 0; i < n - 1; i++) a[i] = b[i + 1];
    }
    a = b;
  }
  return 0; }
//: pointers-one-in-the-only-turn no
int main(void) { int n = 100; double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (int t = 0; t < 1; t++) {
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++) a[i] = b[i + 1];
    a = b;
  }
  return 0; }
//: pointer-moved-over-the-array no
int main(void) { double a[100], *p = a;
  for (int t = 0; t < 10; t++) {
#pragma omp parallel for
    for (int i = 0; i < 10; i++) p[i] = a[i];
    p += 10;
  }
  return 0; }
//: rows-of-one-block-of-any-length no
void f(int n, int m) { double *block = malloc(n * m * sizeof(double)); double *row[n];
  for (int i = 0; i < n; i++) row[i] = block + m * i;
#pragma omp parallel for
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) row[i][j] = i;
  free(block); }
//: rows-of-one-block-one-of-them-set-again no
int main(void) { double block[100], other[10]; double *row[8];
  for (int i = 0; i < 8; i++) row[i] = block + 8 * i;
  row[0] = other;
#pragma omp parallel for
  for (int i = 0; i < 2; i++) for (int j = 0; j < 10; j++) row[i][j] = i;
  return 0; }
//: scan-inclusive no
int main(void) { int a[100], b[100], s = 0; for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp parallel for reduction(inscan, + : s)
  for (int i = 0; i < 100; i++) { s += a[i];
#pragma omp scan inclusive(s)
    b[i] = s; }
  printf("%d\n", b[99]); return 0; }
//: scan-by-hand yes
int main(void) { int a[100], b[100], s = 0; for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 100; i++) { s += a[i]; b[i] = s; }
  printf("%d\n", b[99]); return 0; }
//: triangle-collapsed no
int main(void) { double a[40][40];
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 40; i++) for (int j = 0; j < i; j++) a[i][j] = i - j;
  printf("%f\n", a[3][2]); return 0; }
//: triangle-collapsed-that-mirrors-itself yes
int main(void) { double a[40][40];
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 40; i++) for (int j = 0; j <= i; j++) { a[i][j] = i - j; a[j][i] = a[i][j] + a[j][j]; }
  printf("%f\n", a[3][2]); return 0; }
//: flat-rows-with-the-wrong-stride yes
int main(void) { double *a = malloc(40 * 30 * 8);
#pragma omp parallel for
  for (int i = 0; i < 40; i++) for (int j = 0; j < 30; j++) a[i * 29 + j] = i - j;
  printf("%f\n", a[3]); free(a); return 0; }
//: flat-rows no
int main(void) { double *a = malloc(40 * 30 * 8);
#pragma omp parallel for
  for (int i = 0; i < 40; i++) for (int j = 0; j < 30; j++) a[i * 30 + j] = i - j;
  printf("%f\n", a[3]); free(a); return 0; }
//: bits-of-one-word yes
int main(void) { unsigned set[4] = {0};
#pragma omp parallel for
  for (int i = 0; i < 128; i++) set[i / 32] |= 1u << i % 32;
  printf("%u\n", set[1]); return 0; }
//: bits-of-one-word-atomic no
int main(void) { unsigned set[4] = {0};
#pragma omp parallel for
  for (int i = 0; i < 128; i++) {
#pragma omp atomic
    set[i / 32] |= 1u << i % 32; }
  printf("%u\n", set[1]); return 0; }
//: bits-of-a-word-of-each no
int main(void) { unsigned set[4] = {0};
#pragma omp parallel for
  for (int w = 0; w < 4; w++) for (int i = 0; i < 32; i++) set[w] |= 1u << i;
  printf("%u\n", set[1]); return 0; }
//: found-first-of-all yes
int main(void) { int a[100], first = -1; for (int i = 0; i < 100; i++) a[i] = i * 7 % 13;
#pragma omp parallel for
  for (int i = 0; i < 100; i++) if (a[i] > 5 && first < 0) first = i;
  printf("%d\n", first); return 0; }
//: found-first-by-min no
int main(void) { int a[100], first = 100; for (int i = 0; i < 100; i++) a[i] = i * 7 % 13;
#pragma omp parallel for reduction(min : first)
  for (int i = 0; i < 100; i++) if (a[i] > 5 && i < first) first = i;
  printf("%d\n", first); return 0; }
//: cells-by-their-members no
struct cell { double v; int n; };
int main(void) { struct cell c[60]; for (int i = 0; i < 60; i++) c[i] = (struct cell){i, 0};
#pragma omp parallel for
  for (int i = 1; i < 59; i++) c[i].n = c[i - 1].v > c[i + 1].v;
  printf("%d\n", c[5].n); return 0; }
//: cells-by-one-member yes
struct cell { double v; int n; };
int main(void) { struct cell c[60]; for (int i = 0; i < 60; i++) c[i] = (struct cell){i, 0};
#pragma omp parallel for
  for (int i = 1; i < 59; i++) c[i].v = 0.5 * (c[i - 1].v + c[i + 1].v);
  printf("%f\n", c[5].v); return 0; }
//: pairs-swapped no
int main(void) { int a[90]; for (int i = 0; i < 90; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 45; i++) { int h = a[2 * i]; a[2 * i] = a[2 * i + 1]; a[2 * i + 1] = h; }
  printf("%d\n", a[8]); return 0; }
//: neighbours-swapped yes
int main(void) { int a[91]; for (int i = 0; i < 91; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 90; i++) { int h = a[i]; a[i] = a[i + 1]; a[i + 1] = h; }
  printf("%d\n", a[8]); return 0; }
//: reversed-in-place no
int main(void) { int a[90]; for (int i = 0; i < 90; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 45; i++) { int h = a[i]; a[i] = a[89 - i]; a[89 - i] = h; }
  printf("%d\n", a[8]); return 0; }
//: reversed-in-place-all-the-way yes
int main(void) { int a[90]; for (int i = 0; i < 90; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 90; i++) { int h = a[i]; a[i] = a[89 - i]; a[89 - i] = h; }
  printf("%d\n", a[8]); return 0; }
//: reduction-of-array-section no
int main(void) { int h[8] = {0}, a[200]; for (int i = 0; i < 200; i++) a[i] = i * 3 % 8;
#pragma omp parallel for reduction(+ : h[0 : 8])
  for (int i = 0; i < 200; i++) h[a[i]]++;
  printf("%d\n", h[3]); return 0; }
//: reduction-of-half-an-array-by-mask yes
int main(void) { int h[8] = {0}, a[200]; for (int i = 0; i < 200; i++) a[i] = i * 3 % 8;
#pragma omp parallel for
  for (int i = 0; i < 200; i++) h[i & 7]++;
  printf("%d\n", h[3]); return 0; }
//: modulo-elements yes
int main(void) { double part[16] = {0};
#pragma omp parallel for
  for (int i = 0; i < 400; i++) part[i % 16] += i;
  printf("%f\n", part[3]); return 0; }
//: modulo-elements-by-an-outer-loop no
int main(void) { double part[16] = {0};
#pragma omp parallel for
  for (int k = 0; k < 16; k++) for (int i = k; i < 400; i += 16) part[i % 16] += i;
  printf("%f\n", part[3]); return 0; }
