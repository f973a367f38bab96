/* Arrays that one region hands to the next: a pair, a nest that runs backwards, a chain of three, one split and joined again. */
#include <stdio.h>
#ifndef N
#define N 133
#endif
#define ROWS 7
#define COLS (N / ROWS)
static float in[N], mid[N], more[N], out[N];

static void show(void) {
  for (int k = 0; k < N; k++) {
    printf("%.6g%c", out[k], k % 12 == 11 ? '\n' : ' ');
    out[k] = 0;
  }
}

static void pair(float by) {
#pragma acc data copyin(in) copyout(out) pipe(mid)
  {
#pragma acc parallel loop num_gangs(1) num_workers(1) vector_length(1) pipeout(mid)
    for (int k = 0; k < N; k++) mid[k] = in[k] * by;
#pragma acc parallel loop num_gangs(1) num_workers(1) vector_length(1) pipein(mid)
    for (int k = 0; k < N; k++) out[k] = k % 3 ? mid[k] * mid[k] : 1;
  }
}

static void backwards(void) {
#pragma acc data copyin(in) copy(out) pipe(mid)
  {
#pragma acc serial loop collapse(2) pipeout(mid)
    for (int i = 0; i < ROWS; i++)
      for (int j = COLS - 1; j >= 0; j--) mid[i * COLS + j] = in[i * COLS + j] + i;
#pragma acc serial loop collapse(2) pipein(mid)
    for (int i = 0; i < ROWS; i++)
      for (int j = COLS - 1; j >= 0; j--) out[j * ROWS + i] = mid[i * COLS + j];
  }
}

static void chain(void) {
#pragma acc data copyin(in) copyout(out) pipe(mid, more)
  {
#pragma acc serial loop pipeout(mid)
    for (int k = 0; k < N; k++) mid[k] = in[k] + 1;
#pragma acc serial loop pipein(mid) pipeout(more)
    for (int k = 0; k < N; k++) more[k] = mid[k] * mid[k];
#pragma acc serial loop pipein(more)
    for (int k = 0; k < N; k++) out[k] = more[k] - 2;
  }
}

static void stencil(void) {
  float sum = 0;
#pragma acc data copyin(in) copyout(out) copy(sum) pipe(mid)
  {
#pragma acc serial loop pipeout(mid) reduction(+:sum)
#pragma openarc transform window(in, mid)
    for (int k = 1; k < N - 1; k++) {
      mid[k] = in[k - 1] + 2 * in[k] + in[k + 1];
      sum += in[k];
    }
#pragma acc serial loop pipein(mid)
    for (int k = 1; k < N - 1; k++) out[k] = mid[k] * 0.25f;
  }
  out[0] = out[N - 1] = sum;
}

int main(void) {
  for (int k = 0; k < N; k++) in[k] = k * 29 % 31 - 9;
  pair(1.5f);
  show();
  pair(-2);
  show();
  backwards();
  show();
  chain();
  show();
  stencil();
  show();
}
