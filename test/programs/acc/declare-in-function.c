// Declare in a function keeps its arrays on the device until the function returns.
// arc: items>1
#include "check.h"

#define N 199

static int filtered_sum(const int *in) {
  int line[N], sum = 0;
#pragma acc declare create(line)
#pragma acc parallel loop copyin(in[0:N])
  for (int i = 0; i < N; i++)
    line[i] = in[i] * in[i];
#pragma acc parallel loop reduction(+:sum)
  for (int i = 1; i < N; i++)
    sum += line[i] - line[i - 1];
  return sum;
}

int main(void) {
  int in[N];
  for (int i = 0; i < N; i++)
    in[i] = i;
  EXPECT(filtered_sum(in), (N - 1) * (N - 1));
  for (int i = 0; i < N; i++)
    in[i] = N - i;
  EXPECT(filtered_sum(in), 1 - N * N);
  return report();
}
