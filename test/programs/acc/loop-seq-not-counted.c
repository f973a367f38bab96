// A loop seq whose iterations nobody can count beforehand may have private variables and reductions.
// arc: directives-needed, gcc-cannot it wants a counted loop
#include "check.h"

#define N 10

struct element {
  int next, value;
};

int main(void) {
  struct element list[N];
  int sum = 5, last = -1, k = -7, links = 0;
  for (int i = 0; i < N; i++)
    list[i] = (struct element){i == N - 1 ? -1 : i + 1, i};
#pragma acc parallel loop seq reduction(+:sum) private(k) copyin(list) num_gangs(4)
  for (k = 0; k >= 0; k = list[k].next)
    sum += list[k].value;
  EXPECT(sum, 50);
#pragma acc serial loop seq reduction(+:sum) private(k, last) copyin(list)
  for (k = 0; k >= 0; k = list[k].next) {
    last = k;
    sum += list[last].value;
  }
  EXPECT(sum, 95);
#pragma acc kernels loop seq reduction(+:sum) private(last) copyin(list)
  for (int q = 0; q >= 0; q = list[q].next) {
    last = q;
    sum += list[last].value;
  }
  EXPECT(sum, 140);
#pragma acc kernels copyin(list)
  {
#pragma acc loop seq reduction(+:sum) private(k)
    for (k = 0; k >= 0; k = list[k].next)
      sum += list[k].value;
  }
  EXPECT(sum, 185);
#pragma acc parallel copyin(list) reduction(+:links) num_gangs(3)
  {
    int own[4];
#pragma acc loop gang private(own)
    for (int i = 0; i < N; i++) {
      own[0] = 7;
#pragma acc loop seq private(own, k) reduction(+:links)
      for (k = i; k >= 0; k = list[k].next) {
        own[0] = 1;
        links += own[0];
      }
      if (own[0] != 7)
        links += 1000;
    }
  }
  EXPECT(links, 55);
  EXPECT(last, -1);
  EXPECT(k, -7);
  return report();
}
