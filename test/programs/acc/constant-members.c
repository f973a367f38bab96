// Structs and unions with members that are constant: declared without a value in effect, copied, in arrays, passed and returned.
// arc: items>1
#include "check.h"

#define N 317

typedef const short fixed;
struct inner {
  const unsigned a : 5;
  int b;
};
struct outer {
  const int first;
  const struct inner inner;
  fixed list[2];
  const int *const at;
};
union either {
  const int whole;
  unsigned char bytes[4];
};

static struct outer made(int i, const int *at) {
  struct outer o = {i, {i % 32, 2 * i}, {3, 4}, at};
  return o;
}

static int sum(struct outer o) { return o.first + o.inner.a + o.inner.b + o.list[0] + o.list[1] + *o.at; }

int main(void) {
  static int out[N];
#pragma acc parallel loop copyout(out)
  for (int i = 0; i < N; i++) {
    const int seven = 7;
    int k = 0;
  again:;
    const struct outer one = made(i, &seven), two[2] = {one, made(k, &seven)};
    const union either u = {sum(one)}, copy = u;
    if (k++ < 2) goto again;
    out[i] = copy.whole + sum(two[1]) + two[0].list[1];
  }
  for (int i = 0; i < N; i++) EXPECT_AT(i, out[i], 3 * i + i % 32 + 14 + 8 + 14 + 4);
  return report();
}
