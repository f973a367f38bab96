// Bit-fields of every width and sign: assigned, counted, initialised, in unions and beside other members.
// arc: items>1
#include "check.h"
#include <stdbool.h>

#define N 133

struct mixed {
  unsigned char tag;
  unsigned a : 5;
  int b : 7;
  bool set : 1;
  unsigned : 0;
  long wide : 40;
  unsigned short c : 9;
  int tail;
};

union word {
  float f;
  struct {
    unsigned fraction : 23, exponent : 8, sign : 1;
  };
};

static long changed(int i) {
  struct mixed m = {7, 3, .b = -2, .tail = 9}, *p = &m;
  m.a += i;
  p->b = p->a++;
  m.set = i & 2;
  m.set |= i & 1;
  m.wide = -1000000007L * i;
  int old = p->b--;
  m.c = ~m.a;
  long sum = (m.b -= 3) + 100 * (m.a - 40 < 0) + (old < 0 ? 1000 : 2000);
  return sum + m.a + m.set + m.wide + m.c + m.tail + m.tag + (long)sizeof m;
}

static double rebuilt(int i) {
  union word w = {.f = -1.5f * i};
  w.exponent++;
  w.sign = !w.sign;
  return w.f + w.fraction % 1000;
}

static struct mixed combined(int i) {
  struct mixed m = {.a = i, .b = i - 60, .set = i % 3, .wide = 5L * i, .c = i * i};
  return m;
}

static int passed(const struct mixed *m) { return m->a + m->b + m->set + (int)m->wide + m->c; }

int main(void) {
  static long got[N];
  static double real[N];
  static struct mixed all[N], copies[N];

#pragma acc parallel loop copyout(got, real, all, copies)
  for (int i = 0; i < N; i++) {
    got[i] = changed(i);
    real[i] = rebuilt(i);
    struct mixed made = combined(i);
    all[i] = made;
    copies[i] = (struct mixed){.b = passed(&made), .wide = i, .tag = i};
    copies[i].a = copies[i].c = i;
  }

  for (int i = 0; i < N; i++) {
    struct mixed want = combined(i), copy = {.b = passed(&want), .a = i, .c = i};
    EXPECT_AT(i, got[i], changed(i));
    NEAR_AT(i, real[i], rebuilt(i), 0);
    EXPECT_AT(i, passed(&all[i]), passed(&want));
    EXPECT_AT(i, copies[i].b, copy.b);
    EXPECT_AT(i, copies[i].a, copy.a);
    EXPECT_AT(i, copies[i].c, copy.c);
    EXPECT_AT(i, copies[i].wide, i);
    EXPECT_AT(i, copies[i].tag, (unsigned char)i);
  }
  return report();
}
