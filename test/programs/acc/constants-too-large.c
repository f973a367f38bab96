// Constants too large for their types have the values that the C compiler gives them.
// arc: items>1, warns
#include <stdio.h>

int main(void) {
  unsigned long cut[7], most[7];
  int wide[7];
  long x = 5;
#pragma acc parallel loop copyout(cut, most, wide)
  for (int i = 0; i < 7; i++) {
    cut[i] = i + 18446744073709551617;
    most[i] = 0xfffffffffffffffff - i;
    wide[i] = x - i - 9223372036854775808 > 0;
  }
  int wrong = 0;
  for (int i = 0; i < 7; i++)
    wrong += cut[i] != i + 1 || most[i] != 0xffffffffffffffff - i || wide[i];
  if (wrong)
    printf("%d elements are wrong\n", wrong);
  return wrong != 0;
}
