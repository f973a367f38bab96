// While, do, for without parts, switch with ranges of cases, nested break and continue, in one region.
// arc: items>1
#include "check.h"

#define N 307

#define BODY(i, result)                                                                                              \
  do {                                                                                                               \
    int x = (i), r = 0;                                                                                              \
    while (x > 0) {                                                                                                  \
      if (x % 5 == 0) {                                                                                              \
        x -= 3;                                                                                                      \
        continue;                                                                                                    \
      }                                                                                                              \
      switch (x % 4) {                                                                                               \
      case 0:                                                                                                        \
        r += 1;                                                                                                      \
        break;                                                                                                       \
      case 1:                                                                                                        \
        r += 10;                                                                                                     \
        /* fall through */                                                                                           \
      case 2:                                                                                                        \
        r += 100;                                                                                                    \
        break;                                                                                                       \
      default:                                                                                                       \
        r -= 1;                                                                                                      \
      }                                                                                                              \
      x /= 2;                                                                                                        \
    }                                                                                                                \
    int k = 0;                                                                                                       \
    do {                                                                                                             \
      k += 2;                                                                                                        \
      if (k > (i) % 13)                                                                                              \
        break;                                                                                                       \
    } while (k < 9);                                                                                                 \
    for (;;) {                                                                                                       \
      for (int j = 0;; j++) {                                                                                        \
        if (j == 3)                                                                                                  \
          break;                                                                                                     \
        if (j == 1)                                                                                                  \
          continue;                                                                                                  \
        r += j;                                                                                                      \
      }                                                                                                              \
      if (++k >= 10)                                                                                                 \
        break;                                                                                                       \
    }                                                                                                                \
    (result) = 1000 * r + k;                                                                                         \
  } while (0)

int main(void) {
  static int a[N];

#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++)
    BODY(i, a[i]);

  for (int i = 0; i < N; i++) {
    int want;
    BODY(i, want);
    EXPECT_AT(i, a[i], want);
  }
  return report();
}
