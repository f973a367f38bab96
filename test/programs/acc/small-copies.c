/* Many small variables come back from one region, more than the runtime's pinned memory holds, and larger ones among them. */
#include <stdio.h>

enum { pieces = 40, length = 900 };

int main(void) {
  static int rows[pieces][length], large[20000];
  int a = 1, b = 2, c = 3, d = 4;
  long sum = 0;
  for (int turn = 0; turn < 3; turn++) {
    for (int i = 0; i < pieces; i++) {
      int least = 1000, *row = rows[i];
#pragma acc parallel loop copyout(row[0:length]) reduction(min : least) reduction(+ : sum)
      for (int k = 0; k < length; k++) {
        row[k] = i * k % 17 + turn;
        if (row[k] + i < least) least = row[k] + i;
        sum += row[k];
      }
      a += least;
    }
#pragma acc parallel loop copy(rows, large) copy(b, c, d)
    for (int i = 0; i < pieces; i++) {
      for (int k = 0; k < length; k++) rows[i][k] += k % 3;
      for (int k = i * 500; k < (i + 1) * 500; k++) large[k] += i + turn;
      if (i == 7) {
        b += 5;
        c *= 2;
        d -= 9;
      }
    }
#pragma acc data copyin(rows) create(large)
    {
#pragma acc parallel loop
      for (int k = 0; k < 20000; k++) large[k] = rows[k % pieces][k % length] * (turn + 1);
      for (int k = 0; k < 300; k++) {
#pragma acc update self(large[k * 60:7])
        sum += large[k * 60 + 6];
      }
    }
    large[0] = turn;
  }
  long all = sum;
  for (int i = 0; i < pieces; i++)
    for (int k = 0; k < length; k++) all += rows[i][k] * (k % 5 + i);
  for (int k = 0; k < 18000; k += 60) all += large[k + 3];
  printf("%d %d %d %d %ld %ld\n", a, b, c, d, sum, all);
  return 0;
}
