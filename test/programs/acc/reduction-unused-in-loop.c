// A reduction variable that the loop's body never mentions keeps its value.
#include "check.h"

int main(void) {
  int a[97], sum = 5;
  float most = 2.5f;

#pragma acc parallel loop reduction(+ : sum) reduction(max : most) copyout(a)
  for (int i = 0; i < 97; i++)
    a[i] = i;

  EXPECT(sum, 5);
  EXPECT((int)(most * 2), 5);
  EXPECT(a[96], 96);
  return report();
}
