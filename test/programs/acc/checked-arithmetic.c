// gcc's builtins that say whether a result fits its type, with operands and results of all integer types, at their ends.
#include <stdio.h>

#define M 15

typedef signed char sc;
typedef unsigned short us;
typedef unsigned int ui;
typedef unsigned long ul;

static long ends[M] = {0,          1,           -1,           2,           127,         -128,
                       65535,      65536,       -32769,       2147483647L, 4294967295L, -2147483648L,
                       0x7fffffffffffffffL, -0x7fffffffffffffffL - 1, 0x5deadbeefL};
static ul h[M * M];

#define ALL(op, a, b, type, at)                                                                                          \
  {                                                                                                                      \
    type to = 0;                                                                                                         \
    int over = __builtin_##op##_overflow(a, b, &to);                                                                     \
    sum = (sum ^ (ul)to ^ (ul)over << 40) * 1099511628211ul + at;                                                        \
  }
#define OPERATORS(a, b, type, at) ALL(add, a, b, type, at) ALL(sub, a, b, type, at) ALL(mul, a, b, type, at)
#define SECOND(a, first, second, third, fourth, fifth, sixth, at)                                                        \
  OPERATORS(a, (sc)y, first, at)                                                                                         \
  OPERATORS(a, (us)y, second, at + 1)                                                                                    \
  OPERATORS(a, (int)y, third, at + 2)                                                                                    \
  OPERATORS(a, (ui)y, fourth, at + 3)                                                                                    \
  OPERATORS(a, (long)y, fifth, at + 4)                                                                                   \
  OPERATORS(a, (ul)y, sixth, at + 5)

int main(void) {
#pragma acc parallel loop copyin(ends) copyout(h)
  for (int i = 0; i < M * M; i++) {
    long x = ends[i / M], y = ends[i % M];
    ul sum = 14695981039346656037ul;
    SECOND((sc)x, sc, us, int, ui, long, ul, 0)
    SECOND((us)x, us, sc, ui, int, ul, long, 6)
    SECOND((int)x, int, long, sc, ul, us, ui, 12)
    SECOND((ui)x, ul, ui, long, ui, int, sc, 18)
    SECOND((long)x, long, int, us, long, long, ul, 24)
    SECOND((ul)x, ui, ul, ul, sc, ul, ul, 30)
    h[i] = sum;
  }
  ul all = 0;
  for (int i = 0; i < M * M; i++) all = all * 31 + h[i];
  printf("%lx %lx %lx\n", h[0], h[M * M - 2], all);

  int counts[8] = {0};
  long steps = 0;
#pragma acc parallel loop copyin(ends) copy(counts) reduction(+ : steps)
  for (int i = 0; i < M; i++) {
    long values[2] = {ends[i], 3}, to[3] = {0};
    int from = 0, at = 0, narrow = 0;
    unsigned wide = 0;
    // The result is a place that is computed once.
    int over = __builtin_mul_overflow(values[from], values[1], &to[++at]);
    over += 2 * __builtin_saddl_overflow(to[1], ends[i], to + 2) + 4 * __builtin_smul_overflow(ends[i], 3, &narrow);
    over += 8 * __builtin_usub_overflow(1, ends[i], &wide) + 16 * __builtin_add_overflow_p(ends[i], 5, (short)0);
    if (__builtin_sub_overflow(narrow, narrow + 0l, &narrow) || narrow) over += 1000;
#pragma acc atomic
    counts[over & 7] += 1 + at;
    steps += over + to[1] % 1000 + to[2] % 77 + wide;
  }
  for (int i = 0; i < 8; i++) printf("%d ", counts[i]);
  printf("%ld\n", steps);
}
