// One macro makes a reduction for each arithmetic type.
// arc: items>1
#include "check.h"

#define N 997
#define DO_PRAGMA(text) _Pragma(#text)
#define TRY(type, operator, start, statement)                                                                        \
  do {                                                                                                               \
    type r = (start), want = (start);                                                                                \
    for (int i = 0; i < N; i++) {                                                                                    \
      type x = (type)(i % 9 + 1);                                                                                    \
      type *v = &want;                                                                                               \
      *v = statement(*v, x);                                                                                         \
    }                                                                                                                \
    DO_PRAGMA(acc parallel loop reduction(operator : r))                                                             \
    for (int i = 0; i < N; i++) {                                                                                    \
      type x = (type)(i % 9 + 1);                                                                                    \
      r = statement(r, x);                                                                                           \
    }                                                                                                                \
    NEAR((double)r, (double)want, 1e-6);                                                                             \
  } while (0)

#define ADD(a, b) (a) + (b)
#define MOST(a, b) (a) > (b) ? (a) : (b)
#define LEAST(a, b) (a) < (b) ? (a) : (b)
#define XOR(a, b) (a) ^ (b)

int main(void) {
  TRY(int, +, 3, ADD);
  TRY(unsigned, +, 3, ADD);
  TRY(long, +, -3, ADD);
  TRY(unsigned long, +, 3, ADD);
  TRY(long long, +, 3, ADD);
  TRY(unsigned short, +, 3, ADD);
  TRY(float, +, 0.5f, ADD);
  TRY(double, +, -0.5, ADD);
  TRY(short, max, 3, MOST);
  TRY(unsigned char, max, 200, MOST);
  TRY(unsigned long long, max, 3, MOST);
  TRY(float, max, -1, MOST);
  TRY(char, min, 3, LEAST);
  TRY(unsigned, min, 3, LEAST);
  TRY(double, min, 0.25, LEAST);
  TRY(unsigned char, ^, 0x55, XOR);
  TRY(long, ^, -1, XOR);
  return report();
}
