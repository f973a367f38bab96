// Enumerations, typedefs of arrays and of arrays of those, sizeof in a region.
// arc: items>1
#include "check.h"
#include <stddef.h>
#include <stdint.h>

typedef enum { RED, GREEN = 5, BLUE } Colour;
typedef float Vector[3];
typedef Vector Matrix[2];
typedef int32_t Index;

#define N 113

int main(void) {
  static Colour colour[N];
  static Matrix m[N];
  static size_t size[N];

#pragma acc parallel loop copyout(colour, m, size)
  for (Index i = 0; i < N; i++) {
    Colour c = i % 3 == 0 ? RED : i % 3 == 1 ? GREEN : BLUE;
    enum { HALF = 2 };
    Vector v = {c, i, HALF};
    colour[i] = c;
    for (int r = 0; r < 2; r++)
      for (int k = 0; k < 3; k++)
        m[i][r][k] = v[k] + r;
    size[i] = sizeof m[i] + sizeof(Vector) + sizeof v / sizeof v[0];
  }

  for (int i = 0; i < N; i++) {
    int c = i % 3 == 0 ? 0 : i % 3 == 1 ? 5 : 6;
    EXPECT_AT(i, colour[i], c);
    EXPECT_AT(i, size[i], 24 + 12 + 3);
    NEAR_AT(i, m[i][1][0], c + 1, 0);
    NEAR_AT(i, m[i][0][1], i, 0);
    NEAR_AT(i, m[i][1][2], 3, 0);
  }
  return report();
}
