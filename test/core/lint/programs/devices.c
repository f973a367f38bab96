/* Races on devices, in both models. */
void antidependence_bad(int *a, int n) {
#pragma omp target map(a[0:n])
#pragma omp parallel for
  for (int i = 0; i < n - 1; i++)
    a[i] = a[i + 1] + 1; /* expect: loop-carried-dependence */
}
void antidependence_good(int *a, int n) {
#pragma omp target map(a[0:n])
#pragma omp parallel for
  for (int i = 0; i < n - 1; i++)
    a[i] = a[i] + 1;
}
void teams_bad(double *a) {
#pragma omp target map(tofrom : a[0:100])
#pragma omp teams num_teams(2)
  {
    a[50] *= 2.0; /* expect: data-race */
  }
}
void teams_good(double *a) {
#pragma omp target map(tofrom : a[0:100])
#pragma omp teams num_teams(1)
  {
    a[50] *= 2.0;
  }
}
void team_critical_bad(int *var, int n) {
#pragma omp target map(tofrom : var[0:1]) device(0)
#pragma omp teams distribute parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    var[0]++; /* expect: loop-carried-dependence */
  }
}
void team_atomic_good(int *var, int n) {
#pragma omp target map(tofrom : var[0:1]) device(0)
#pragma omp teams distribute parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic update
    var[0]++;
  }
}
void distribute_good(double a[100][100]) {
#pragma omp target teams distribute map(tofrom : a[0:100])
  for (int i = 0; i < 100; i++) {
#pragma omp parallel for
    for (int j = 0; j < 100; j++)
      a[i][j] = i + j;
  }
}
void distribute_bad(double a[100][100]) {
#pragma omp target teams distribute map(tofrom : a[0:100])
  for (int i = 0; i < 99; i++) {
#pragma omp parallel for
    for (int j = 0; j < 100; j++)
      a[i][j] = a[i + 1][j]; /* expect: loop-carried-dependence */
  }
}
void acc_bad(double *a, int n) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n - 1; i++)
    a[i] = a[i + 1]; /* expect: loop-carried-dependence */
}
void acc_good(double *a, double *b, int n) {
#pragma acc parallel loop copy(a[0:n]) copyin(b[0:n])
  for (int i = 0; i < n - 1; i++)
    a[i] = b[i + 1];
}
void acc_independent_bad(double *a, int n) {
#pragma acc kernels copy(a[0:n])
#pragma acc loop independent
  for (int i = 0; i < n - 1; i++)
    a[i] = a[i + 1]; /* expect: loop-carried-dependence */
}
void acc_kernels_good(double *a, int n) {
#pragma acc kernels copy(a[0:n])
  for (int i = 0; i < n - 1; i++)
    a[i] = a[i + 1];
}
void acc_seq_good(double *a, int n) {
#pragma acc parallel loop seq copy(a[0:n])
  for (int i = 0; i < n - 1; i++)
    a[i] = a[i + 1];
}
void acc_temporary_good(double *a, int n) {
  double t;
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) {
    t = a[i];
    a[i] = t * t;
  }
}
double acc_copied_sum_bad(const double *a, int n) {
  double s = 0;
#pragma acc parallel loop copyin(a[0:n]) copy(s)
  for (int i = 0; i < n; i++)
    s += a[i]; /* expect: missing-reduction */
  return s;
}
double acc_sum_good(const double *a, int n) {
  double s = 0;
#pragma acc parallel loop copyin(a[0:n]) reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
void acc_histogram_bad(int *h, const int *a, int n) {
#pragma acc parallel loop copy(h[0:2]) copyin(a[0:n])
  for (int i = 0; i < n; i++)
    h[i & 1] += a[i]; /* expect: loop-carried-dependence */
}
void acc_histogram_good(int *h, const int *a, int n) {
#pragma acc parallel loop copy(h[0:2]) copyin(a[0:n])
  for (int i = 0; i < n; i++) {
#pragma acc atomic
    h[i & 1] += a[i];
  }
}
void acc_vector_bad(double a[100][100]) {
#pragma acc parallel loop gang copy(a[0:100])
  for (int i = 0; i < 100; i++) {
#pragma acc loop vector
    for (int j = 0; j < 99; j++)
      a[i][j] = a[i][j + 1]; /* expect: loop-carried-dependence */
  }
}
void acc_vector_good(double a[100][100]) {
#pragma acc parallel loop gang copy(a[0:100])
  for (int i = 0; i < 100; i++) {
#pragma acc loop seq
    for (int j = 0; j < 99; j++)
      a[i][j] = a[i][j + 1];
  }
}
void acc_private_array_good(double *a, int n) {
  double w[4];
#pragma acc parallel loop copy(a[0:n]) private(w)
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 4; k++) w[k] = a[i] * k;
    a[i] = w[0] + w[3];
  }
}
void acc_shared_array_bad(double *a, int n) {
  double w[4];
#pragma acc parallel loop copy(a[0:n]) create(w)
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 4; k++) w[k] = a[i] * k; /* expect: loop-carried-dependence */
    a[i] = w[0] + w[3];
  }
}
/* Locks are those of a team. */
typedef int omp_lock_t;
void omp_init_lock(omp_lock_t *);
void omp_set_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
int team_lock_bad(void) {
  omp_lock_t lock;
  int var = 0;
  omp_init_lock(&lock);
#pragma omp target map(tofrom : var)
#pragma omp teams distribute parallel for
  for (int i = 0; i < 100; i++) {
    omp_set_lock(&lock);
    var++; /* expect: missing-reduction */
    omp_unset_lock(&lock);
  }
  return var;
}
int team_lock_good(void) {
  omp_lock_t lock;
  int var = 0;
  omp_init_lock(&lock);
#pragma omp target map(tofrom : var)
#pragma omp teams num_teams(1)
#pragma omp distribute parallel for
  for (int i = 0; i < 100; i++) {
    omp_set_lock(&lock);
    var++;
    omp_unset_lock(&lock);
  }
  return var;
}
/* Nothing stands between two distributed loops. */
void distributed_twice_bad(int *b, int *t) {
#pragma omp target map(tofrom : b[0:16], t[0:16])
#pragma omp teams
  for (int k = 0; k < 100; k++) {
#pragma omp distribute
    for (int i = 0; i < 16; i++)
      t[i] = b[i] + 1; /* expect: data-race */
#pragma omp distribute
    for (int i = 15; i >= 0; i--)
      b[i] = t[i] * 2; /* expect: data-race */
  }
}
void simd_inside_bad(int var[8]) {
#pragma omp target map(tofrom : var[0:8])
#pragma omp teams num_teams(1)
#pragma omp distribute parallel for
  for (int i = 0; i < 20; i++) {
#pragma omp simd
    for (int k = 0; k < 8; k++)
      var[k]++; /* expect: loop-carried-dependence */
  }
}
void simd_inside_good(void) {
  int var[8] = {0};
#pragma omp target map(tofrom : var)
#pragma omp teams num_teams(1)
#pragma omp distribute parallel for reduction(+ : var)
  for (int i = 0; i < 20; i++) {
#pragma omp simd
    for (int k = 0; k < 8; k++)
      var[k]++;
  }
}
double acc_sum_bad(const double *a, int n) {
  double s = 0;
#pragma acc parallel loop copyin(a[0:n])
  for (int i = 0; i < n; i++)
    s += a[i]; /* expect: missing-reduction */
  return s;
}
void acc_unused_sum_good(double *a, int n) {
  double s = 0;
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    s += a[i];
}
