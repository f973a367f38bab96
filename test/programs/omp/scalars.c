// What regions see of scalars: a copy unless a clause says otherwise, also where a data region has mapped them.
#include "../acc/check.h"
#include "programs.h"

#define N 333

static int global = 5;

int scalars(void) {
  int a[N], kept = 1, mapped = 2, by_default = 3;
#pragma omp target data map(tofrom: mapped)
  {
    mapped = 20;
#pragma omp target map(from: a)
    {
      kept += 100;
      global += 100;
      mapped += 100;
      a[0] = kept, a[1] = mapped, a[2] = global;
    }
    EXPECT(a[1], 120);
  }
  EXPECT(a[0], 101);
  EXPECT(a[2], 105);
  EXPECT(kept, 1);
  EXPECT(global, 5);

#pragma omp target defaultmap(tofrom: scalar)
  by_default += 1, global += 1;
  EXPECT(by_default, 4);
  EXPECT(global, 6);

  int t = 50, u = 60, w = 70, shared_one = 2;
#pragma omp target teams distribute parallel for private(t) firstprivate(u, w) shared(shared_one, a) default(none)
  for (int i = 0; i < N; i++) {
    t = 2 * i;
    w = w > 0 ? 70 : i;
    a[i] = t + u * shared_one + w;
  }
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], 2 * i + 120 + 70);
  EXPECT(t, 50);
  EXPECT(w, 70);

  /* The last iteration's value is kept. */
  int last = -1, outer = -1;
#pragma omp target teams distribute parallel for lastprivate(last)
  for (int i = 0; i < N; i += 2)
    last = i;
  EXPECT(last, N - 1);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: outer) lastprivate(outer)
  for (int i = 10; i > 0; i--)
    for (unsigned j = 0; j != 4; j++)
      outer = 100 * i + (int)j;
  EXPECT(outer, 103);
  return report();
}
