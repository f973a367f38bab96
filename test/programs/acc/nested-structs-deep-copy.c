// A struct of structs with pointers, copied level by level, used through the outermost pointer.
// arc: items>1
#include "check.h"
#include <stdlib.h>

typedef struct {
  int n;
  float *values;
} Row;

typedef struct {
  int rows;
  Row *row;
} Table;

int main(void) {
  Table *t = malloc(sizeof *t);
  t->rows = 7;
  t->row = malloc(t->rows * sizeof *t->row);
  for (int i = 0; i < t->rows; i++) {
    t->row[i].n = 5 + 3 * i;
    t->row[i].values = malloc(t->row[i].n * sizeof(float));
    for (int j = 0; j < t->row[i].n; j++)
      t->row[i].values[j] = j;
  }

#pragma acc enter data copyin(t[0:1])
#pragma acc enter data copyin(t->row[0:t->rows])
  for (int i = 0; i < t->rows; i++) {
#pragma acc enter data copyin(t->row[i].values[0:t->row[i].n])
  }
#pragma acc parallel loop gang present(t[0:1])
  for (int i = 0; i < t->rows; i++) {
#pragma acc loop vector
    for (int j = 0; j < t->row[i].n; j++)
      t->row[i].values[j] += 100 * i;
  }
  for (int i = 0; i < t->rows; i++) {
#pragma acc exit data copyout(t->row[i].values[0:t->row[i].n])
  }
#pragma acc exit data delete(t->row[0:t->rows])
#pragma acc exit data delete(t[0:1])

  for (int i = 0; i < t->rows; i++) {
    for (int j = 0; j < t->row[i].n; j++)
      NEAR_AT(i, t->row[i].values[j], j + 100 * i, 0);
    free(t->row[i].values);
  }
  free(t->row);
  free(t);
  return report();
}
