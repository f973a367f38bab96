// A region asks how many devices there are.
// expect: 9:12 error[no-device-code]
// remedy: call it in front of the region, and use its value there
#include <omp.h>
void f(int n, double *a);
void f(int n, double *a) {
#pragma omp target teams distribute parallel for map(from: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = omp_get_num_devices();
}
