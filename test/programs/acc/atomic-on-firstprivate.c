// Lanes count in a gang's own copies: a scalar, a member of a structure, elements of an array.
// arc: items>1
#include "check.h"

#define GANGS 7
#define N 1009

struct tally {
  int unused, odd;
};

int main(void) {
  int all = 4, bins[3] = {1, 2, 3}, single = 4, captured = 0;
  struct tally tally = {1, 2};
  int counted[GANGS], odd[GANGS], third[GANGS];

#pragma acc parallel num_gangs(GANGS) firstprivate(all, tally) copyout(counted, odd)
  {
#pragma acc loop gang
    for (int g = 0; g < GANGS; g++) {
      int all_before = all, odd_before = tally.odd;
#pragma acc loop vector
      for (int i = 0; i < N; i++) {
        int rank;
#pragma acc atomic capture
        rank = all++;
        if (rank < 4) counted[g] = -1;
#pragma acc atomic update
        tally.odd += i % 2;
      }
      counted[g] = all - all_before;
      odd[g] = tally.odd - odd_before;
    }
  }

#pragma acc parallel num_gangs(GANGS) firstprivate(bins) copyout(third)
  {
#pragma acc loop gang
    for (int g = 0; g < GANGS; g++) {
      int before = bins[2];
#pragma acc loop vector
      for (int i = 0; i < N; i++) {
#pragma acc atomic update
        bins[i % 3]++;
      }
      third[g] = bins[2] - before;
    }
  }

#pragma acc serial firstprivate(single) copyout(captured)
  {
#pragma acc atomic capture
    {
      captured = single;
      single += 3;
    }
    captured = 100 * captured + single;
  }

  for (int g = 0; g < GANGS; g++) {
    EXPECT_AT(g, counted[g], N);
    EXPECT_AT(g, odd[g], N / 2);
    EXPECT_AT(g, third[g], N / 3);
  }
  EXPECT(captured, 407);
  return report();
}
