// An array of row pointers on the device: each row's copyin attaches its pointer.
// arc: items>1, gcc-offload-cannot attach elements of arrays
#include "check.h"
#include <stdlib.h>

int main(void) {
  int rows = 17, columns = 29;
  int **m = malloc(rows * sizeof *m);
  for (int i = 0; i < rows; i++) {
    m[i] = malloc(columns * sizeof *m[i]);
    for (int j = 0; j < columns; j++)
      m[i][j] = i * j;
  }

#pragma acc enter data copyin(m[0:rows])
  for (int i = 0; i < rows; i++) {
#pragma acc enter data copyin(m[i][0:columns])
  }
#pragma acc parallel loop collapse(2) present(m[0:rows])
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      m[i][j] += 1000;
  for (int i = 0; i < rows; i++) {
#pragma acc exit data copyout(m[i][0:columns])
  }
#pragma acc exit data delete(m[0:rows])

  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++)
      EXPECT_AT(i * columns + j, m[i][j], i * j + 1000);
    free(m[i]);
  }
  free(m);
  return report();
}
