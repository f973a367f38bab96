// Arrays that no clause names are copied in and out of a parallel construct.
// arc: items>1
#include "check.h"

#define N 523

int main(void) {
  double in[N], out[N];
  for (int i = 0; i < N; i++) {
    in[i] = i * 0.25;
    out[i] = 100;
  }

#pragma acc parallel loop
  for (int i = 0; i < N - 3; i++)
    out[i] = in[i + 3] - in[i];

  for (int i = 0; i < N; i++)
    NEAR_AT(i, out[i], i < N - 3 ? 0.75 : 100, 0);
  return report();
}
