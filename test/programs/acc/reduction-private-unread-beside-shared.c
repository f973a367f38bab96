// A loop without levels reduces what each gang has by private, which nothing reads afterwards, and stores to shared memory.
#include <stdio.h>
int main(void) {
  long a[64], b[12];
  for (int k = 0; k < 64; k++)
    a[k] = k % 7;
  for (int k = 0; k < 12; k++)
    b[k] = -1;
  int all = 77, wrong = 0;
#pragma acc parallel copyin(a) copy(b) private(all)
  {
    all = 0;
    for (int i = 0; i < 3; i++) {
      all = a[i] != 0;
#pragma acc loop collapse(2) reduction(&& : all)
      for (int j = 0; j < 3; j++)
        for (int k = 0; k < 4; k++) {
          const long *row = &a[4 * j];
          b[4 * j + k] = row[k] + i;
          all = all && row[k] < 9;
        }
    }
  }
  for (int k = 0; k < 12; k++)
    wrong += b[k] != k % 7 + 2;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
