// Two collapsed loops that both run from above their bound do nothing: negative counts must not multiply.
// arc: gcc-cannot multiplies the negative counts
#include "check.h"

static int touched(int rows, int columns) {
  int count = 0;
#pragma acc parallel loop collapse(2) reduction(+:count)
  for (int i = 1; i < rows; i++)
    for (int j = 1; j < columns; j++)
      count++;
  return count;
}

int main(void) {
  EXPECT(touched(0, 0), 0);
  EXPECT(touched(-5, -7), 0);
  EXPECT(touched(-5, 7), 0);
  EXPECT(touched(7, -5), 0);
  EXPECT(touched(3, 3), 4);
  return report();
}
