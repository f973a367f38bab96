/* Data that is not where it is used. `//: NAME VERDICT` begins a program of its own. */
//: map-missing proved
int main(void) { int n = 100; float *a = malloc(n * sizeof *a); for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) a[i] *= 2;
  printf("%f", a[3]); free(a); return 0; }
//: map-given nothing
int main(void) { int n = 100; float *a = malloc(n * sizeof *a); for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : a[0:n])
  for (int i = 0; i < n; i++) a[i] *= 2;
  printf("%f", a[3]); free(a); return 0; }
//: map-missing-one-of-three proved
int main(void) { int n = 100; int *a = malloc(400), *b = malloc(400), *c = malloc(400);
  for (int i = 0; i < n; i++) a[i] = b[i] = i;
#pragma omp target teams distribute parallel for map(to : a[0:n]) map(from : c[0:n])
  for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
  printf("%d", c[1]); return 0; }
//: map-all-three nothing
int main(void) { int n = 100; int *a = malloc(400), *b = malloc(400), *c = malloc(400);
  for (int i = 0; i < n; i++) a[i] = b[i] = i;
#pragma omp target teams distribute parallel for map(to : a[0:n], b[0:n]) map(from : c[0:n])
  for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
  printf("%d", c[1]); return 0; }
//: from-for-tofrom proved
int main(void) { double x[64]; for (int i = 0; i < 64; i++) x[i] = i;
#pragma omp target teams distribute parallel for map(from : x)
  for (int i = 0; i < 64; i++) x[i] = x[i] * 3;
  printf("%f", x[1]); return 0; }
//: to-for-tofrom proved
int main(void) { double x[64]; for (int i = 0; i < 64; i++) x[i] = i;
#pragma omp target teams distribute parallel for map(to : x)
  for (int i = 0; i < 64; i++) x[i] = x[i] * 3;
  printf("%f", x[1]); return 0; }
//: alloc-for-from proved
int main(void) { double x[64];
#pragma omp target teams distribute parallel for map(alloc : x)
  for (int i = 0; i < 64; i++) x[i] = 3;
  printf("%f", x[1]); return 0; }
//: from-fits nothing
int main(void) { double x[64];
#pragma omp target teams distribute parallel for map(from : x)
  for (int i = 0; i < 64; i++) x[i] = 3;
  printf("%f", x[1]); return 0; }
//: copyout-for-copy proved
int main(void) { double x[64]; for (int i = 0; i < 64; i++) x[i] = i;
#pragma acc parallel loop copyout(x)
  for (int i = 0; i < 64; i++) x[i] += 3;
  printf("%f", x[1]); return 0; }
//: copy-fits nothing
int main(void) { double x[64]; for (int i = 0; i < 64; i++) x[i] = i;
#pragma acc parallel loop copy(x)
  for (int i = 0; i < 64; i++) x[i] += 3;
  printf("%f", x[1]); return 0; }
//: create-for-copyin proved
int main(void) { double x[64], y[64]; for (int i = 0; i < 64; i++) x[i] = i;
#pragma acc parallel loop create(x) copyout(y)
  for (int i = 0; i < 64; i++) y[i] = x[i];
  printf("%f", y[1]); return 0; }
//: create-as-scratch nothing
int main(void) { double t[64], y[64];
#pragma acc data create(t) copyout(y)
  {
#pragma acc parallel loop
    for (int i = 0; i < 64; i++) t[i] = i * i;
#pragma acc parallel loop
    for (int i = 0; i < 64; i++) y[i] = t[63 - i];
  }
  printf("%f", y[1]); return 0; }
//: half-of-section proved
int main(void) { int n = 200; int *a = malloc(n * sizeof *a); for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : a[0:n / 2])
  for (int i = 0; i < n; i++) a[i]++;
  printf("%d", a[7]); return 0; }
//: whole-section nothing
int main(void) { int n = 200; int *a = malloc(n * sizeof *a); for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : a[0:n])
  for (int i = 0; i < n; i++) a[i]++;
  printf("%d", a[7]); return 0; }
//: matrix-row-for-matrix proved
int main(void) { int n = 30; double *m = malloc(n * n * sizeof *m); for (int i = 0; i < n * n; i++) m[i] = i;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : m[0:n])
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i * n + j] += 1;
  printf("%f", m[5]); return 0; }
//: matrix-whole nothing
int main(void) { int n = 30; double *m = malloc(n * n * sizeof *m); for (int i = 0; i < n * n; i++) m[i] = i;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : m[0:n * n])
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i * n + j] += 1;
  printf("%f", m[5]); return 0; }
//: stencil-without-halo proved
void f(double *restrict out, const double *restrict in, int n) {
#pragma acc parallel loop copyin(in[1:n - 2]) copy(out[0:n])
  for (int i = 1; i < n - 1; i++) out[i] = in[i - 1] + in[i + 1]; }
//: stencil-with-halo nothing
void f(double *restrict out, const double *restrict in, int n) {
#pragma acc parallel loop copyin(in[0:n]) copy(out[1:n - 2])
  for (int i = 1; i < n - 1; i++) out[i] = in[i - 1] + in[i + 1]; }
//: first-last-for-first-length proved
void f(double *a, int n) {
#pragma omp target teams distribute parallel for map(tofrom : a[10:20])
  for (int i = 10; i < 40; i++) a[i] = 0; }
//: off-by-one-inclusive proved
void f(int *a, int n) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i <= n; i++) a[i] = i; }
//: other-length maybe
void f(double *a, int n, int m) {
#pragma acc parallel loop copyout(a[0:n])
  for (int i = 0; i < m; i++) a[i] = i; }
//: update-missing-to-host proved
int main(void) { int a[50] = {0};
#pragma omp target data map(tofrom : a)
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 50; i++) a[i] = i;
    printf("%d", a[4]);
  }
  return 0; }
//: update-to-host nothing
int main(void) { int a[50] = {0};
#pragma omp target data map(tofrom : a)
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 50; i++) a[i] = i;
#pragma omp target update from(a)
    printf("%d", a[4]);
  }
  return 0; }
//: update-missing-to-device proved
int main(void) { int a[50] = {0}, b[50];
#pragma omp target data map(to : a) map(from : b)
  {
    a[0] = 5;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 50; i++) b[i] = a[i];
  }
  printf("%d", b[0]); return 0; }
//: update-to-device nothing
int main(void) { int a[50] = {0}, b[50];
#pragma omp target data map(to : a) map(from : b)
  {
    a[0] = 5;
#pragma omp target update to(a[0:1])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 50; i++) b[i] = a[i];
  }
  printf("%d", b[0]); return 0; }
//: update-wrong-way proved
int main(void) { int a[50] = {0}, b[50];
#pragma acc data copyin(a) copyout(b)
  {
    a[0] = 5;
#pragma acc update self(a)
#pragma acc parallel loop
    for (int i = 0; i < 50; i++) b[i] = a[i];
  }
  printf("%d", b[0]); return 0; }
//: update-other-elements proved
int main(void) { int a[50] = {0}, b[50];
#pragma acc data copyin(a) copyout(b)
  {
    a[40] = 5;
#pragma acc update device(a[0:10])
#pragma acc parallel loop
    for (int i = 0; i < 50; i++) b[i] = a[i];
  }
  printf("%d", b[0]); return 0; }
//: update-those-elements nothing
int main(void) { int a[50] = {0}, b[50];
#pragma acc data copyin(a) copyout(b)
  {
    a[40] = 5;
#pragma acc update device(a[40:1])
#pragma acc parallel loop
    for (int i = 0; i < 50; i++) b[i] = a[i];
  }
  printf("%d", b[0]); return 0; }
//: steps-print-stale proved
int main(void) { double u[99] = {1};
#pragma acc data copy(u)
  for (int t = 0; t < 10; t++) {
#pragma acc parallel loop
    for (int i = 0; i < 99; i++) u[i] = u[i] * 0.5;
    printf("%f\n", u[0]);
  }
  return 0; }
//: steps-print-updated nothing
int main(void) { double u[99] = {1};
#pragma acc data copy(u)
  for (int t = 0; t < 10; t++) {
#pragma acc parallel loop
    for (int i = 0; i < 99; i++) u[i] = u[i] * 0.5;
#pragma acc update self(u[0:1])
    printf("%f\n", u[0]);
  }
  return 0; }
//: steps-host-boundary proved
int main(void) { double u[99] = {1}, v[99];
#pragma acc data copyin(u) copyout(v)
  for (int t = 0; t < 10; t++) {
    u[0] = t;
#pragma acc parallel loop
    for (int i = 0; i < 99; i++) v[i] = u[i] * 0.5;
  }
  printf("%f", v[0]); return 0; }
//: exit-deletes-results proved
int main(void) { double *u = malloc(800); for (int i = 0; i < 100; i++) u[i] = i;
#pragma acc enter data copyin(u[0:100])
#pragma acc parallel loop present(u[0:100])
  for (int i = 0; i < 100; i++) u[i] *= 2;
#pragma acc exit data delete (u[0:100])
  printf("%f", u[3]); return 0; }
//: exit-copies-results nothing
int main(void) { double *u = malloc(800); for (int i = 0; i < 100; i++) u[i] = i;
#pragma acc enter data copyin(u[0:100])
#pragma acc parallel loop present(u[0:100])
  for (int i = 0; i < 100; i++) u[i] *= 2;
#pragma acc exit data copyout(u[0:100])
  printf("%f", u[3]); return 0; }
//: used-after-exit proved
int main(void) { double *u = malloc(800); for (int i = 0; i < 100; i++) u[i] = i;
#pragma acc enter data copyin(u[0:100])
#pragma acc exit data copyout(u[0:100])
#pragma acc parallel loop present(u[0:100])
  for (int i = 0; i < 100; i++) u[i] *= 2;
  printf("%f", u[3]); return 0; }
//: used-after-exit-omp proved
int main(void) { int n = 100; double *u = malloc(n * sizeof *u); for (int i = 0; i < n; i++) u[i] = i;
#pragma omp target enter data map(to : u[0:n])
#pragma omp target exit data map(from : u[0:n])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) u[i] *= 2;
  printf("%f", u[3]); return 0; }
//: enter-then-used nothing
int main(void) { int n = 100; double *u = malloc(n * sizeof *u); for (int i = 0; i < n; i++) u[i] = i;
#pragma omp target enter data map(to : u[0:n])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) u[i] *= 2;
#pragma omp target exit data map(from : u[0:n])
  printf("%f", u[3]); return 0; }
//: entered-once-exited-twice proved
int main(void) { int n = 100; double *u = malloc(n * sizeof *u); for (int i = 0; i < n; i++) u[i] = i;
#pragma omp target enter data map(to : u[0:n])
#pragma omp target exit data map(release : u[0:n])
#pragma omp target update from(u[0:n])
  printf("%f", u[3]); return 0; }
//: entered-twice-exited-once nothing
int main(void) { int n = 100; double *u = malloc(n * sizeof *u); for (int i = 0; i < n; i++) u[i] = i;
#pragma omp target enter data map(to : u[0:n])
#pragma omp target enter data map(to : u[0:n])
#pragma omp target exit data map(release : u[0:n])
#pragma omp target update from(u[0:n])
#pragma omp target exit data map(release : u[0:n])
  printf("%f", u[3]); return 0; }
//: counted-twice-copied-once proved
int main(void) { int n = 100; double *u = malloc(n * sizeof *u); for (int i = 0; i < n; i++) u[i] = i;
#pragma acc enter data copyin(u[0:n])
#pragma acc enter data copyin(u[0:n])
#pragma acc parallel loop present(u[0:n])
  for (int i = 0; i < n; i++) u[i] *= 2;
#pragma acc exit data copyout(u[0:n])
  printf("%f", u[3]); return 0; }
//: finalize-copies nothing
int main(void) { int n = 100; double *u = malloc(n * sizeof *u); for (int i = 0; i < n; i++) u[i] = i;
#pragma acc enter data copyin(u[0:n])
#pragma acc enter data copyin(u[0:n])
#pragma acc parallel loop present(u[0:n])
  for (int i = 0; i < n; i++) u[i] *= 2;
#pragma acc exit data copyout(u[0:n]) finalize
  printf("%f", u[3]); return 0; }
//: inner-from-in-outer-to proved
int main(void) { int a[50] = {0};
#pragma omp target data map(to : a)
  {
#pragma omp target teams distribute parallel for map(from : a)
    for (int i = 0; i < 50; i++) a[i] = i;
  }
  printf("%d", a[4]); return 0; }
//: inner-always-from nothing
int main(void) { int a[50] = {0};
#pragma omp target data map(to : a)
  {
#pragma omp target teams distribute parallel for map(always, from : a)
    for (int i = 0; i < 50; i++) a[i] = i;
  }
  printf("%d", a[4]); return 0; }
//: inner-to-in-outer-alloc proved
int main(void) { int a[50], b[50]; for (int i = 0; i < 50; i++) a[i] = i;
#pragma omp target data map(alloc : a) map(from : b)
  {
#pragma omp target teams distribute parallel for map(to : a)
    for (int i = 0; i < 50; i++) b[i] = a[i];
  }
  printf("%d", b[4]); return 0; }
//: present-never proved
int main(void) { int a[50] = {0};
#pragma acc parallel loop present(a)
  for (int i = 0; i < 50; i++) a[i] = i;
  printf("%d", a[4]); return 0; }
//: present-of-caller nothing
void f(int *a) {
#pragma acc parallel loop present(a[0:50])
  for (int i = 0; i < 50; i++) a[i] = i; }
//: update-of-nothing proved
int main(void) { int a[50] = {0};
#pragma acc update device(a)
  printf("%d", a[4]); return 0; }
//: scalar-result-lost proved
int main(void) { int found = 0, a[50] = {0};
#pragma omp target map(to : a)
  found = a[3] + 1;
  printf("%d", found); return 0; }
//: scalar-result-mapped nothing
int main(void) { int found = 0, a[50] = {0};
#pragma omp target map(to : a) map(from : found)
  found = a[3] + 1;
  printf("%d", found); return 0; }
//: scalar-in-data-region proved
int main(void) { int x = 1, y;
#pragma acc data copyin(x) copyout(y)
  {
    x = 7;
#pragma acc serial present(x, y)
    y = x;
  }
  printf("%d", y); return 0; }
//: two-kernels-handed-over nothing
int main(void) { int a[50], b[50];
#pragma omp target data map(alloc : a) map(from : b)
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 50; i++) a[i] = i;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 50; i++) b[i] = a[i];
  }
  printf("%d", b[4]); return 0; }
//: two-kernels-dropped proved
int main(void) { int a[50] = {0}, b[50];
#pragma omp target teams distribute parallel for map(alloc : a)
  for (int i = 0; i < 50; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(to : a) map(from : b)
  for (int i = 0; i < 50; i++) b[i] = a[i];
  printf("%d", b[4]); return 0; }
//: two-kernels-dropped-copyin proved
int main(void) { int a[50] = {0}, b[50];
#pragma acc parallel loop copyin(a)
  for (int i = 0; i < 50; i++) a[i] = i;
#pragma acc parallel loop copyin(a) copyout(b)
  for (int i = 0; i < 50; i++) b[i] = a[i];
  printf("%d", b[4]); return 0; }
//: two-kernels-original-meant nothing
int main(void) { int a[50] = {0}, b[50], c[50];
#pragma acc parallel loop copyin(a) copyout(c)
  for (int i = 0; i < 50; i++) { a[i] += i; c[i] = a[i]; }
#pragma acc parallel loop copyin(a) copyout(b)
  for (int i = 0; i < 50; i++) b[i] = a[i];
  printf("%d %d", b[4], c[4]); return 0; }
//: queue-not-waited proved
int main(void) { int a[50] = {0};
#pragma acc parallel loop async(1) copy(a)
  for (int i = 0; i < 50; i++) a[i] = i;
  printf("%d", a[4]);
#pragma acc wait
  return 0; }
//: queue-waited nothing
int main(void) { int a[50] = {0};
#pragma acc parallel loop async(1) copy(a)
  for (int i = 0; i < 50; i++) a[i] = i;
#pragma acc wait(1)
  printf("%d", a[4]); return 0; }
//: queue-waited-another proved
int main(void) { int a[50] = {0};
#pragma acc parallel loop async(1) copy(a)
  for (int i = 0; i < 50; i++) a[i] = i;
#pragma acc wait(2)
  printf("%d", a[4]);
#pragma acc wait
  return 0; }
//: nowait-not-waited proved
int main(void) { int a[50] = {0};
#pragma omp target teams distribute parallel for nowait map(tofrom : a)
  for (int i = 0; i < 50; i++) a[i] = i;
  a[0] = 1;
#pragma omp taskwait
  return a[4]; }
//: two-targets-depend nothing
int main(void) { int a[50] = {0};
#pragma omp target teams distribute parallel for nowait map(tofrom : a) depend(out : a)
  for (int i = 0; i < 50; i++) a[i] = i;
#pragma omp target teams distribute parallel for nowait map(tofrom : a) depend(inout : a)
  for (int i = 0; i < 50; i++) a[i] += i;
#pragma omp taskwait
  return a[4]; }
//: two-targets-beside proved
int main(void) { int a[50] = {0};
#pragma omp target teams distribute parallel for nowait map(tofrom : a)
  for (int i = 0; i < 50; i++) a[i] = i;
#pragma omp target teams distribute parallel for nowait map(tofrom : a)
  for (int i = 0; i < 50; i++) a[i] += i;
#pragma omp taskwait
  return a[4]; }
//: teams-update-plain proved
int main(void) { int hist[8] = {0}, k[100] = {0};
#pragma omp target teams distribute parallel for map(tofrom : hist) map(to : k)
  for (int i = 0; i < 100; i++) hist[i % 8] += k[i];
  printf("%d", hist[0]); return 0; }
//: teams-update-atomic nothing
int main(void) { int hist[8] = {0}, k[100] = {0};
#pragma omp target teams distribute parallel for map(tofrom : hist) map(to : k)
  for (int i = 0; i < 100; i++) {
#pragma omp atomic
    hist[i % 8] += k[i];
  }
  printf("%d", hist[0]); return 0; }
//: teams-critical proved
int main(void) { int n = 0;
#pragma omp target map(tofrom : n)
#pragma omp teams num_teams(2)
#pragma omp distribute parallel for
  for (int i = 0; i < 100; i++) {
#pragma omp critical
    n += i;
  }
  printf("%d", n); return 0; }
//: one-team-critical nothing
int main(void) { int n = 0;
#pragma omp target map(tofrom : n)
#pragma omp parallel for
  for (int i = 0; i < 100; i++) {
#pragma omp critical
    n += i;
  }
  printf("%d", n); return 0; }
//: declare-target-not-updated proved
#pragma omp declare target
int table[10];
#pragma omp end declare target
int main(void) { int b[10];
  for (int i = 0; i < 10; i++) table[i] = i;
#pragma omp target teams distribute parallel for map(from : b)
  for (int i = 0; i < 10; i++) b[i] = table[i];
  printf("%d", b[4]); return 0; }
//: declare-target-updated nothing
#pragma omp declare target
int table[10];
#pragma omp end declare target
int main(void) { int b[10];
  for (int i = 0; i < 10; i++) table[i] = i;
#pragma omp target update to(table)
#pragma omp target teams distribute parallel for map(from : b)
  for (int i = 0; i < 10; i++) b[i] = table[i];
  printf("%d", b[4]); return 0; }
//: declare-target-result-left proved
#pragma omp declare target
int total[10];
#pragma omp end declare target
int main(void) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 10; i++) total[i] = i;
  printf("%d", total[4]); return 0; }
//: section-by-callee-size nothing
void f(double *a, int n) {
#pragma acc data copy(a[0:n])
  {
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++) a[i] *= 2;
  } }
//: struct-mapped-flat proved
struct vec { double *p; int n; };
int main(void) { struct vec v = {malloc(80), 10};
  for (int i = 0; i < 10; i++) v.p[i] = i;
#pragma omp target map(tofrom : v)
  for (int i = 0; i < 10; i++) v.p[i] *= 2;
  printf("%f", v.p[3]); return 0; }
//: struct-member-mapped nothing
struct vec { double *p; int n; };
int main(void) { struct vec v = {malloc(80), 10};
  for (int i = 0; i < 10; i++) v.p[i] = i;
#pragma omp target map(tofrom : v, v.p[0:10])
  for (int i = 0; i < 10; i++) v.p[i] *= 2;
  printf("%f", v.p[3]); return 0; }
//: blocks-of-a-matrix maybe
/* Whether the blocks lie in the matrix is a relation between its size, the block's and the offset. */
void f(float *a, int size, int offset, int q, int n) {
#pragma omp target parallel for map(tofrom: a[0:size*size])
  for (int c = 0; c < n; c++) {
    float t[16 * 16];
    int row = offset + 16 * (1 + c / q), column = offset + 16 * (1 + c % q);
    for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) t[i * 16 + j] = a[size * (i + offset) + j + column];
    for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) a[size * (i + row) + j + column] -= t[i * 16 + j]; } }
