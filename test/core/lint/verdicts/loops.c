/* Loops over arrays and scalars. `//: NAME VERDICT` begins a program of its own. */
//: antidep proved
int main(void) { int a[1000]; for (int i = 0; i < 1000; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 999; i++) a[i] = a[i + 1] + 1;
  return a[5]; }
//: antidep-buffered nothing
int main(void) { int a[1000], old[1000]; for (int i = 0; i < 1000; i++) old[i] = a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 999; i++) a[i] = old[i + 1] + 1;
  return a[5]; }
//: antidep-by-length proved
int main(int argc, char **argv) { int n = argc > 1 ? atoi(argv[1]) : 100; int *a = malloc((n + 1) * sizeof *a);
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < n; i++) a[i] = a[i + 1];
  free(a); return 0; }
//: flow-of-two proved
void f(double *a, int n) {
#pragma omp parallel for
  for (int i = 2; i < n; i++) a[i] = 0.5 * (a[i - 2] + a[i]); }
//: flow-of-two-strided nothing
void f(double *a, int n) {
#pragma omp parallel for
  for (int i = 2; i < n; i += 4) a[i] = 0.5 * (a[i - 2] + a[i]); }
//: plusplus proved
int f(const int *in, int *out, int n) { int count = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) out[count++] = in[i];
  return count; }
//: plusplus-captured nothing
int f(const int *in, int *out, int n) { int count = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) { int at;
#pragma omp atomic capture
    at = count++;
    out[at] = in[i]; }
  return count; }
//: plusplus-guarded proved
int f(const int *in, int *out, int n) { int count = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) if (in[i] > 0) out[count++] = in[i];
  return count; }
//: private-missing proved
void f(int *a, int n) { int t;
#pragma omp parallel for
  for (int i = 0; i < n; i++) { t = a[i] + i; a[i] = t; } }
//: private-given nothing
void f(int *a, int n) { int t;
#pragma omp parallel for private(t)
  for (int i = 0; i < n; i++) { t = a[i] + i; a[i] = t; } }
//: private-array-missing proved
void f(int *a, int n) { int t[4];
#pragma omp parallel for
  for (int i = 0; i < n; i++) { for (int k = 0; k < 4; k++) t[k] = i + k; a[i] = t[0] * t[3]; } }
//: private-array-given nothing
void f(int *a, int n) { int t[4];
#pragma omp parallel for private(t)
  for (int i = 0; i < n; i++) { for (int k = 0; k < 4; k++) t[k] = i + k; a[i] = t[0] * t[3]; } }
//: inner-counter-shared proved
void f(double m[100][100]) { int i, j;
#pragma omp parallel for
  for (i = 0; i < 100; i++) for (j = 0; j < 100; j++) m[i][j] *= 2; }
//: inner-counter-private nothing
void f(double m[100][100]) { int i, j;
#pragma omp parallel for private(j)
  for (i = 0; i < 100; i++) for (j = 0; j < 100; j++) m[i][j] *= 2; }
//: lastprivate-missing proved
int f(const int *a, int n) { int x = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) x = a[i];
  return x; }
//: lastprivate-given nothing
int f(const int *a, int n) { int x = 0;
#pragma omp parallel for lastprivate(x)
  for (int i = 0; i < n; i++) x = a[i];
  return x; }
//: reduction-missing-in-branch proved
int f(const int *a, int n) { int best = -1;
#pragma omp parallel for
  for (int i = 0; i < n; i++) if (a[i] > best) best = a[i];
  return best; }
//: reduction-max nothing
int f(const int *a, int n) { int best = -1;
#pragma omp parallel for reduction(max : best)
  for (int i = 0; i < n; i++) if (a[i] > best) best = a[i];
  return best; }
//: reduction-nested-missing proved
float f(float u[40][40]) { float temp, sum = 0; int i, j;
#pragma omp parallel for private(temp, i, j)
  for (i = 0; i < 40; i++) for (j = 0; j < 40; j++) { temp = u[i][j]; sum = sum + temp * temp; }
  return sum; }
//: reduction-nested nothing
float f(float u[40][40]) { float temp, sum = 0; int i, j;
#pragma omp parallel for private(temp, i, j) reduction(+ : sum)
  for (i = 0; i < 40; i++) for (j = 0; j < 40; j++) { temp = u[i][j]; sum = sum + temp * temp; }
  return sum; }
//: outputdep proved
int f(int *a, int n) { int x = 10;
#pragma omp parallel for
  for (int i = 0; i < n; i++) { a[i] = x; x = i; }
  return x; }
//: outputdep-mended nothing
int f(int *a, int n) { int x = 10;
#pragma omp parallel for lastprivate(x)
  for (int i = 0; i < n; i++) { x = i; a[i] = x; }
  return x; }
//: doall2 nothing
int a[100][100];
void f(void) { int i, j;
#pragma omp parallel for private(j)
  for (i = 0; i < 100; i++) for (j = 0; j < 100; j++) a[i][j] += 1; }
//: doall2-inner-only nothing
int a[100][100];
void f(void) { for (int i = 0; i < 100; i++)
#pragma omp parallel for
    for (int j = 0; j < 100; j++) a[i][j] = a[i][j] + i; }
//: inner-only-with-carried nothing
void f(double b[50][50]) { for (int i = 1; i < 50; i++)
#pragma omp parallel for
    for (int j = 0; j < 50; j++) b[i][j] = b[i - 1][j]; }
//: collapse-too-deep proved
void f(double b[50][50]) {
#pragma omp parallel for collapse(2)
  for (int i = 1; i < 50; i++) for (int j = 0; j < 50; j++) b[i][j] = b[i - 1][j]; }
//: matrix-vector-inner proved
void f(double a[30][30], double *v, double *out) { for (int i = 0; i < 30; i++) { double sum = 0;
#pragma omp parallel for
    for (int j = 0; j < 30; j++) sum += a[i][j] * v[j];
    out[i] = sum; } }
//: matrix-vector-outer nothing
void f(double a[30][30], double *restrict v, double *restrict out) {
#pragma omp parallel for
  for (int i = 0; i < 30; i++) { double sum = 0; for (int j = 0; j < 30; j++) sum += a[i][j] * v[j]; out[i] = sum; } }
//: matmul nothing
double a[20][20], b[20][20], c[20][20];
void f(void) { int i, j, k;
#pragma omp parallel for private(j, k)
  for (i = 0; i < 20; i++) for (k = 0; k < 20; k++) for (j = 0; j < 20; j++) c[i][j] += a[i][k] * b[k][j]; }
//: matmul-over-k proved
double a[20][20], b[20][20], c[20][20];
void f(void) { int i, j, k;
#pragma omp parallel for private(i, j)
  for (k = 0; k < 20; k++) for (i = 0; i < 20; i++) for (j = 0; j < 20; j++) c[i][j] += a[i][k] * b[k][j]; }
//: transpose-in-place proved
void f(double m[32][32]) {
#pragma omp parallel for
  for (int i = 0; i < 32; i++) for (int j = 0; j < 32; j++) { double t = m[i][j]; m[i][j] = m[j][i]; m[j][i] = t; } }
//: transpose-in-place-triangle nothing
void f(double m[32][32]) {
#pragma omp parallel for
  for (int i = 0; i < 32; i++) for (int j = 0; j < i; j++) { double t = m[i][j]; m[i][j] = m[j][i]; m[j][i] = t; } }
//: jacobi-in-place proved
void f(double u[64][64]) {
#pragma omp parallel for
  for (int i = 1; i < 63; i++) for (int j = 1; j < 63; j++)
    u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]); }
//: jacobi-two-grids nothing
double u[64][64], w[64][64];
void f(void) {
#pragma omp parallel for
  for (int i = 1; i < 63; i++) for (int j = 1; j < 63; j++)
    w[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]); }
//: red-black-rows nothing
void f(double u[64][64], int color) {
#pragma omp parallel for
  for (int i = 1; i < 63; i++) for (int j = 1 + i % 2; j < 63; j += 2)
    u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]); }
//: gauss-seidel-wavefront nothing
void f(double u[64][64]) {
  for (int d = 2; d < 60; d++)
#pragma omp parallel for
    for (int i = 1; i < d; i++) u[i][d - i] = 0.5 * (u[i - 1][d - i] + u[i][d - i - 1]); }
//: wavefront-one-short proved
void f(double u[64][64]) {
  for (int d = 3; d < 60; d++)
#pragma omp parallel for
    for (int i = 1; i < d; i++) u[i][d - i] = 0.5 * (u[i - 1][d - i + 1] + u[i][d - i - 1]); }
//: lu-outer proved
void f(double a[24][24]) {
#pragma omp parallel for
  for (int k = 0; k < 24; k++) for (int i = k + 1; i < 24; i++) { a[i][k] /= a[k][k];
    for (int j = k + 1; j < 24; j++) a[i][j] -= a[i][k] * a[k][j]; } }
//: lu-rows nothing
void f(double a[24][24]) { for (int k = 0; k < 24; k++)
#pragma omp parallel for
    for (int i = k + 1; i < 24; i++) { a[i][k] /= a[k][k];
      for (int j = k + 1; j < 24; j++) a[i][j] -= a[i][k] * a[k][j]; } }
//: struct-member-shared proved
struct acc { double s; int n; };
double f(const double *a, int n) { struct acc t = {0, 0};
#pragma omp parallel for
  for (int i = 0; i < n; i++) { t.s += a[i]; t.n++; }
  return t.s / t.n; }
//: struct-members-apart nothing
struct pair { int left, right; };
void f(struct pair *p, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) { p[i].left = i; p[i].right = p[i].left + 1; } }
//: struct-of-neighbour proved
struct pair { int left, right; };
void f(struct pair *p, int n) {
#pragma omp parallel for
  for (int i = 0; i < n - 1; i++) { p[i].left = i; p[i].right = p[i + 1].left; } }
//: struct-other-member nothing
struct pair { int left, right; };
void f(struct pair *p, int n) {
#pragma omp parallel for
  for (int i = 0; i < n - 1; i++) p[i].right = p[i + 1].left; }
//: remainder-of-known-loop proved
void f(int *a) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++) a[i % 8] = i; }
//: remainder-of-unknown-loop maybe
void f(int *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[i % 8] = i; }
//: masked-of-unknown-loop maybe
void f(int *h, const int *k, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) h[i & 15] += k[i]; }
//: remainder-of-length nothing
void f(int *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[i % n] = i; }
//: quotient-of-unknown-loop proved
void f(int *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[i / 16] = i; }
//: counting-down-nowait-two-ends proved
void f(double *a, double *b, int n) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = n - 1; i >= 0; i--) a[i] = i;
#pragma omp for
    for (int i = 0; i < n; i++) b[i] = a[i];
  } }
//: counting-down-both-nowait nothing
void f(double *a, double *b, int n) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = n - 1; i >= 0; i--) a[i] = i;
#pragma omp for schedule(static)
    for (int i = n - 1; i >= 0; i--) b[i] = a[i];
  } }
//: nowait-then-neighbour proved
void f(double *a, double *b, int n) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++) a[i] = i;
#pragma omp for
    for (int i = 1; i < n; i++) b[i] = a[i - 1];
  } }
//: barrier-then-neighbour nothing
void f(double *a, double *b, int n) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++) a[i] = i;
#pragma omp barrier
#pragma omp for
    for (int i = 1; i < n; i++) b[i] = a[i - 1];
  } }
//: nowait-other-length proved
void f(double *a, double *b) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp for
    for (int i = 0; i < 50; i++) b[i] = a[2 * i];
  } }
