// A reduction variable that the loop's body never mentions keeps its value.
#include "check.h"

static _Bool flag = 1;

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

#pragma acc kernels copy(a)
  {
    for (int t = 0; t < 3; t++) {
      if (a[96] > 104) break;
#pragma acc loop gang vector reduction(min : flag)
      for (int i = 0; i < 97; i++)
        a[i]++;
    }
    a[1] = flag + 7;
  }
  EXPECT(flag, 1);
  EXPECT(a[1], 8);
  EXPECT(a[96], 105);
  return report();
}
