/* Races on devices and lanes. `//: NAME LABEL` begins a program: yes, it races; no, it does not. */
//: target-loop-antidep yes
int main(void) { int len = 1000, a[1000];
  for (int i = 0; i < len; i++) a[i] = i;
#pragma omp target map(a[0 : len])
#pragma omp parallel for
  for (int i = 0; i < len - 1; i++) a[i] = a[i + 1] + 1;
  return 0; }
//: target-loop no
int main(void) { int len = 1000, a[1000];
  for (int i = 0; i < len; i++) a[i] = i;
#pragma omp target map(a[0 : len])
#pragma omp parallel for
  for (int i = 0; i < len; i++) a[i] = a[i] + 1;
  return 0; }
//: target-two-loops no
#define N 100
double a[N], b[N], c[N];
int main(void) {
#pragma omp target map(to : b, c) map(tofrom : a)
#pragma omp parallel for
  for (int i = 0; i < N; i++) a[i] += b[i] * c[i];
  return 0; }
//: teams-dot-product no
#define N 10000
int main(void) { double a[N], b[N]; double sum = 0;
  for (int i = 0; i < N; i++) { a[i] = i / 2.0; b[i] = i / 3.0; }
#pragma omp target map(to : a[0 : N], b[0 : N]) map(tofrom : sum)
#pragma omp teams num_teams(10) thread_limit(256) reduction(+ : sum)
#pragma omp distribute
  for (int i0 = 0; i0 < N; i0 += 256)
#pragma omp parallel for reduction(+ : sum)
    for (int i = i0; i < (i0 + 256 < N ? i0 + 256 : N); i++) sum += a[i] * b[i];
  printf("%f\n", sum); return 0; }
//: teams-that-update-one-element yes
int main(void) { int len = 100; double a[100];
#pragma omp target map(tofrom : a[0 : len])
#pragma omp teams num_teams(2)
  a[50] *= 2.0;
  printf("%f\n", a[50]); return 0; }
//: critical-does-not-exclude-teams yes
int main(void) { int var = 0;
#pragma omp target map(tofrom : var)
#pragma omp teams distribute parallel for
  for (int i = 0; i < 100; i++) {
#pragma omp critical
    var++;
  }
  return var; }
//: critical-in-one-team no
int main(void) { int var = 0;
#pragma omp target map(tofrom : var)
#pragma omp parallel for
  for (int i = 0; i < 100; i++) {
#pragma omp critical
    var++;
  }
  return var; }
//: atomic-excludes-teams no
int main(void) { int var = 0;
#pragma omp target map(tofrom : var)
#pragma omp teams distribute parallel for
  for (int i = 0; i < 100; i++) {
#pragma omp atomic
    var++;
  }
  return var; }
//: atomic-and-critical-mixed yes
int main(void) { int var = 0;
#pragma omp target map(tofrom : var)
#pragma omp teams distribute
  for (int i = 0; i < 100; i++) {
#pragma omp atomic
    var++;
#pragma omp critical
    var++;
  }
  return var; }
//: teams-sum-without-reduction yes
int main(void) { int var = 0;
#pragma omp target map(tofrom : var)
#pragma omp teams distribute
  for (int i = 0; i < 200; i++) var = var + 1;
  return var; }
//: teams-sum no
int main(void) { int var = 0;
#pragma omp target map(tofrom : var)
#pragma omp teams distribute reduction(+ : var)
  for (int i = 0; i < 200; i++) var = var + 1;
  return var; }
//: lock-in-one-team no
int main(void) { omp_lock_t l; int var = 0; omp_init_lock(&l);
#pragma omp target map(tofrom : l, var)
#pragma omp teams num_teams(1)
#pragma omp distribute parallel for
  for (int i = 0; i < 100; i++) { omp_set_lock(&l); var++; omp_unset_lock(&l); }
  return var; }
//: lock-of-each-team yes
int main(void) { int var = 0;
#pragma omp target map(tofrom : var)
#pragma omp teams distribute
  for (int i = 0; i < 100; i++) { omp_lock_t l; omp_init_lock(&l); omp_set_lock(&l); var++; omp_unset_lock(&l); }
  return var; }
//: lock-missing-in-teams yes
int main(void) { int var[8] = {0};
#pragma omp target map(tofrom : var)
#pragma omp teams distribute parallel for
  for (int i = 0; i < 100; i++) for (int k = 0; k < 8; k++) var[k]++;
  return var[3]; }
//: ordered-missing-on-the-device yes
int main(void) { int var[100];
#pragma omp target map(tofrom : var[0 : 100])
#pragma omp parallel for
  for (int i = 1; i < 100; i++) var[i] = var[i - 1] + 1;
  return 0; }
//: ordered-on-the-device no
int main(void) { int var[100];
#pragma omp target map(tofrom : var[0 : 100])
#pragma omp parallel for ordered
  for (int i = 1; i < 100; i++) {
#pragma omp ordered
    var[i] = var[i - 1] + 1;
  }
  return 0; }
//: distribute-dependence yes
int main(void) { int c[100];
#pragma omp target teams distribute parallel for map(tofrom : c)
  for (int i = 0; i < 99; i++) c[i] = c[i + 1];
  return 0; }
//: barrier-of-the-teams-does-not-exist yes
int a[100], b[100];
int main(void) {
#pragma omp target teams num_teams(4) map(tofrom : a, b)
  {
#pragma omp distribute parallel for
    for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp distribute parallel for
    for (int i = 0; i < 100; i++) b[i] = a[99 - i];
  }
  return 0; }
//: two-target-regions no
int a[100], b[100];
int main(void) {
#pragma omp target teams distribute parallel for map(tofrom : a)
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : a, b)
  for (int i = 0; i < 100; i++) b[i] = a[99 - i];
  return 0; }
//: two-target-regions-nowait yes
int a[100], b[100];
int main(void) {
#pragma omp target data map(tofrom : a, b)
  {
#pragma omp target teams distribute parallel for nowait
    for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 100; i++) b[i] = a[99 - i];
  }
  return 0; }
//: two-target-regions-in-order no
int a[100], b[100];
int main(void) {
#pragma omp target data map(tofrom : a, b)
  {
#pragma omp target teams distribute parallel for nowait depend(out : a)
    for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target teams distribute parallel for depend(in : a)
    for (int i = 0; i < 100; i++) b[i] = a[99 - i];
  }
  return 0; }
//: target-nowait-and-the-host yes
int a[100];
int main(void) {
#pragma omp target nowait map(tofrom : a)
  for (int i = 0; i < 100; i++) a[i] = i;
  a[3]++;
#pragma omp taskwait
  return a[3]; }
//: target-nowait-then-taskwait no
int a[100];
int main(void) {
#pragma omp target nowait map(tofrom : a)
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp taskwait
  a[3]++;
  return a[3]; }
//: simd-truedep yes
int main(void) { int len = 100, a[100], b[100];
  for (int i = 0; i < len; i++) { a[i] = i; b[i] = i + 1; }
#pragma omp simd
  for (int i = 0; i < len - 1; i++) a[i + 1] = a[i] + b[i];
  return a[50]; }
//: simd-truedep-length-given yes
int main(int argc, char **argv) { int len = argc > 1 ? atoi(argv[1]) : 100; int a[len], b[len];
#pragma omp simd
  for (int i = 0; i < len - 1; i++) a[i + 1] = a[i] * b[i];
  return 0; }
//: simd no
int main(void) { int len = 100; int a[100], b[100], c[100];
#pragma omp simd
  for (int i = 0; i < len; i++) a[i] = b[i] * c[i];
  return a[3]; }
//: simd-collapsed no
int main(void) { double a[100][100], b[100][100], c[100][100];
#pragma omp simd collapse(2)
  for (int i = 0; i < 100; i++) for (int j = 0; j < 100; j++) c[i][j] = a[i][j] * b[i][j];
  return 0; }
//: simd-of-a-sum no
int main(void) { int s = 0, a[100] = {0};
#pragma omp simd reduction(+ : s)
  for (int i = 0; i < 100; i++) s += a[i];
  return s; }
//: simd-safelen-far-enough no
int main(void) { int m = 32, n = 1000; double b[1032];
  for (int i = 0; i < n + m; i++) b[i] = 1.0;
#pragma omp simd safelen(16)
  for (int i = m; i < n; i++) b[i] = b[i - m] - 1.0;
  return 0; }
//: simd-safelen-too-long yes
int main(void) { int m = 1, n = 4; double b[4] = {1, 1, 1, 1};
#pragma omp simd safelen(2)
  for (int i = m; i < n; i++) b[i] = b[i - m] - 1.0;
  return 0; }
//: for-simd-truedep yes
int main(void) { int a[100], b[100];
#pragma omp parallel for simd
  for (int i = 1; i < 100; i++) a[i] = a[i - 1] + b[i];
  return 0; }
//: simd-antidep-of-lanes no
int main(void) { int a[101];
#pragma omp simd
  for (int i = 0; i < 100; i++) a[i] = a[i + 1] + 1;
  return 0; }
//: simd-in-teams-with-shared-sums yes
int main(void) { int var[16] = {0};
#pragma omp target map(tofrom : var)
#pragma omp teams distribute parallel for
  for (int i = 0; i < 20; i++) {
#pragma omp simd
    for (int k = 0; k < 16; k++) var[k]++;
  }
  return var[0]; }
//: simd-in-one-region no
int main(void) { int var[16] = {0};
#pragma omp target map(tofrom : var)
  for (int i = 0; i < 20; i++) {
#pragma omp simd
    for (int k = 0; k < 16; k++) var[k]++;
  }
  return var[0]; }
//: ordered-simd no
int main(void) { int a[100] = {0};
#pragma omp simd
  for (int i = 1; i < 100; i++) {
#pragma omp ordered simd
    a[i] = a[i - 1] + 1;
  }
  return a[3]; }
//: target-tasks-missing-dependence yes
int a[100];
int main(void) { int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp target nowait map(tofrom : a)
    a[3] = 4;
#pragma omp task
    a[3] = 5;
#pragma omp taskwait
  }
  return x; }
//: target-tasks-with-dependence no
int a[100];
int main(void) { int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp target nowait map(tofrom : a) depend(out : a)
    a[3] = 4;
#pragma omp task depend(in : a)
    x = a[3];
#pragma omp taskwait
  }
  return x; }
//: loop-construct-dependence yes
int main(void) { int a[100];
#pragma omp parallel
#pragma omp loop
  for (int i = 1; i < 100; i++) a[i] = a[i - 1];
  return 0; }
//: loop-construct no
int main(void) { int a[100];
#pragma omp parallel
#pragma omp loop
  for (int i = 0; i < 100; i++) a[i] = i;
  return 0; }
//: acc-gangs-truedep yes
int main(void) { int a[100];
#pragma acc parallel loop copy(a)
  for (int i = 1; i < 100; i++) a[i] = a[i - 1];
  return 0; }
//: acc-sum-of-a-copied-scalar yes
int main(void) { int s = 0;
#pragma acc parallel loop copy(s)
  for (int i = 0; i < 100; i++) s += i;
  return s; }
//: acc-sum no
int main(void) { int s = 0;
#pragma acc parallel loop reduction(+ : s)
  for (int i = 0; i < 100; i++) s += i;
  return s; }
//: acc-private-missing yes
int main(void) { double row[16]; double a[100];
#pragma acc parallel loop gang create(row) copyout(a)
  for (int i = 0; i < 100; i++) {
    for (int k = 0; k < 16; k++) row[k] = i * k;
    a[i] = row[3]; }
  return 0; }
//: acc-private no
int main(void) { double row[16]; double a[100];
#pragma acc parallel loop gang private(row) copyout(a)
  for (int i = 0; i < 100; i++) {
    for (int k = 0; k < 16; k++) row[k] = i * k;
    a[i] = row[3]; }
  return 0; }
//: acc-independent-that-is-not yes
int main(void) { int a[200];
#pragma acc kernels copy(a)
#pragma acc loop independent
  for (int i = 0; i < 199; i++) a[i] = a[i + 1];
  return 0; }
//: acc-kernels-claims-nothing no
int main(void) { int a[200];
#pragma acc kernels copy(a)
  for (int i = 0; i < 199; i++) a[i] = a[i + 1];
  return 0; }
//: acc-queues-in-order no
int main(void) { double a[100], b[100];
#pragma acc data create(a) copyout(b)
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < 100; i++) a[i] = i;
#pragma acc parallel loop async(1)
    for (int i = 0; i < 100; i++) b[i] = a[99 - i];
#pragma acc wait
  }
  return 0; }
//: acc-queues-apart yes
int main(void) { double a[100], b[100];
#pragma acc data create(a) copyout(b)
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < 100; i++) a[i] = i;
#pragma acc parallel loop async(2)
    for (int i = 0; i < 100; i++) b[i] = a[99 - i];
#pragma acc wait
  }
  return 0; }
//: acc-atomic no
int main(void) { int h[8] = {0};
#pragma acc parallel loop copy(h)
  for (int i = 0; i < 100; i++) {
#pragma acc atomic
    h[i % 8]++;
  }
  return h[0]; }
//: acc-atomic-missing yes
int main(void) { int h[8] = {0};
#pragma acc parallel loop copy(h)
  for (int i = 0; i < 100; i++) h[i % 8]++;
  return h[0]; }
//: acc-worker-sum-without-reduction yes
int main(void) { float a[32][32], r[32]; for (int i = 0; i < 32; i++) for (int j = 0; j < 32; j++) a[i][j] = j;
#pragma acc parallel loop gang copyin(a) copyout(r)
  for (int i = 0; i < 32; i++) { float s = 0;
#pragma acc loop worker
    for (int j = 0; j < 32; j++) s += a[i][j];
    r[i] = s; }
  printf("%f\n", r[3]); return 0; }
//: acc-worker-sum no
int main(void) { float a[32][32], r[32]; for (int i = 0; i < 32; i++) for (int j = 0; j < 32; j++) a[i][j] = j;
#pragma acc parallel loop gang copyin(a) copyout(r)
  for (int i = 0; i < 32; i++) { float s = 0;
#pragma acc loop worker reduction(+ : s)
    for (int j = 0; j < 32; j++) s += a[i][j];
    r[i] = s; }
  printf("%f\n", r[3]); return 0; }
//: acc-gang-private-array-shared-by-workers yes
int main(void) { float r[32][32], t[4];
#pragma acc parallel loop gang private(t) copyout(r)
  for (int i = 0; i < 32; i++) {
#pragma acc loop worker
    for (int j = 0; j < 32; j++) { t[0] = i + j; r[i][j] = t[0] * 2; } }
  printf("%f\n", r[3][3]); return 0; }
//: acc-worker-private-array no
int main(void) { float r[32][32], t[4];
#pragma acc parallel loop gang copyout(r)
  for (int i = 0; i < 32; i++) {
#pragma acc loop worker private(t)
    for (int j = 0; j < 32; j++) { t[0] = i + j; r[i][j] = t[0] * 2; } }
  printf("%f\n", r[3][3]); return 0; }
//: acc-two-loops-of-a-parallel-region-without-order yes
int main(void) { float a[320], b[320];
#pragma acc parallel copyout(a, b)
  {
#pragma acc loop gang
    for (int i = 0; i < 320; i++) a[i] = i;
#pragma acc loop gang
    for (int i = 0; i < 320; i++) b[i] = a[319 - i];
  }
  printf("%f\n", b[3]); return 0; }
//: acc-two-loops-of-kernels no
int main(void) { float a[320], b[320];
#pragma acc kernels copyout(a, b)
  {
#pragma acc loop gang
    for (int i = 0; i < 320; i++) a[i] = i;
#pragma acc loop gang
    for (int i = 0; i < 320; i++) b[i] = a[319 - i];
  }
  printf("%f\n", b[3]); return 0; }
//: acc-host-writes-while-the-queue-copies yes
int main(void) { static float a[320];
  for (int i = 0; i < 320; i++) a[i] = i;
#pragma acc enter data create(a)
#pragma acc update device(a) async(1)
  for (int i = 0; i < 320; i++) a[i] = -i;
#pragma acc wait(1)
#pragma acc exit data delete(a)
  return 0; }
//: acc-host-writes-when-the-queue-has-copied-and-keeps-it yes
int main(void) { static float a[320];
  for (int i = 0; i < 320; i++) a[i] = i;
#pragma acc enter data create(a)
#pragma acc update device(a) async(1)
#pragma acc wait(1)
  for (int i = 0; i < 320; i++) a[i] = -i;
#pragma acc parallel loop present(a)
  for (int i = 0; i < 320; i++) a[i] += 1;
#pragma acc exit data copyout(a)
  printf("%f\n", a[3]); return 0; }
