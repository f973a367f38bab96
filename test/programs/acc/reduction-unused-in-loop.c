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

  static unsigned kept = 7;
#pragma acc kernels copy(a)
  {
    int one = 1;
    a[1] += one;
    for (int t = 0; t < 2; t++) {
      a[0]++;
      if (a[t] > 1) {
#pragma acc loop gang worker vector reduction(+ : kept)
        for (int i = 0; i < 97; i++)
          a[i] += t * one;
      }
    }
  }
  EXPECT(kept, 7);
  EXPECT(a[0], 3);
  EXPECT(a[96], 97);

  int first[4] = {5, 6, 7, 8};
#pragma acc parallel copyin(first) copy(a)
  for (int t = 0; t < 4; t++) {
    int top = first[t];
#pragma acc loop reduction(max : top)
    for (int i = 0; i < 97; i++)
      a[i] += t;
  }
  EXPECT(a[96], 103);
  return report();
}
