// A region asks for the time.
// expect: 10:12 error[no-device-code]
// remedy: in front of the region and behind it
#include <omp.h>
void f(int n, double *a);
void f(int n, double *a) {
  double from = omp_get_wtime();
#pragma omp target teams distribute parallel for map(from: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = omp_get_wtime() - from;
}
