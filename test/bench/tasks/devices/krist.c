/* Many small kernels: structure factors, a task for each 4096 reflections. Prints microseconds for each, transfers included. */
#include "clock.h"
#include "krist.h"

#pragma omp target device(opencl) ndrange(1, nr, GROUP) shmem(GROUP * 4 * sizeof(float)) file(krist.cl)
#pragma omp task in([4 * na]a, [3 * nr]h) out([nr]e)
void krist(int na, int nr, const float *a, float *kept, const float *h, float *e);

int main(void) {
  fill();
  for (int turn = 0; turn < 3; turn++) { /* the first opens devices */
    double start = seconds();
    for (int i = 0; i < TASKS; i++) krist(NA, NR, atoms, NULL, reflections + 3L * NR * i, factors + (long)NR * i);
#pragma omp taskwait
    report("tasks", seconds() - start);
  }
  return 0;
}
