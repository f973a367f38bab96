// Names that are declared again in inner scopes, inside and outside of regions.
// arc: items>1
#include "check.h"

#define N 91

static int x = 1000;

int main(void) {
  int a[N], b[N];
  int i = -5;
  {
    int x = 7;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < N; i++) {
      int y = x;
      {
        int x = i;
        y += x;
        for (int i = 0; i < 2; i++) {
          int y = 100;
          x += y;
        }
        y += x;
      }
      a[i] = y + x;
    }
  }
#pragma acc parallel loop copyout(b)
  for (int i = 0; i < N; i++) {
    int a = x + i;
    b[i] = a;
  }

  EXPECT(i, -5);
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], 2 * i + 214);
    EXPECT_AT(i, b[i], 1000 + i);
  }
  return report();
}
