/* What devices have of the host's data. `//: NAME LABEL` begins a program: yes, it has a fault; no, it has none. */
//: product-without-map yes
#define N 512
int main(void) { int *a = malloc(N * 4), *b = malloc(N * N * 4), *c = malloc(N * 4);
  for (int i = 0; i < N; i++) { a[i] = 1; c[i] = 0; for (int j = 0; j < N; j++) b[j + i * N] = 1; }
#pragma omp target map(to : a[0 : N]) map(tofrom : c[0 : N])
#pragma omp teams distribute parallel for
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) c[i] += b[j + i * N] * a[j];
  for (int i = 0; i < N; i++) if (c[i] != N) printf("wrong\n");
  return 0; }
//: product no
#define N 512
int main(void) { int *a = malloc(N * 4), *b = malloc(N * N * 4), *c = malloc(N * 4);
  for (int i = 0; i < N; i++) { a[i] = 1; c[i] = 0; for (int j = 0; j < N; j++) b[j + i * N] = 1; }
#pragma omp target map(to : a[0 : N], b[0 : N * N]) map(tofrom : c[0 : N])
#pragma omp teams distribute parallel for
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) c[i] += b[j + i * N] * a[j];
  for (int i = 0; i < N; i++) if (c[i] != N) printf("wrong\n");
  return 0; }
//: product-map-too-short yes
#define N 512
int main(void) { int *a = malloc(N * 4), *b = malloc(N * N * 4), *c = malloc(N * 4);
  for (int i = 0; i < N; i++) { a[i] = 1; c[i] = 0; for (int j = 0; j < N; j++) b[j + i * N] = 1; }
#pragma omp target map(to : a[0 : N], b[0 : N]) map(tofrom : c[0 : N])
#pragma omp teams distribute parallel for
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) c[i] += b[j + i * N] * a[j];
  return c[3]; }
//: product-map-longer-than-the-allocation yes
#define N 512
int main(void) { int *a = malloc(N * 4), *b = malloc(N * N * 4), *c = malloc(N * 4);
  for (int i = 0; i < N; i++) { a[i] = 1; c[i] = 0; for (int j = 0; j < N; j++) b[j + i * N] = 1; }
#pragma omp target map(to : a[0 : N * N], b[0 : N * N]) map(tofrom : c[0 : N])
#pragma omp teams distribute parallel for
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) c[i] += b[j + i * N] * a[j];
  return c[3]; }
//: map-longer-than-the-array yes
int main(void) { int *a = malloc(400);
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target map(tofrom : a[0 : 200])
  for (int i = 0; i < 100; i++) a[i]++;
  return a[3]; }
//: map-of-the-second-half-longer-than-the-array yes
int main(void) { int *a = malloc(400);
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target map(tofrom : a[50 : 100])
  for (int i = 50; i < 100; i++) a[i]++;
  return a[53]; }
//: map-of-the-second-half no
int main(void) { int a[100];
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target map(tofrom : a[50 : 50])
  for (int i = 50; i < 100; i++) a[i]++;
  return a[53]; }
//: map-of-one-element-as-a-first-and-last yes
int main(void) { int a[100];
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target map(tofrom : a[10 : 20])
  for (int i = 10; i < 40; i++) a[i]++;
  return a[3]; }
//: loop-beyond-the-map-and-the-array yes
int main(void) { int n = 100, *a = malloc(400);
#pragma omp target map(tofrom : a[0 : n])
  for (int i = 0; i <= n; i++) a[i] = i;
  return a[3]; }
//: loop-below-zero yes
int main(void) { int n = 100, *a = malloc(400), *b = malloc(400);
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target map(to : a[0 : n]) map(from : b[0 : n])
  for (int i = 0; i < n; i++) b[i] = a[i - 1];
  return b[3]; }
//: type-to-instead-of-from yes
int main(void) { int n = 100, *a = malloc(400);
#pragma omp target map(to : a[0 : n])
  for (int i = 0; i < n; i++) a[i] = i;
  printf("%d\n", a[3]); return 0; }
//: type-from-instead-of-to yes
int main(void) { int n = 100, *a = malloc(400), *b = malloc(400);
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target map(from : a[0 : n], b[0 : n])
  for (int i = 0; i < n; i++) b[i] = a[i];
  printf("%d\n", b[3]); return 0; }
//: type-alloc-instead-of-to yes
int main(void) { int n = 100, *a = malloc(400), *b = malloc(400);
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target map(alloc : a[0 : n]) map(from : b[0 : n])
  for (int i = 0; i < n; i++) b[i] = a[i];
  printf("%d\n", b[3]); return 0; }
//: type-alloc-instead-of-from yes
int main(void) { int n = 100, *a = malloc(400);
#pragma omp target map(alloc : a[0 : n])
  for (int i = 0; i < n; i++) a[i] = i;
  printf("%d\n", a[3]); return 0; }
//: type-from-for-a-sum yes
int main(void) { int n = 100, *a = malloc(400), *c = malloc(400);
  for (int i = 0; i < n; i++) { a[i] = i; c[i] = 0; }
#pragma omp target map(to : a[0 : n]) map(from : c[0 : n])
  for (int i = 0; i < n; i++) c[i] += a[i];
  printf("%d\n", c[3]); return 0; }
//: types-right no
int main(void) { int n = 100, *a = malloc(400), *b = malloc(400), *t = malloc(400);
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target map(to : a[0 : n]) map(from : b[0 : n]) map(alloc : t[0 : n])
  { for (int i = 0; i < n; i++) t[i] = a[i]; for (int i = 0; i < n; i++) b[i] = t[99 - i]; }
  printf("%d\n", b[3]); return 0; }
//: data-region-without-update yes
int main(void) { int n = 100, *a = malloc(400), s = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(tofrom : a[0 : n])
  {
#pragma omp target
    for (int i = 0; i < n; i++) a[i] *= 2;
    for (int i = 0; i < n; i++) s += a[i];
  }
  printf("%d\n", s); return 0; }
//: data-region-with-update no
int main(void) { int n = 100, *a = malloc(400), s = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(tofrom : a[0 : n])
  {
#pragma omp target
    for (int i = 0; i < n; i++) a[i] *= 2;
#pragma omp target update from(a[0 : n])
    for (int i = 0; i < n; i++) s += a[i];
  }
  printf("%d\n", s); return 0; }
//: data-region-update-of-half yes
int main(void) { int n = 100, *a = malloc(400), s = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(tofrom : a[0 : n])
  {
#pragma omp target
    for (int i = 0; i < n; i++) a[i] *= 2;
#pragma omp target update from(a[0 : n / 2])
    for (int i = 0; i < n; i++) s += a[i];
  }
  printf("%d\n", s); return 0; }
//: data-region-update-the-wrong-way yes
int main(void) { int n = 100, *a = malloc(400), s = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(tofrom : a[0 : n])
  {
#pragma omp target
    for (int i = 0; i < n; i++) a[i] *= 2;
#pragma omp target update to(a[0 : n])
    for (int i = 0; i < n; i++) s += a[i];
  }
  printf("%d\n", s); return 0; }
//: data-region-host-writes-without-update yes
int main(void) { int n = 100, *a = malloc(400), *b = malloc(400);
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(to : a[0 : n]) map(from : b[0 : n])
  {
    for (int i = 0; i < n; i++) a[i] = 2 * i;
#pragma omp target
    for (int i = 0; i < n; i++) b[i] = a[i];
  }
  printf("%d\n", b[3]); return 0; }
//: data-region-host-writes-with-update no
int main(void) { int n = 100, *a = malloc(400), *b = malloc(400);
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(to : a[0 : n]) map(from : b[0 : n])
  {
    for (int i = 0; i < n; i++) a[i] = 2 * i;
#pragma omp target update to(a[0 : n])
#pragma omp target
    for (int i = 0; i < n; i++) b[i] = a[i];
  }
  printf("%d\n", b[3]); return 0; }
//: inner-map-copies-nothing yes
int main(void) { int n = 100, *a = malloc(400), s = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(to : a[0 : n])
  {
#pragma omp target map(tofrom : a[0 : n])
    for (int i = 0; i < n; i++) a[i] *= 2;
  }
  for (int i = 0; i < n; i++) s += a[i];
  printf("%d\n", s); return 0; }
//: inner-map-with-always no
int main(void) { int n = 100, *a = malloc(400), s = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(to : a[0 : n])
  {
#pragma omp target map(always, tofrom : a[0 : n])
    for (int i = 0; i < n; i++) a[i] *= 2;
  }
  for (int i = 0; i < n; i++) s += a[i];
  printf("%d\n", s); return 0; }
//: enter-without-exit yes
int main(void) { int n = 100, *a = malloc(400), s = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target
  for (int i = 0; i < n; i++) a[i] *= 2;
  for (int i = 0; i < n; i++) s += a[i];
  printf("%d\n", s); return 0; }
//: enter-and-exit-from no
int main(void) { int n = 100, *a = malloc(400), s = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target
  for (int i = 0; i < n; i++) a[i] *= 2;
#pragma omp target exit data map(from : a[0 : n])
  for (int i = 0; i < n; i++) s += a[i];
  printf("%d\n", s); return 0; }
//: enter-and-exit-delete yes
int main(void) { int n = 100, *a = malloc(400), s = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target
  for (int i = 0; i < n; i++) a[i] *= 2;
#pragma omp target exit data map(delete : a[0 : n])
  for (int i = 0; i < n; i++) s += a[i];
  printf("%d\n", s); return 0; }
//: enter-and-exit-release yes
int main(void) { int n = 100, *a = malloc(400), s = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target
  for (int i = 0; i < n; i++) a[i] *= 2;
#pragma omp target exit data map(release : a[0 : n])
  for (int i = 0; i < n; i++) s += a[i];
  printf("%d\n", s); return 0; }
//: enter-twice-and-exit-once yes
int main(void) { int n = 100, *a = malloc(400), s = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target
  for (int i = 0; i < n; i++) a[i] *= 2;
#pragma omp target exit data map(from : a[0 : n])
  for (int i = 0; i < n; i++) s += a[i];
  printf("%d\n", s); return 0; }
//: enter-alloc-and-read yes
int main(void) { int n = 100, *a = malloc(400), *b = malloc(400);
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(alloc : a[0 : n])
#pragma omp target map(from : b[0 : n])
  for (int i = 0; i < n; i++) b[i] = a[i];
#pragma omp target exit data map(delete : a[0 : n])
  printf("%d\n", b[3]); return 0; }
//: enter-alloc-update-and-read no
int main(void) { int n = 100, *a = malloc(400), *b = malloc(400);
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(alloc : a[0 : n])
#pragma omp target update to(a[0 : n])
#pragma omp target map(from : b[0 : n])
  for (int i = 0; i < n; i++) b[i] = a[i];
#pragma omp target exit data map(delete : a[0 : n])
  printf("%d\n", b[3]); return 0; }
//: used-after-exit yes
int main(void) { int n = 100, *a = malloc(400), *b = malloc(400);
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target exit data map(delete : a[0 : n])
#pragma omp target map(from : b[0 : n])
  for (int i = 0; i < n; i++) b[i] = a[i];
  printf("%d\n", b[3]); return 0; }
//: updated-after-exit yes
int main(void) { int n = 100, *a = malloc(400), s = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target
  for (int i = 0; i < n; i++) a[i] *= 2;
#pragma omp target exit data map(release : a[0 : n])
#pragma omp target update from(a[0 : n])
  for (int i = 0; i < n; i++) s += a[i];
  printf("%d\n", s); return 0; }
//: exit-before-the-last-region yes
int main(void) { int n = 100, *a = malloc(400);
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target exit data map(from : a[0 : n])
#pragma omp target
  for (int i = 0; i < n; i++) a[i] *= 2;
  printf("%d\n", a[3]); return 0; }
//: function-leaves-data-and-main-reads yes
#define N 100
int *a;
void start(void) { a = malloc(N * 4); for (int i = 0; i < N; i++) a[i] = i;
#pragma omp target enter data map(to : a[0 : N])
}
void twice(void) {
#pragma omp target
  for (int i = 0; i < N; i++) a[i] *= 2; }
void end(void) {
#pragma omp target exit data map(release : a[0 : N])
}
int main(void) { start(); twice(); end(); printf("%d\n", a[3]); return 0; }
//: function-brings-data-back no
#define N 100
int *a;
void start(void) { a = malloc(N * 4); for (int i = 0; i < N; i++) a[i] = i;
#pragma omp target enter data map(to : a[0 : N])
}
void twice(void) {
#pragma omp target
  for (int i = 0; i < N; i++) a[i] *= 2; }
void end(void) {
#pragma omp target exit data map(from : a[0 : N])
}
int main(void) { start(); twice(); end(); printf("%d\n", a[3]); return 0; }
//: file-pointers-that-no-function-maps yes
#define N 100
int *a, *b;
void start(void) { a = malloc(N * 4); b = malloc(N * 4); for (int i = 0; i < N; i++) a[i] = b[i] = i; }
void twice(void) {
#pragma omp target map(tofrom : a[0 : N])
  for (int i = 0; i < N; i++) a[i] += b[i]; }
int main(void) { start(); twice(); printf("%d\n", a[3]); return 0; }
//: file-pointers-that-a-function-maps no
#define N 100
int *a, *b;
void start(void) { a = malloc(N * 4); b = malloc(N * 4); for (int i = 0; i < N; i++) a[i] = b[i] = i; }
void twice(void) {
#pragma omp target map(tofrom : a[0 : N]) map(to : b[0 : N])
  for (int i = 0; i < N; i++) a[i] += b[i]; }
int main(void) { start(); twice(); printf("%d\n", a[3]); return 0; }
//: parameters-that-nobody-maps yes
#define N 100
void add(int *a, int *b) {
#pragma omp target map(tofrom : a[0 : N])
  for (int i = 0; i < N; i++) a[i] += b[i]; }
int main(void) { int *a = malloc(N * 4), *b = malloc(N * 4); for (int i = 0; i < N; i++) a[i] = b[i] = i;
  add(a, b); printf("%d\n", a[3]); return 0; }
//: parameters-that-the-caller-maps no
#define N 100
void add(int *a, int *b) {
#pragma omp target map(tofrom : a[0 : N])
  for (int i = 0; i < N; i++) a[i] += b[i]; }
int main(void) { int *a = malloc(N * 4), *b = malloc(N * 4); for (int i = 0; i < N; i++) a[i] = b[i] = i;
#pragma omp target data map(to : b[0 : N])
  add(a, b);
  printf("%d\n", a[3]); return 0; }
//: result-scalar-not-mapped yes
int main(void) { int n = 100, s = 0, a[100];
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target map(to : a)
  for (int i = 0; i < n; i++) s += a[i];
  printf("%d\n", s); return 0; }
//: result-scalar-mapped no
int main(void) { int n = 100, s = 0, a[100];
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target map(to : a) map(tofrom : s)
  for (int i = 0; i < n; i++) s += a[i];
  printf("%d\n", s); return 0; }
//: result-scalar-mapped-to yes
int main(void) { int n = 100, s = 0, a[100];
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target map(to : a, s)
  for (int i = 0; i < n; i++) s += a[i];
  printf("%d\n", s); return 0; }
//: result-scalar-mapped-from-and-added-to yes
int main(void) { int n = 100, s = 0, a[100];
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target map(to : a) map(from : s)
  for (int i = 0; i < n; i++) s += a[i];
  printf("%d\n", s); return 0; }
//: scalar-firstprivate-and-changed-by-the-host no
int main(void) { int n = 100, k = 3, a[100];
#pragma omp target data map(from : a)
  { k = 4;
#pragma omp target
    for (int i = 0; i < n; i++) a[i] = k;
  }
  printf("%d\n", a[3]); return 0; }
//: record-with-a-pointer-mapped-alone yes
struct v { int n; double *d; };
int main(void) { struct v x; x.n = 100; x.d = malloc(800); for (int i = 0; i < 100; i++) x.d[i] = i;
#pragma omp target map(tofrom : x)
  for (int i = 0; i < 100; i++) x.d[i] *= 2;
  printf("%f\n", x.d[3]); return 0; }
//: record-with-its-pointer no
struct v { int n; double *d; };
int main(void) { struct v x; x.n = 100; x.d = malloc(800); for (int i = 0; i < 100; i++) x.d[i] = i;
#pragma omp target map(to : x) map(tofrom : x.d[0 : 100])
  for (int i = 0; i < 100; i++) x.d[i] *= 2;
  printf("%f\n", x.d[3]); return 0; }
//: pointer-to-pointer-mapped-alone yes
int main(void) { int n = 10; double **m = malloc(n * sizeof *m);
  for (int i = 0; i < n; i++) { m[i] = malloc(n * sizeof **m); for (int j = 0; j < n; j++) m[i][j] = i; }
#pragma omp target map(tofrom : m[0 : n])
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] *= 2;
  printf("%f\n", m[3][3]); return 0; }
//: freed-before-the-exit yes
int main(void) { int n = 100, *a = malloc(400);
#pragma omp target enter data map(alloc : a[0 : n])
#pragma omp target
  for (int i = 0; i < n; i++) a[i] = i;
  free(a);
#pragma omp target exit data map(from : a[0 : n])
  return 0; }
//: read-before-anything-is-set yes
int main(void) { int n = 100, *a = malloc(400), *b = malloc(400);
#pragma omp target map(alloc : a[0 : n]) map(from : b[0 : n])
  for (int i = 0; i < n; i++) b[i] = a[i] + 1;
  printf("%d\n", b[3]); return 0; }
//: file-array-of-declare-target-without-update yes
#pragma omp declare target
int t[100];
#pragma omp end declare target
int main(void) { int s = 0;
#pragma omp target
  for (int i = 0; i < 100; i++) t[i] = i;
  for (int i = 0; i < 100; i++) s += t[i];
  printf("%d\n", s); return 0; }
//: file-array-of-declare-target-with-update no
#pragma omp declare target
int t[100];
#pragma omp end declare target
int main(void) { int s = 0;
#pragma omp target
  for (int i = 0; i < 100; i++) t[i] = i;
#pragma omp target update from(t)
  for (int i = 0; i < 100; i++) s += t[i];
  printf("%d\n", s); return 0; }
//: file-array-of-declare-target-set-by-the-host yes
#pragma omp declare target
int t[100];
#pragma omp end declare target
int main(void) { int b[100];
  for (int i = 0; i < 100; i++) t[i] = i;
#pragma omp target map(from : b)
  for (int i = 0; i < 100; i++) b[i] = t[i];
  printf("%d\n", b[3]); return 0; }
//: region-nowait-and-read-at-once yes
int main(void) { int n = 100, *a = malloc(400);
#pragma omp target map(from : a[0 : n]) nowait
  for (int i = 0; i < n; i++) a[i] = i;
  printf("%d\n", a[3]); return 0; }
//: region-nowait-then-taskwait no
int main(void) { int n = 100, *a = malloc(400);
#pragma omp target map(from : a[0 : n]) nowait
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp taskwait
  printf("%d\n", a[3]); return 0; }
//: exit-nowait-and-read-at-once yes
int main(void) { int n = 100, *a = malloc(400);
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target
  for (int i = 0; i < n; i++) a[i] *= 2;
#pragma omp target exit data map(from : a[0 : n]) nowait
  printf("%d\n", a[3]); return 0; }
//: device-pointer-read-by-the-host yes
int main(void) { int n = 100, *a = malloc(400), s = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(tofrom : a[0 : n]) use_device_ptr(a)
  { s = a[3]; }
  printf("%d\n", s); return 0; }
//: acc-copyin-and-result-read yes
int main(void) { double a[100]; for (int i = 0; i < 100; i++) a[i] = i;
#pragma acc parallel loop copyin(a)
  for (int i = 0; i < 100; i++) a[i] *= 2;
  printf("%f\n", a[3]); return 0; }
//: acc-copy-and-result-read no
int main(void) { double a[100]; for (int i = 0; i < 100; i++) a[i] = i;
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 100; i++) a[i] *= 2;
  printf("%f\n", a[3]); return 0; }
//: acc-copyout-and-read yes
int main(void) { double a[100]; for (int i = 0; i < 100; i++) a[i] = i;
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 100; i++) a[i] *= 2;
  printf("%f\n", a[3]); return 0; }
//: acc-create-and-result-read yes
int main(void) { double a[100];
#pragma acc parallel loop create(a)
  for (int i = 0; i < 100; i++) a[i] = 2;
  printf("%f\n", a[3]); return 0; }
//: acc-present-of-nothing yes
int main(void) { double a[100];
#pragma acc parallel loop present(a)
  for (int i = 0; i < 100; i++) a[i] = 2;
  printf("%f\n", a[3]); return 0; }
//: acc-section-too-short yes
int main(void) { int n = 100; double *a = malloc(800);
#pragma acc parallel loop copyout(a[0 : n - 1])
  for (int i = 0; i < n; i++) a[i] = 2;
  printf("%f\n", a[3]); return 0; }
//: acc-section-longer-than-the-allocation yes
int main(void) { int n = 100; double *a = malloc(n * sizeof(double));
#pragma acc parallel loop copyout(a[0 : n * n])
  for (int i = 0; i < n; i++) a[i] = 2;
  printf("%f\n", a[3]); return 0; }
//: acc-update-missing yes
int main(void) { double a[100], s = 0;
#pragma acc data copyout(a)
  {
#pragma acc parallel loop
    for (int i = 0; i < 100; i++) a[i] = 2;
    s = a[3];
  }
  printf("%f\n", s); return 0; }
//: acc-update no
int main(void) { double a[100], s = 0;
#pragma acc data copyout(a)
  {
#pragma acc parallel loop
    for (int i = 0; i < 100; i++) a[i] = 2;
#pragma acc update self(a)
    s = a[3];
  }
  printf("%f\n", s); return 0; }
//: acc-update-in-a-queue-and-no-wait yes
int main(void) { double a[100], s = 0;
#pragma acc data copyout(a)
  {
#pragma acc parallel loop
    for (int i = 0; i < 100; i++) a[i] = 2;
#pragma acc update self(a) async(1)
    s = a[3];
#pragma acc wait
  }
  printf("%f\n", s); return 0; }
//: acc-delete-instead-of-copyout yes
int main(void) { int n = 100; double *a = malloc(800);
#pragma acc enter data create(a[0 : n])
#pragma acc parallel loop present(a[0 : n])
  for (int i = 0; i < n; i++) a[i] = 2;
#pragma acc exit data delete(a[0 : n])
  printf("%f\n", a[3]); return 0; }
//: acc-copyout-at-the-end no
int main(void) { int n = 100; double *a = malloc(800);
#pragma acc enter data create(a[0 : n])
#pragma acc parallel loop present(a[0 : n])
  for (int i = 0; i < n; i++) a[i] = 2;
#pragma acc exit data copyout(a[0 : n])
  printf("%f\n", a[3]); return 0; }
//: acc-host-data-read-by-the-host yes
int main(void) { int n = 100; double *a = malloc(800), s;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma acc data copyin(a[0 : n])
#pragma acc host_data use_device(a)
  s = a[3];
  printf("%f\n", s); return 0; }
//: map-of-as-many-bytes-as-were-given yes
void f(int n) { double *a = calloc(n, sizeof *a);
#pragma omp target enter data map(to : a[0 : 8 * n])
#pragma omp target
  for (int i = 0; i < n; i++) a[i] *= 2;
#pragma omp target exit data map(from : a[0 : 8 * n])
  printf("%f\n", a[3]); }
//: map-of-as-many-elements-as-were-given no
void f(int n) { double *a = calloc(n + 2, sizeof *a);
#pragma omp target data map(tofrom : a[0 : n + 2])
  {
#pragma omp target
    for (int i = 0; i < n; i++) a[i + 2] *= 2;
#pragma omp target update from(a[1 : n + 1])
  }
  printf("%f\n", a[3]); }
//: map-of-as-many-elements-as-somebody-says no
void f(int n, int m) { double *a = calloc(n, sizeof *a);
#pragma omp target map(tofrom : a[0 : m])
  for (int i = 0; i < m; i++) a[i] *= 2;
  printf("%f\n", a[3]); }
//: exit-nowait-and-read-after-taskwait no
int main(void) { int n = 100, *a = malloc(400);
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target
  for (int i = 0; i < n; i++) a[i] *= 2;
#pragma omp target exit data map(from : a[0 : n]) nowait
#pragma omp taskwait
  printf("%d\n", a[3]); return 0; }
//: functions-with-a-parameter-move-data no
void put(int *p, int n) {
#pragma omp target enter data map(to : p[0 : n])
}
void get(int *p, int n) {
#pragma omp target exit data map(from : p[0 : n])
}
int main(void) { int n = 100, *a = malloc(400); for (int i = 0; i < n; i++) a[i] = i;
  put(a, n);
#pragma omp target map(present, alloc : a[0 : n])
  for (int i = 0; i < n; i++) a[i] *= 2;
  get(a, n);
  printf("%d\n", a[3]); return 0; }
//: acc-functions-with-a-parameter-move-data no
double *a;
void put(double *p, int n) {
#pragma acc enter data copyin(p[0 : n])
}
void fetch(double *p, int n) {
#pragma acc update self(p[0 : n])
}
void twice(int n) {
#pragma acc parallel loop present(a[0 : n])
  for (int i = 0; i < n; i++) a[i] *= 2; }
int main(void) { a = malloc(800); for (int i = 0; i < 100; i++) a[i] = i;
  put(a, 100); twice(100); fetch(a, 100); printf("%f\n", a[3]); return 0; }
//: functions-elsewhere-move-data no
void to_device(double *, int);
int main(void) { double *b = malloc(800); to_device(b, 100);
#pragma omp target
  for (int i = 0; i < 100; i++) b[i] = i;
  return 0; }
//: section-that-misses-the-halo yes
int main(void) { double a[102], b[102]; for (int i = 0; i < 102; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(to : a[1 : 100]) map(from : b[1 : 100])
  for (int i = 1; i < 101; i++) b[i] = a[i - 1] + a[i + 1];
  printf("%f\n", b[3]); return 0; }
//: section-with-the-halo no
int main(void) { double a[102], b[102]; for (int i = 0; i < 102; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(to : a[0 : 102]) map(from : b[1 : 100])
  for (int i = 1; i < 101; i++) b[i] = a[i - 1] + a[i + 1];
  printf("%f\n", b[3]); return 0; }
//: end-instead-of-length yes
int main(void) { double *a = malloc(800); for (int i = 0; i < 100; i++) a[i] = i;
#pragma acc parallel loop copy(a[50:100])
  for (int i = 50; i < 100; i++) a[i] *= 2;
  printf("%f\n", a[60]); return 0; }
//: rows-of-half-a-matrix no
int main(void) { double a[20][20]; for (int i = 0; i < 20; i++) for (int j = 0; j < 20; j++) a[i][j] = i;
#pragma omp target teams distribute parallel for map(tofrom : a[10 : 10][0 : 20])
  for (int i = 10; i < 20; i++) for (int j = 0; j < 20; j++) a[i][j] *= 2;
  printf("%f\n", a[12][0]); return 0; }
//: rows-of-the-wrong-half yes
int main(void) { double a[20][20]; for (int i = 0; i < 20; i++) for (int j = 0; j < 20; j++) a[i][j] = i;
#pragma omp target teams distribute parallel for map(tofrom : a[0 : 10][0 : 20])
  for (int i = 10; i < 20; i++) for (int j = 0; j < 20; j++) a[i][j] *= 2;
  printf("%f\n", a[12][0]); return 0; }
//: swapped-pointers-in-a-data-region-copied-out yes
int main(void) { double *x = malloc(800), *y = malloc(800); for (int i = 0; i < 100; i++) x[i] = y[i] = i;
#pragma omp target enter data map(to : x[0 : 100], y[0 : 100])
  for (int t = 0; t < 3; t++) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 100; i++) y[i] = x[i] + 1;
    double *h = x; x = y; y = h; }
  printf("%f\n", x[4]);
#pragma omp target exit data map(delete : x[0 : 100], y[0 : 100])
  return 0; }
//: swapped-pointers-in-a-data-region no
int main(void) { double *x = malloc(800), *y = malloc(800); for (int i = 0; i < 100; i++) x[i] = y[i] = i;
#pragma omp target enter data map(to : x[0 : 100], y[0 : 100])
  for (int t = 0; t < 3; t++) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 100; i++) y[i] = x[i] + 1;
    double *h = x; x = y; y = h; }
#pragma omp target update from(x[0 : 100])
  printf("%f\n", x[4]);
#pragma omp target exit data map(delete : x[0 : 100], y[0 : 100])
  return 0; }
//: update-under-a-condition-that-is-not-the-reader's yes
int main(int argc, char **argv) { double a[100]; for (int i = 0; i < 100; i++) a[i] = i;
#pragma acc data copyin(a)
  { for (int t = 0; t < 10; t++) {
#pragma acc parallel loop present(a)
      for (int i = 0; i < 100; i++) a[i] += t;
    }
    printf("%f\n", a[5]); }
  return 0; }
//: update-each-fifth-turn no
int main(int argc, char **argv) { double a[100]; for (int i = 0; i < 100; i++) a[i] = i;
#pragma acc data copyin(a)
  { for (int t = 0; t < 10; t++) {
#pragma acc parallel loop present(a)
      for (int i = 0; i < 100; i++) a[i] += t;
      if (t % 5 == 0) {
#pragma acc update self(a)
        printf("%f\n", a[5]); }
    } }
  return 0; }
//: file-variable-without-declare no
static double k = 2; static double a[50];
int main(void) { for (int i = 0; i < 50; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : a)
  for (int i = 0; i < 50; i++) a[i] *= k;
  printf("%f\n", a[3]); return 0; }
//: sum-on-the-device-not-mapped yes
int main(void) { double a[50], s = 0; for (int i = 0; i < 50; i++) a[i] = i;
#pragma omp target map(to : a)
  for (int i = 0; i < 50; i++) s += a[i];
  printf("%f\n", s); return 0; }
//: sum-on-the-device-reduced no
int main(void) { double a[50], s = 0; for (int i = 0; i < 50; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : s) reduction(+ : s)
  for (int i = 0; i < 50; i++) s += a[i];
  printf("%f\n", s); return 0; }
//: acc-scalar-of-kernels-is-copied no
int main(void) { double a[50], s = 0; for (int i = 0; i < 50; i++) a[i] = i;
#pragma acc kernels copyin(a)
  { s = 0;
    for (int i = 0; i < 50; i++) s += a[i]; }
  printf("%f\n", s); return 0; }
//: acc-scalar-of-parallel-is-firstprivate yes
int main(void) { double a[50], s = 0; for (int i = 0; i < 50; i++) a[i] = i;
#pragma acc parallel num_gangs(1) copyin(a)
  { s = 0;
    for (int i = 0; i < 50; i++) s += a[i]; }
  printf("%f\n", s); return 0; }
//: member-array-mapped-by-its-pointer no
struct grid { int n; double *v; };
int main(void) { struct grid g = {50, malloc(400)}; double *v = g.v; for (int i = 0; i < 50; i++) v[i] = i;
#pragma acc parallel loop copy(v[0:50])
  for (int i = 0; i < 50; i++) v[i] *= 2;
  printf("%f\n", g.v[3]); return 0; }
//: member-array-read-without-update yes
int main(void) { double *v = malloc(400), *w = v; for (int i = 0; i < 50; i++) v[i] = i;
#pragma acc enter data copyin(v[0:50])
#pragma acc parallel loop present(v[0:50])
  for (int i = 0; i < 50; i++) v[i] *= 2;
  printf("%f\n", w[3]);
#pragma acc exit data delete(v)
  return 0; }
//: present-behind-the-data-region yes
int main(void) { double a[50]; for (int i = 0; i < 50; i++) a[i] = i;
#pragma acc data copy(a)
  {
#pragma acc parallel loop present(a)
    for (int i = 0; i < 50; i++) a[i] *= 2;
  }
#pragma acc parallel loop present(a)
  for (int i = 0; i < 50; i++) a[i] += 1;
  printf("%f\n", a[3]); return 0; }
//: copied-twice-inside-the-data-region-host-changed yes
int main(void) { double a[50]; for (int i = 0; i < 50; i++) a[i] = i;
#pragma acc data copy(a)
  {
    for (int i = 0; i < 50; i++) a[i] = 1;
#pragma acc parallel loop copyin(a)
    for (int i = 0; i < 50; i++) a[i] *= 2;
  }
  printf("%f\n", a[3]); return 0; }
//: host-fills-before-the-data-region no
int main(void) { double a[50];
  for (int i = 0; i < 50; i++) a[i] = 1;
#pragma acc data copy(a)
  {
#pragma acc parallel loop
    for (int i = 0; i < 50; i++) a[i] *= 2;
  }
  printf("%f\n", a[3]); return 0; }
//: update-of-the-halo-alone no
int main(void) { double a[50]; for (int i = 0; i < 50; i++) a[i] = i;
#pragma acc data copy(a)
  { for (int t = 0; t < 4; t++) {
#pragma acc parallel loop present(a)
      for (int i = 1; i < 49; i++) a[i] += 1;
#pragma acc update self(a[1:1])
#pragma acc update self(a[48:1])
      a[0] = a[48]; a[49] = a[1];
#pragma acc update device(a[0:1])
#pragma acc update device(a[49:1])
    } }
  printf("%f\n", a[3]); return 0; }
//: update-of-one-side-of-the-halo yes
int main(void) { double a[50]; for (int i = 0; i < 50; i++) a[i] = i;
#pragma acc data copy(a)
  { for (int t = 0; t < 4; t++) {
#pragma acc parallel loop present(a)
      for (int i = 1; i < 49; i++) a[i] += 1;
#pragma acc update self(a[1:1])
      a[0] = a[48]; a[49] = a[1];
#pragma acc update device(a[0:1])
#pragma acc update device(a[49:1])
    } }
  printf("%f\n", a[3]); return 0; }
//: copyout-of-half-that-the-region-writes yes
int main(void) { double a[50];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 25; i++) a[i] = 1;
  printf("%f\n", a[3] + a[30]); return 0; }
//: copyout-of-what-the-region-writes no
int main(void) { double a[50]; for (int i = 0; i < 50; i++) a[i] = i;
#pragma acc parallel loop copyout(a[0:25])
  for (int i = 0; i < 25; i++) a[i] = 1;
  printf("%f\n", a[3] + a[30]); return 0; }
//: copyout-of-an-array-of-which-half-is-written yes
int main(void) { double a[50]; for (int i = 0; i < 50; i++) a[i] = i;
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 25; i++) a[i] = 1;
  printf("%f\n", a[3] + a[30]); return 0; }
//: target-memcpy-back no
int main(void) { double *a = malloc(400); int d = omp_get_default_device(), h = omp_get_initial_device();
  for (int i = 0; i < 50; i++) a[i] = i;
  double *p = omp_target_alloc(400, d); omp_target_memcpy(p, a, 400, 0, 0, d, h);
#pragma omp target teams distribute parallel for is_device_ptr(p)
  for (int i = 0; i < 50; i++) p[i] *= 2;
  omp_target_memcpy(a, p, 400, 0, 0, h, d); omp_target_free(p, d);
  printf("%f\n", a[3]); return 0; }
//: target-alloc-read-by-the-host yes
int main(void) { int d = omp_get_default_device();
  double *p = omp_target_alloc(400, d);
#pragma omp target teams distribute parallel for is_device_ptr(p)
  for (int i = 0; i < 50; i++) p[i] = 2;
  printf("%f\n", p[3]); omp_target_free(p, d); return 0; }
