// Collapsed loops of which one has no iterations do nothing.
#include "check.h"

static int touched(int rows, int columns) {
  int count = 0;
#pragma acc parallel loop collapse(2) reduction(+:count)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      count++;
  return count;
}

int main(void) {
  EXPECT(touched(31, 0), 0);
  EXPECT(touched(0, 31), 0);
  EXPECT(touched(0, 0), 0);
  EXPECT(touched(1, 1), 1);
  EXPECT(touched(13, 17), 221);
  return report();
}
