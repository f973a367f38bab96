// Atomic capture of a block: the old value then the update, the update then the new value, and an exchange.
// arc: items>1
#include "check.h"

#define N 1021

int main(void) {
  static int old[N], fresh[N], swapped[N];
  int x = 0, y = 0, token = -1;

#pragma acc parallel loop copy(x, y, token) copyout(old, fresh, swapped)
  for (int i = 0; i < N; i++) {
    int before, after, other;
#pragma acc atomic capture
    {
      before = x;
      x += 1;
    }
#pragma acc atomic capture
    {
      y++;
      after = y;
    }
#pragma acc atomic capture
    {
      other = token;
      token = i;
    }
    old[i] = before;
    fresh[i] = after;
    swapped[i] = other;
  }

  long olds = 0, news = 0, tokens = token;
  for (int i = 0; i < N; i++) {
    olds += old[i];
    news += fresh[i];
    tokens += swapped[i];
  }
  EXPECT(x, N);
  EXPECT(y, N);
  EXPECT(olds, (long)N * (N - 1) / 2);
  EXPECT(news, (long)N * (N + 1) / 2);
  EXPECT(tokens, (long)N * (N - 1) / 2 - 1);
  return report();
}
