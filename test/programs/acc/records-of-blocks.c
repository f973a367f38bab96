// Structs and unions without names, of blocks, packed and aligned, with initialisers of every form.
// arc: items>1, warns
#include "check.h"
#include <stdbool.h>

#define N 133
#define CASES 5

static const struct {
  int key, value;
} table[3] = {{1, 10}, {2, 20}, {3, 30}};

static union {
  unsigned u;
  float f;
} shared = {.f = 2.5f};

static struct {
  struct {
    int a[2];
  } in;
  int n;
} nested = {{{3, 4}}, 5};

#pragma pack(push, 2)
struct tight {
  char c;
  double d;
  short s;
};
#pragma pack(pop)

struct __attribute__((packed)) tighter {
  char c;
  unsigned bits : 11;
  int i;
};

struct overlaid {
  union {
    int whole;
    float real;
  };
  struct {
    short low, high;
  };
};

static long initialised(int i) {
  struct quad {
    int a[2];
    struct {
      int b, c;
    } s;
  } v[2] = {1, 2, i, 4, 5, 6, 7, i};
  struct {
    int a;
    struct {
      int x, y;
    } in;
    int arr[4];
  } w = {.in.y = i, .arr[2] = 7, .arr = {[1 ... 2] = 4}, .a = 1};
  int list[] = {[5] = 1, 2, [0] = i};
  return v[0].s.b + v[1].s.c + 10 * w.in.y + w.arr[1] + w.arr[2] + (long)sizeof list + list[6];
}

static long overlaid(int i) {
  struct overlaid o = {.whole = i};
  o.high = 3;
  struct overlaid p = i % 2 ? o : (struct overlaid){.low = 4};
  return o.whole + 100 * p.high + p.low;
}

static long jumped(int i) {
  long sum = 0;
  if (i % 2)
    goto behind;
  const int first = i, list[2] = {1, 2};
  struct overlaid o = {.low = 5};
  sum = first + list[1] + o.low;
behind:;
  register int more = 4;
  switch (i % 3) {
    int unused;
  case 0:;
    int a = 3;
    sum += a;
    break;
  case 1:
    a = 7;
    sum += a;
    break;
  default:
    unused = 1;
    sum += unused;
  }
  return sum + more;
}

static long counted(int i) {
  bool b = i % 2, was = b++;
  long sum = b + 2 * was;
  --b;
  b--;
  return sum + 4 * b;
}

int main(void) {
  static long got[N][CASES];
  static struct tight t[N];
  static struct tighter u[N];

#pragma acc parallel loop copyout(got, t, u) copyin(table, shared, nested)
  for (int i = 0; i < N; i++) {
    t[i].c = i;
    t[i].d = i * 1.5;
    t[i].s = -i;
    u[i].c = i;
    u[i].bits = 10 * i;
    u[i].i = ++u[i].bits;
    got[i][0] = table[i % 3].value + shared.u % 7 + nested.in.a[1] + nested.n;
    got[i][1] = initialised(i);
    got[i][2] = overlaid(i);
    got[i][3] = jumped(i);
    got[i][4] = counted(i);
  }

  for (int i = 0; i < N; i++) {
    long want[CASES] = {table[i % 3].value + shared.u % 7 + 9, initialised(i), overlaid(i), jumped(i), counted(i)};
    for (int k = 0; k < CASES; k++)
      EXPECT_AT(i * CASES + k, got[i][k], want[k]);
    EXPECT_AT(i, t[i].c, (char)i);
    NEAR_AT(i, t[i].d, i * 1.5, 0);
    EXPECT_AT(i, t[i].s, -i);
    EXPECT_AT(i, u[i].c, (char)i);
    EXPECT_AT(i, u[i].i, (10 * i + 1) % 2048);
    EXPECT_AT(i, u[i].bits, (10 * i + 1) % 2048);
  }
  return report();
}
