// Every half converts to and from float, double and integers as on the host: rounded once, ties to even, with subnormals.
// arc: items>1
#include <stdio.h>
#include <string.h>

enum { HALVES = 1 << 16, INTS = 140000 };

static unsigned short bits(_Float16 h) {
  unsigned short u;
  memcpy(&u, &h, sizeof u);
  return u;
}

/* NaNs are alike: devices choose their digits. */
static int same(unsigned short a, unsigned short b) {
  return a == b || ((a & 0x7fff) > 0x7c00 && (b & 0x7fff) > 0x7c00);
}

/* The number in the middle between h and the next one, and its neighbours, where roundings change. */
#pragma acc routine seq
static double near(_Float16 h, int which, double step) {
  double middle = (double)h;
  double gap = middle < 0 ? -middle : middle;
  double unit = 5.9604644775390625e-8;
  if (gap - gap != 0) return middle;
  while (gap >= 2048 * unit) unit *= 2;
  middle += unit / 2;
  return which == 1 ? middle : which == 0 ? middle - middle * step : middle + middle * step;
}

static unsigned short all[HALVES], from_float[HALVES][3], from_double[HALVES][3], back[HALVES], from_int[INTS];
static float floats[HALVES];
static double doubles[HALVES];
static long integers[HALVES];

int main(void) {
  _Float16 *halves = (_Float16 *)all;
  for (int i = 0; i < HALVES; i++) all[i] = (unsigned short)i;

#pragma acc parallel loop copyin(halves[0:HALVES]) copyout(floats, doubles, integers, back)
  for (int i = 0; i < HALVES; i++) {
    _Float16 h = halves[i];
    floats[i] = h;
    doubles[i] = h;
    integers[i] = h - h == 0 ? (long)h : 0;
    union { _Float16 h; unsigned short u; } again = {.h = floats[i]};
    back[i] = again.u;
  }
  int wrong = 0;
  for (int i = 0; i < HALVES; i++) {
    float f = halves[i];
    double d = halves[i];
    int number = f == f;
    long n = number && f - f == 0 ? (long)halves[i] : 0;
    if (number ? memcmp(&f, &floats[i], sizeof f) || memcmp(&d, &doubles[i], sizeof d) : floats[i] == floats[i] || doubles[i] == doubles[i])
      wrong++;
    if (integers[i] != n || !same(back[i], (unsigned short)i)) wrong++;
  }
  if (wrong) printf("%d of %d halves are other numbers\n", wrong, HALVES);

  _Float16(*rounded_floats)[3] = (_Float16(*)[3])from_float, (*rounded_doubles)[3] = (_Float16(*)[3])from_double;
#pragma acc parallel loop collapse(2) copyin(halves[0:HALVES]) copyout(rounded_floats[0:HALVES], rounded_doubles[0:HALVES])
  for (int i = 0; i < HALVES; i++)
    for (int k = 0; k < 3; k++) {
      rounded_floats[i][k] = (float)near(halves[i], k, 1.0 / (1 << 22));
      rounded_doubles[i][k] = near(halves[i], k, 1.0 / (1L << 51));
    }
  for (int i = 0; i < HALVES; i++)
    for (int k = 0; k < 3; k++) {
      if (!same(from_float[i][k], bits((float)near(halves[i], k, 1.0 / (1 << 22))))) wrong++;
      if (!same(from_double[i][k], bits(near(halves[i], k, 1.0 / (1L << 51))))) wrong++;
    }
  if (wrong) printf("%d wrong with roundings of floats and doubles\n", wrong);

  _Float16 *rounded_ints = (_Float16 *)from_int;
#pragma acc parallel loop copyout(rounded_ints[0:INTS])
  for (int i = 0; i < INTS; i++) rounded_ints[i] = i % 2 ? i - INTS / 2 : (i - INTS / 2) * (1L << i % 40);
  for (int i = 0; i < INTS; i++)
    if (from_int[i] != bits(i % 2 ? i - INTS / 2 : (i - INTS / 2) * (1L << i % 40))) wrong++;
  if (wrong) printf("%d wrong with integers\n", wrong);
  return wrong != 0;
}
