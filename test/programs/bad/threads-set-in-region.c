// How many threads the teams of a region have is decided before it starts: a routine that it calls comes too late.
// expect: 8:5 error[no-device-code]
// remedy: say num_threads on the 'parallel' construct
#include <omp.h>
void f(int *a) {
#pragma omp target map(tofrom: a[0:100])
  {
    omp_set_num_threads(3);
#pragma omp parallel for
    for (int i = 0; i < 100; i++) a[i] = omp_get_thread_num();
  }
}
