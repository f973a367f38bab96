// What C11 and GNU C settle when they compile: _Generic, typeof, alignments, type-generic and classifying macros.
// arc: items>1
#include "check.h"
#include <float.h>
#include <stdint.h>
#include <tgmath.h>

#define N 133
#define CASES 8
#define LARGER(a, b)                                                                                                   \
  ({                                                                                                                   \
    __typeof__(a) a_ = (a);                                                                                            \
    __typeof__(b) b_ = (b);                                                                                            \
    a_ > b_ ? a_ : b_;                                                                                                 \
  })
#define KIND(x) _Generic((x), float: 1, double: 2, int: 3, unsigned: 4, float *: 5, default: 9)

struct shifted {
  char c;
  _Alignas(16) int x;
};

static long selected(int i, const int *a) {
  float f = i;
  unsigned u = i;
  return KIND(f) + 10 * KIND(&f) + 100 * KIND(u * 2) + 1000 * KIND(f * 2.0) + 10000 * KIND(a);
}

static long inferred(int i, const int *a) {
  __typeof__(a[0]) first = a[i % 4];
  __auto_type half = first * 0.5;
  __auto_type at = &half;
  *at += 1;
  return LARGER(first, 12) + (long)(LARGER(half, 7) * 2);
}

static long aligned(int i) {
  _Static_assert(sizeof(struct shifted) == 32, "a gap");
  struct shifted s[2] = {{1, i}, {2, 2 * i}};
  _Alignas(16) char bytes[16] = {0};
  return sizeof s + _Alignof(struct shifted) + s[i % 2].x + ((uintptr_t)bytes % 16) + __builtin_offsetof(struct shifted, x);
}

static long classes(int i) {
  const double values[] = {0.0, -0.0, 1.5, -1e-310, HUGE_VAL, NAN, -3};
  double d = values[i % 7];
  float f = (float)(i - 60);
  long of_d = (fpclassify(d) == FP_NORMAL) + 2 * (fpclassify(d) == FP_SUBNORMAL) + 4 * (fpclassify(d) == FP_ZERO) +
              8 * (fpclassify(d) == FP_INFINITE) + 16 * (fpclassify(d) == FP_NAN) + 32 * (isnormal(d) != 0);
  return of_d + 64 * isgreater(d, f) + 128 * islessequal(f, d) + 256 * islessgreater(d, f) + 512 * isunordered(d, f) +
         1024 * (signbit(f) != 0);
}

static long generic_math(int i) {
  float f = i + 1;
  double d = i + 0.25;
  return (long)(100 * (sqrt(f) + sqrt(d) + fabs(-f))) + lround(d) + llrint(f * 0.75f) +
         (long)(nearbyint(d * 0.3) + scalbn(d, i % 9) + scalbln(1.5, 3));
}

static long limits(int i) { return (i / DBL_MAX < DBL_MIN) + 2 * (i + DBL_EPSILON > i) + 4 * (FLT_MAX > i) + 8 * (HUGE_VAL > i); }

static long sizes(int i) {
  char c = (char)i;
  return sizeof(c == 3) + 10 * sizeof('a') + 100 * sizeof(c && 1) + 1000 * sizeof("four") + __builtin_constant_p(7) +
         __builtin_choose_expr(1, i, 2.0);
}

static long wide(int i) {
  static const int letters[] = L"xyz";
  return letters[i % 3] + L"pq"[i % 2] + u'\u00e9' + u8"w"[0];
}

int main(void) {
  static long got[N][CASES];
  static int a[4] = {3, 30, 8, 11};

#pragma acc parallel loop copyout(got) copyin(a)
  for (int i = 0; i < N; i++) {
    got[i][0] = selected(i, a);
    got[i][1] = inferred(i, a);
    got[i][2] = aligned(i);
    got[i][3] = classes(i);
    got[i][4] = generic_math(i);
    got[i][5] = limits(i);
    got[i][6] = sizes(i);
    got[i][7] = wide(i);
  }

  for (int i = 0; i < N; i++) {
    long want[CASES] = {selected(i, a),  inferred(i, a), aligned(i), classes(i),
                        generic_math(i), limits(i),      sizes(i),   wide(i)};
    for (int k = 0; k < CASES; k++)
      EXPECT_AT(i * CASES + k, got[i][k], want[k]);
  }
  return report();
}
