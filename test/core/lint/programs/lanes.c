/* Lanes of simd loops. */
void true_bad(double *a, const double *b, int n) {
#pragma omp simd
  for (int i = 0; i < n - 1; i++)
    a[i + 1] = a[i] + b[i]; /* expect: simd-dependence */
}
void true_good(double *restrict a, const double *b, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    a[i] = a[i] + b[i];
}
void ahead_good(double *a, const double *b, int n) {
#pragma omp simd
  for (int i = 0; i < n - 1; i++)
    a[i] = a[i + 1] + b[i];
}
void reach_good(double *a, const double *b, int n) {
#pragma omp simd safelen(4)
  for (int i = 0; i < n - 4; i++)
    a[i + 4] = a[i] + b[i];
}
void reach_bad(double *a, const double *b, int n) {
#pragma omp simd safelen(4)
  for (int i = 0; i < n - 3; i++)
    a[i + 3] = a[i] + b[i]; /* expect: simd-dependence */
}
double sum_bad(const double *a, int n) {
  double s = 0;
#pragma omp simd
  for (int i = 0; i < n; i++)
    s += a[i]; /* expect: missing-reduction */
  return s;
}
double sum_good(const double *a, int n) {
  double s = 0;
#pragma omp simd reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
void both_bad(double *a, const double *b, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n - 1; i++)
    a[i + 1] = a[i] + b[i]; /* expect: loop-carried-dependence */
}
void both_good(double *a, const double *b, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; i++)
    a[i] += b[i];
}
