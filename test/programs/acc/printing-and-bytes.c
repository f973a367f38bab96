// A region prints, and fills and copies bytes by the library's functions.
// arc: items>1, prints item 3 of 1009: 12345678901 ok (100%zu)
#include "check.h"
#include <string.h>

#define N 1009

struct pair {
  int key;
  double value;
};

int main(void) {
  static struct pair from[N], to[N];
  unsigned char filled[N][3];
  size_t n = N;
  for (int i = 0; i < N; i++)
    from[i] = (struct pair){i, 0.5 * i};

#pragma acc parallel loop copyin(from) copyout(to, filled)
  for (int i = 0; i < N; i++) {
    struct pair own;
    memcpy(&own, &from[i], sizeof own);
    own.key++;
    memcpy(to + i, &own, sizeof own);
    memset(filled[i], i, sizeof filled[i]);
    if (i == 3)
      printf("item %d of %zu: %lld %s (100%%zu)\n", i, n, 12345678901LL, "ok");
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, to[i].key, i + 1);
    NEAR_AT(i, to[i].value, 0.5 * i, 0);
    EXPECT_AT(i, filled[i][0], i % 256);
    EXPECT_AT(i, filled[i][2], i % 256);
  }
  return report();
}
