// A clause that names an array parameter without a section means the array as it is declared.
// arc: items>1, gcc-cannot parameters are pointers there
#include "check.h"

#define M 9
enum { rows = 13 };

static void combine(int n, double fixed[rows][M], double varies[n][n + 1], double line[n], double out[static 5]) {
#pragma acc parallel loop copyin(fixed, line) copy(varies) copyout(out)
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n + 1; j++)
      varies[i][j] += line[i] + fixed[rows - 1][M - 1];
    if (i < 5)
      out[i] = i;
  }
#pragma acc data create(line)
  {
#pragma acc parallel loop present(line)
    for (int i = 0; i < n; i++)
      line[i] = -i;
#pragma acc update self(line)
  }
}

int main(void) {
  enum { n = 31 };
  static double fixed[rows][M], varies[n][n + 1], line[n], out[5];
  fixed[rows - 1][M - 1] = 1000;
  for (int i = 0; i < n; i++)
    line[i] = i;
  combine(n, fixed, varies, line, out);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n + 1; j++)
      NEAR_AT(i, varies[i][j], i + 1000.0, 0);
    NEAR_AT(i, line[i], -i, 0);
  }
  NEAR(out[4], 4.0, 0);
  return report();
}
