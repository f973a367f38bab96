// Sizes that the compiler cannot know: a matrix of the given rows and columns.
// arc: items>1, args 37 53
#include "check.h"
#include <stdlib.h>

int main(int argc, char **argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 3, columns = argc > 2 ? atoi(argv[2]) : 2, size = rows * columns;
  int *m = malloc(size * sizeof *m), *t = malloc(size * sizeof *t);

#pragma acc parallel loop collapse(2) copyout(m[0:size], t[0:size])
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      m[i * columns + j] = i * columns + j;
      t[j * rows + i] = i * columns + j;
    }

  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      EXPECT_AT(i * columns + j, m[i * columns + j], i * columns + j);
      EXPECT_AT(i * columns + j, t[j * rows + i], i * columns + j);
    }
  free(m);
  free(t);
  return report();
}
