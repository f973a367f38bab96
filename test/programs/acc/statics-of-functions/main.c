// Static variables of functions and regions: each device has one object, which lasts from region to region.
#include <stdio.h>

struct tally { int calls; double last[2]; };

#pragma acc routine seq
int ticket(int by);

static int inRegions(int rounds) {
  int total = 0;
  for (int k = 0; k < rounds; k++) {
#pragma acc serial copyout(total)
    {
      static int kept = 10;
      kept += 5;
      total = kept;
    }
  }
  return total;
}

static int shared(int n) {
  int got[130], sum = 0;
#pragma acc parallel loop copyout(got[0:n])
  for (int i = 0; i < n; i++) got[i] = ticket(2);
  for (int i = 0; i < n; i++) sum += got[i];
  return sum;
}

#pragma acc routine seq
static double tallied(double x) {
  static struct tally all = {3, {0.5, 0.25}};
  static const int one[2] = {1, 1};
  static unsigned char seen[40];
  all.calls += one[all.calls & 1];
  all.last[all.calls & 1] += x;
  seen[all.calls]++;
  return all.last[0] + all.last[1] * 100 + seen[all.calls];
}

int main(void) {
  int wrong = 0;
  if (inRegions(3) != 25) wrong |= 1;
  if (shared(130) != 7 * 130 + 130 * 131) wrong |= 2;
  int after = 0;
#pragma acc serial copyout(after)
  after = ticket(0);
  if (after != 7 + 2 * 130) wrong |= 4;
  double twice = 0;
  for (int k = 0; k < 2; k++) {
#pragma acc serial copyout(twice)
    twice = tallied(2) + tallied(4);
  }
  if (twice != 2 * (0.5 + 4 + 1) + 100 * (4.25 + 8.25)) wrong |= 8;
  if (wrong) printf("wrong: %d\n", wrong);
  return wrong;
}
