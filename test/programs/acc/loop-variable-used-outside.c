// The variable of a loop is the loop's own: the region's variable of the name, local or global, keeps its value.
// arc: directives-needed, gcc-cannot one variable serves all
#include "check.h"

int counted;
#pragma acc declare create(counted)

#pragma acc routine seq
static int behind(int *x) {
#pragma acc loop seq
  for (counted = 0; counted < 3; counted++)
    x[counted] = 7;
  return counted;
}

int main(void) {
  int x[10] = {0}, y[5] = {0}, i = 77, j = 88;
  counted = 66;
#pragma acc update device(counted)
#pragma acc parallel copy(x, y) num_gangs(1)
  {
#pragma acc loop worker
    for (i = 0; i < 10; i++)
      x[i] = i;
    y[0] = i;
#pragma acc loop vector
    for (j = 0; j < 10; j++)
      x[j] += j;
    y[1] = j;
#pragma acc loop vector
    for (counted = 0; counted < 10; counted++)
      x[counted] += counted;
    y[2] = counted;
    counted = 55;
  }
#pragma acc serial copy(x, y)
  {
    y[3] = behind(x);
    y[4] = x[2];
  }
  EXPECT(y[0], 77);
  EXPECT(y[1], 88);
  EXPECT(y[2], 66);
  EXPECT(y[3], 55);
  EXPECT(y[4], 7);
  for (int k = 3; k < 10; k++)
    EXPECT_AT(k, x[k], 3 * k);
  return report();
}
