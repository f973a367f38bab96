// A loop around a vector loop that runs in some iterations of another one and not in others, and what it left behind each time.
#include "check.h"

#define N 31

static void fold(const int *trips, int *seen, int *total) {
  for (int q = 0; q < 5; q++)
    for (int r = 0; r < trips[q]; r++) {
      int s = total[0];
      for (int k = 0; k < N - q; k++) s ^= q + k % 2;
      total[0] = s % 1000;
      seen[0] += total[0];
    }
}

int main(void) {
  int trips[5] = {1, 0, 1, 0, 2}, seen[1] = {3}, total[1] = {48}, want_seen[1] = {3}, want_total[1] = {48};
  fold(trips, want_seen, want_total);
#pragma acc parallel num_gangs(1) copyin(trips) copy(seen, total)
  {
    for (int q = 0; q < 5; q++)
      for (int r = 0; r < trips[q]; r++) {
        int s = total[0];
#pragma acc loop vector reduction(^ : s)
        for (int k = 0; k < N - q; k++)
          s ^= q + k % 2;
        total[0] = s % 1000;
        seen[0] += total[0];
      }
  }
  EXPECT(seen[0], want_seen[0]);
  EXPECT(total[0], want_total[0]);
#pragma acc parallel num_gangs(1) copy(seen, total)
  {
    for (int q = 0; q < 5; q++)
      for (int r = 0; r < 1 - q % 2; r++) {
        int s = total[0];
#pragma acc loop vector reduction(^ : s)
        for (int k = 0; k < N - q; k++)
          s ^= q + k % 2;
        total[0] = s % 1000;
        seen[0] += total[0];
      }
  }
  int odd[5] = {1, 0, 1, 0, 1};
  fold(odd, want_seen, want_total);
  EXPECT(seen[0], want_seen[0]);
  EXPECT(total[0], want_total[0]);
  return report();
}
