/* One step of a finite difference in three dimensions, radius 3: a window over an array of three dimensions. */
#include <stdio.h>
#ifndef NX
#define NX 13
#define NY 9
#define NZ 8
#endif
#define R 3
static float in[NZ][NY][NX], out[NZ][NY][NX];

static void step(void) {
#pragma acc parallel loop collapse(3) copyin(in) copy(out)
#pragma openarc transform window(in, out)
  for (int k = R; k < NZ - R; k++)
    for (int j = R; j < NY - R; j++)
      for (int i = R; i < NX - R; i++) {
        float sum = in[k][j][i] * 0.5f;
        for (int r = 1; r <= R; r++)
          sum += (in[k - r][j][i] + in[k + r][j][i] + in[k][j - r][i] + in[k][j + r][i] + in[k][j][i - r] +
                  in[k][j][i + r]) * (0.25f / r);
        out[k][j][i] = sum;
      }
}

int main(void) {
  for (int n = 0; n < NX * NY * NZ; n++) (&in[0][0][0])[n] = n * 37 % 101;
  step();
  for (int n = 0; n < NX * NY * NZ; n++) printf("%.6g%c", (&out[0][0][0])[n], n % NX == NX - 1 ? '\n' : ' ');
}
