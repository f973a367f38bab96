// a reduction that only the outermost loop of a nest names: the loops inside combine into it, too
#include <stdio.h>

#define N 12
#define M 70

static double a[N][M];

int main(void) {
  double sum = 3, largest = 0;
  long evens = 0, all = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) a[i][j] = (i * 31 + j * 17) % 101;

#pragma acc parallel loop gang reduction(+ : sum) reduction(max : largest) copyin(a)
  for (int i = 0; i < N; i++) {
#pragma acc loop vector
    for (int j = 0; j < M; j++) {
      sum = sum + a[i][j];
      largest = a[i][j] > largest ? a[i][j] : largest;
    }
  }

#pragma acc parallel loop reduction(+ : evens) copyin(a)
  for (int i = 0; i < N; i++) {
#pragma acc loop
    for (int j = 0; j < M; j++)
      if ((long)a[i][j] % 2 == 0) evens++;
  }

#pragma acc parallel copyin(a)
  {
#pragma acc loop gang reduction(+ : all)
    for (int i = 0; i < N; i++) {
      all += i;
#pragma acc loop worker
      for (int j = 0; j < M / 10; j++) {
#pragma acc loop vector
        for (int k = 0; k < 10; k++) all += (long)a[i][j * 10 + k];
      }
    }
  }
  printf("%g %g %ld %ld\n", sum, largest, evens, all);
  return 0;
}
