/* Copies that are no dependences, dependences that copy nothing, and devices by number. */
#include <nanos_omp.h>
#include <stdio.h>

enum { N = 512 };

int where;
char *token;
static char tokens[2];

/* The token orders; what is moved is said apart. */
#pragma omp target device(opencl) ndrange(1, n, 64) file(kernels.cl) name(saxpy) copy_in([n]x) copy_inout([n]y) onto(where)
#pragma omp task inout(*token)
void saxpy_on(int n, float a, float *x, float *y);


int main(void) {
  static float x[N], y[N];
  for (int i = 0; i < N; i++) x[i] = i, y[i] = 1;
  int devices = nanos_get_total_num_devices();
  token = tokens;
  for (int turn = 0; turn < 4; turn++) {
    where = turn / 2 % devices;
    saxpy_on(N, 1, x, y);
  }
  double seen = 0;
#pragma omp target device(smp) copy_in(y)
#pragma omp task inout(*token) shared(seen, y)
  seen = y[N - 1];
#pragma omp taskwait noflush
  printf("%d devices: %g\n", devices, seen);
  return 0;
}
