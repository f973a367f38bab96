/* Relaxation as the published variants have it: nests that the variant collapses, and no measure of the change. */
#ifndef N
#define N 8192
#define STEPS 10
#endif
static float now[N + 2][N + 2], next[N + 2][N + 2];

static void sweep(void) {
#pragma acc parallel loop present(now, next)
#pragma openarc transform window(now, next)
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      next[i][j] = 0.25f * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
}

static void copy(void) {
#pragma acc parallel loop present(now, next)
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++) now[i][j] = next[i][j];
}

int main(void) {
#pragma acc data copy(now) create(next)
  for (int n = 0; n < STEPS; n++) {
    sweep();
    copy();
  }
}
