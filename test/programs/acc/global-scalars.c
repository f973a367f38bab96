// File-scope scalars in regions without any declare: firstprivate in parallel, copied back in kernels.
// arc: items>1
#include "check.h"

#define N 119

static int rows = N, stride = 2;
static double scale = 0.5, last;
unsigned char flag = 3;

int main(void) {
  double a[2 * N];

#pragma acc parallel loop copyout(a)
  for (int i = 0; i < rows * stride; i++)
    a[i] = scale * i + flag;
#pragma acc kernels copyin(a)
  {
    last = a[stride * rows - 1];
    stride = 5;
  }

  NEAR(last, 0.5 * (2 * N - 1) + 3, 0);
  EXPECT(stride, 5);
  for (int i = 0; i < 2 * N; i++)
    NEAR_AT(i, a[i], 0.5 * i + 3, 0);
  return report();
}
