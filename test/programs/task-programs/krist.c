/* Structure factors of a crystal: many small kernels, each of which keeps atoms in memory of its group. */
#include <stdio.h>

enum { NA = 64, NH = 256, NR = 32, GROUP = 16 };

#pragma omp target device(opencl) ndrange(1, nr, GROUP) shmem(GROUP * 4 * sizeof(float)) file(programs.cl)
#pragma omp task in([4 * na]a, [3 * nr]h) out([nr]e)
void krist(int na, int nr, const float *a, float *kept, const float *h, float *e);

#ifdef SERIAL
void krist(int na, int nr, const float *a, float *kept, const float *h, float *e) {
  for (int i = 0; i < nr; i++) {
    e[i] = 0;
    for (int k = 0; k < na; k++)
      e[i] += a[4 * k] * (a[4 * k + 1] * h[3 * i] + a[4 * k + 2] * h[3 * i + 1] + a[4 * k + 3] * h[3 * i + 2]);
  }
}
#endif

int main(void) {
  static float a[4 * NA], h[3 * NH], e[NH];
  for (int i = 0; i < 4 * NA; i++) a[i] = i % 9;
  for (int i = 0; i < 3 * NH; i++) h[i] = i % 11;
  for (int turn = 0; turn < 5; turn++)
    for (int i = 0; i < NH; i += NR) krist(NA, NR, a, NULL, h + 3 * i, e + i);
#pragma omp taskwait
  double sum = 0;
  for (int i = 0; i < NH; i++) sum += e[i] * (1 + i % 3);
  printf("%.0f %g %g\n", sum, e[0], e[NH - 1]);
  return 0;
}
