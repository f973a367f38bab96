/* Data that is not where it is used, each beside a twin. */
#include <stdio.h>
#include <stdlib.h>

#define N 100

double read_first_bad(void) {
  double a[N];
  for (int i = 0; i < N; i++) a[i] = i;
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++)
    a[i] += 1; /* expect: read-before-copy */
  return a[3];
}
double read_first_good(void) {
  double a[N];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++) {
    a[i] = i;
    a[i] += 1;
  }
  return a[3];
}
void created_bad(double *out) {
  double t[N];
  for (int i = 0; i < N; i++) t[i] = i;
#pragma omp target data map(alloc : t) map(from : out[0:N])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      out[i] = t[i]; /* expect: read-before-copy */
  }
}
void created_good(double *out) {
  double t[N];
#pragma omp target data map(alloc : t) map(from : out[0:N])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      t[i] = i;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      out[i] = t[i];
  }
}
void updated_good(double *out) {
  double t[N];
  for (int i = 0; i < N; i++) t[i] = i;
#pragma acc data create(t) copyout(out[0:N])
  {
#pragma acc update device(t)
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      out[i] = t[i];
  }
}
int lost_bad(void) {
  int *a = malloc(N * sizeof *a);
  for (int i = 0; i < N; i++) a[i] = i;
#pragma omp target map(to : a[0:N])
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    a[i] = a[i] * 2;
  int x = a[1]; /* expect: lost-result */
  free(a);
  return x;
}
int lost_good(void) {
  int *a = malloc(N * sizeof *a);
  for (int i = 0; i < N; i++) a[i] = i;
#pragma omp target map(tofrom : a[0:N])
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    a[i] = a[i] * 2;
  int x = a[1];
  free(a);
  return x;
}
int overwritten_good(void) {
  int a[N] = {0};
#pragma acc parallel loop copyin(a)
  for (int i = 0; i < N; i++)
    a[i] = i;
  for (int i = 0; i < N; i++) a[i] = 1;
  return a[1];
}
int other_half_good(void) {
  int a[N] = {0};
#pragma acc parallel loop copyin(a)
  for (int i = 0; i < N / 2; i++)
    a[i] = i;
  return a[N - 1];
}
void host_read_bad(double *a, int n) {
#pragma acc data copy(a[0:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      a[i] = i;
    printf("%f\n", a[0]); /* expect: stale-host-read */
  }
}
void host_read_good(double *a, int n) {
#pragma acc data copy(a[0:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      a[i] = i;
#pragma acc update self(a[0:1])
    printf("%f\n", a[0]);
  }
}
void host_read_update_good(double *a, int n) {
#pragma omp target data map(tofrom : a[0:n])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      a[i] = i;
#pragma omp target update from(a[0:n])
    printf("%f\n", a[0]);
  }
}
void host_write_bad(double *a, double *b, int n) {
#pragma acc data copyin(a[0:n]) copyout(b[0:n])
  {
    for (int i = 0; i < n; i++) a[i] = i;
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      b[i] = a[i]; /* expect: stale-device-read */
  }
}
void host_write_good(double *a, double *b, int n) {
  for (int i = 0; i < n; i++) a[i] = i;
#pragma acc data copyin(a[0:n]) copyout(b[0:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      b[i] = a[i];
  }
}
void short_bad(double *a, double *b, int n) {
#pragma acc parallel loop copyin(a[0:n]) copyout(b[0:n])
  for (int i = 0; i < n; i++)
    b[i] = a[i] + a[i + 1]; /* expect: section-too-short */
}
void short_good(double *a, double *b, int n) {
#pragma acc parallel loop copyin(a[0:n]) copyout(b[0:n])
  for (int i = 0; i < n - 1; i++)
    b[i] = a[i] + a[i + 1];
}
void guarded_section_good(double *a, double *b, int n) {
#pragma acc parallel loop copyin(a[0:n]) copyout(b[0:n])
  for (int i = 0; i < n; i++)
    b[i] = i + 1 < n ? a[i + 1] : a[i];
}
void overflow_bad(void) {
  int *a = malloc(N * sizeof *a), *b = malloc(N * N * sizeof *b);
  for (int i = 0; i < N; i++) a[i] = 0;
  for (int i = 0; i < N * N; i++) b[i] = i;
#pragma omp target map(tofrom : a[0:N]) map(to : b[0:N])
#pragma omp teams distribute parallel for
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i] += b[j + i * N]; /* expect: section-too-short */
  printf("%d\n", a[1]);
}
void overflow_good(void) {
  int *a = malloc(N * sizeof *a), *b = malloc(N * N * sizeof *b);
  for (int i = 0; i < N; i++) a[i] = 0;
  for (int i = 0; i < N * N; i++) b[i] = i;
#pragma omp target map(tofrom : a[0:N]) map(to : b[0:N * N])
#pragma omp teams distribute parallel for
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i] += b[j + i * N];
  printf("%d\n", a[1]);
}
/* Blocks may divide the length without a rest: callers see to it. */
void blocks_fit(double *a, int n, int rows) {
#pragma acc parallel loop gang copy(a[0:n])
  for (int block = 0; block < n; block += 64) {
#pragma acc loop vector
    for (int i = 0; i < 64; i++)
      a[block + i] *= 2;
  }
#pragma acc data copy(a[0:n])
  for (int block = 0; block < n; block += 1000) {
#pragma acc parallel loop
    for (int i = block; i < block + 1000; i++)
      a[i] += 1;
  }
#pragma omp target teams distribute map(tofrom : a[0:rows * n])
  for (int row = 0; row < rows; row += 32) {
#pragma omp parallel for collapse(2)
    for (int j = 0; j < 32; j++)
      for (int i = 0; i < n; i++)
        a[(row + j) * n + i] = 1;
  }
}
void blocks_bad(double *a, double *b, int n) {
#pragma acc parallel loop gang copy(a[0:n])
  for (int block = 0; block < n; block += 64) {
#pragma acc loop vector
    for (int i = 0; i < 64; i++)
      a[block + n + i] *= 2; /* expect: section-too-short */
  }
#pragma acc parallel loop copy(b[0:10])
  for (int i = 0; i < 10; i += 4) {
    b[i] = i;
    b[i + 3] = i; /* expect: section-too-short */
  }
}
void lower_bad(double *a) {
#pragma acc parallel loop copy(a[10:20])
  for (int i = 9; i < 30; i++)
    a[i] = i; /* expect: section-too-short */
}
void lower_good(double *a) {
#pragma acc parallel loop copy(a[10:20])
  for (int i = 10; i < 30; i++)
    a[i] = i;
}
/* Which of n and m is the greater is not known. */
void two_sizes_good(double *a, int n, int m) {
#pragma acc parallel loop copy(a[0:m])
  for (int i = 0; i < n; i++)
    a[i] = i;
}
void unmapped_bad(void) {
  int *a = malloc(N * sizeof *a);
#pragma omp target
#pragma omp teams distribute parallel for
  for (int i = 0; i < N; i++)
    a[i] = i; /* expect: missing-map */
  free(a);
}
void unmapped_good(void) {
  int *a = malloc(N * sizeof *a);
#pragma omp target enter data map(alloc : a[0:N])
#pragma omp target
#pragma omp teams distribute parallel for
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp target exit data map(from : a[0:N])
  free(a);
}
void array_good(void) {
  int a[N];
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    a[i] = i;
  printf("%d\n", a[1]);
}
void present_bad(void) {
  int a[N] = {0};
#pragma acc parallel loop present(a) /* expect: never-present */
  for (int i = 0; i < N; i++)
    a[i] = i;
}
void present_good(void) {
  int a[N] = {0};
#pragma acc enter data copyin(a)
#pragma acc parallel loop present(a)
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma acc exit data copyout(a)
}
void queues_bad(double *a, double *b, int n) {
#pragma acc data copy(a[0:n], b[0:n])
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < n; i++)
      a[i] = i;
#pragma acc parallel loop async(2)
    for (int i = 0; i < n; i++)
      b[i] = a[i]; /* expect: queue-race */
#pragma acc wait
  }
}
void queues_good(double *a, double *b, int n) {
#pragma acc data copy(a[0:n], b[0:n])
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < n; i++)
      a[i] = i;
#pragma acc parallel loop async(1)
    for (int i = 0; i < n; i++)
      b[i] = a[i];
#pragma acc wait
  }
}
void waiting_queues_good(double *a, double *b, int n) {
#pragma acc data copy(a[0:n], b[0:n])
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < n; i++)
      a[i] = i;
#pragma acc wait(1) async(2)
#pragma acc parallel loop async(2)
    for (int i = 0; i < n; i++)
      b[i] = a[i];
#pragma acc wait
  }
}
void not_waiting_bad(int *x) {
#pragma omp target data map(tofrom : x[0:N])
  {
#pragma omp target teams distribute parallel for nowait
    for (int i = 0; i < N; i++)
      x[i] = i;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      x[i] = x[i] * 2; /* expect: queue-race */
  }
}
void not_waiting_good(int *x) {
#pragma omp target data map(tofrom : x[0:N])
  {
#pragma omp target teams distribute parallel for nowait depend(out : x)
    for (int i = 0; i < N; i++)
      x[i] = i;
#pragma omp target teams distribute parallel for depend(in : x)
    for (int i = 0; i < N; i++)
      x[i] = x[i] * 2;
  }
}
int scalar_bad(const int *a) {
  int s = 0;
#pragma omp target map(to : a[0:N])
  for (int i = 0; i < N; i++)
    s += a[i];
  return s; /* expect: lost-result */
}
int scalar_good(const int *a) {
  int s = 0;
#pragma omp target map(to : a[0:N]) map(tofrom : s)
  for (int i = 0; i < N; i++)
    s += a[i];
  return s;
}
int reduced_scalar_good(const int *a) {
  int s = 0, i;
#pragma omp target teams distribute parallel for map(to : a[0:N]) reduction(+ : s)
  for (i = 0; i < N; i++)
    s += a[i];
  for (i = 0; i < N; i++) s += i;
  return s;
}
int overwritten_scalar_good(int *a) {
  int t = 1;
#pragma omp target map(tofrom : a[0:N])
  {
    t = a[0];
    a[1] = t;
  }
  t = a[1];
  return t;
}
void diagonal_good(int *sum) {
  int a[N][N];
#pragma acc serial copyout(a) copy(sum[0:1])
  {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[i][j] = i * j;
    for (int i = 0; i < N; i++)
      sum[0] += a[i][i];
  }
}

double mapped_sum_bad(const double *a) {
  double s = 0;
#pragma omp target teams distribute parallel for map(to : s, a[0 : 100]) reduction(+ : s)
  for (int i = 0; i < 100; i++) s += a[i];
  return s; /* expect: lost-result */
}
double mapped_sum_good(const double *a) {
  double s = 0;
#pragma omp target teams distribute parallel for map(tofrom : s) map(to : a[0 : 100]) reduction(+ : s)
  for (int i = 0; i < 100; i++) s += a[i];
  return s;
}

int last_of_gangs_bad(double *a, int n) {
  int last = 0, i;
#pragma acc parallel copyout(a[0 : n])
  {
    last = 7;
#pragma acc loop
    for (i = 0; i < n; i++) a[i] = last;
  }
  return last; /* expect: lost-result */
}
int last_of_gangs_good(double *a, int n) {
  int last = 0, i;
#pragma acc parallel copyout(a[0 : n]) copy(last)
  {
    last = 7;
#pragma acc loop
    for (i = 0; i < n; i++) a[i] = last;
  }
  return last;
}
int last_of_kernels_good(double *a, int n) {
  int last = 0;
#pragma acc kernels copyout(a[0 : n])
  {
    last = 7;
    for (int i = 0; i < n; i++) a[i] = last;
  }
  return last;
}
int set_again_good(double *a, int n) {
  int x = 0, i;
#pragma acc parallel loop copyout(a[0 : n])
  for (i = 0; i < n; i++) {
    x = i + 1;
    a[i] = x;
  }
  x = 2;
  for (i = 0; i < n; i++) x += (int)a[i];
  return x;
}
int scalar_of_data_good(double *a, int n) {
  int last = 0;
#pragma acc data copy(last) copyout(a[0 : n])
  {
#pragma acc serial
    {
      last = 7;
      for (int i = 0; i < n; i++) a[i] = last;
    }
  }
  return last;
}
double sum_of_inner_loop_good(const double *a, int n) {
  double s = 0;
#pragma acc parallel copyin(a[0 : n])
  {
#pragma acc loop reduction(+ : s)
    for (int i = 0; i < n; i++) s = s + a[i];
  }
  return s;
}
int seen_bad(const double *a, int n) {
  int found = 0;
#pragma acc serial copyin(a[0 : n])
  found = a[n - 1] > 0;
  return found; /* expect: lost-result */
}

/* The update brings the half that no region has changed. */
void other_half_updated(void) {
  double a[64];
  for (int i = 0; i < 64; i++)
    a[i] = i;
#pragma omp target data map(to : a)
  {
#pragma omp target teams distribute parallel for
    for (int i = 32; i < 64; i++)
      a[i]++;
#pragma omp target update from(a[0 : 32])
  }
  for (int i = 0; i < 64; i++)
    printf("%g\n", a[i]); /* expect: lost-result */
}

void changed_half_updated_good(void) {
  double a[64];
  for (int i = 0; i < 64; i++)
    a[i] = i;
#pragma omp target data map(to : a)
  {
#pragma omp target teams distribute parallel for
    for (int i = 32; i < 64; i++)
      a[i]++;
#pragma omp target update from(a[32 : 32])
  }
  for (int i = 0; i < 64; i++)
    printf("%g\n", a[i]);
}

/* How many time steps there are says nothing about the size. */
void many_steps(double *u, double *v, int n) {
#pragma omp target data map(tofrom : u[0 : n * n]) map(alloc : v[0 : n * n])
  for (int t = 0; t < 50; t++) {
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        v[i * n + j] = u[i * n + j - 1] + u[i * n + j + 1];
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u[i * n + j] = v[(i - 1) * n + j] + v[(i + 1) * n + j]; /* expect: read-before-copy */
  }
}
