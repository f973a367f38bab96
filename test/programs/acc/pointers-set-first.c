// Pointers declared outside that a region sets before it uses them: each gang has its own, and nothing of them is moved.
#include <stdio.h>

enum { ROWS = 40, COLS = 23 };

static int a[ROWS][COLS];

int main(void) {
  int *row, *other, *first;
  const int *chosen;
  int picked[ROWS], wrong = 0;
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < COLS; k++) a[i][k] = i * 100 + k;

#pragma acc parallel loop gang copy(a)
  for (int i = 0; i < ROWS; i++) {
    row = a[i];
#pragma acc loop vector
    for (int k = 0; k < COLS; k++) row[k] += 1;
  }

#pragma acc parallel loop gang vector copyin(a) copyout(picked)
  for (int i = 0; i < ROWS; i++) {
    row = a[i];
    other = &a[i][3];
    chosen = i % 2 ? row : other;
    picked[i] = *chosen + row[2];
  }
  for (int i = 0; i < ROWS; i++) wrong += picked[i] != 200 * i + 4 + (i % 2 ? 0 : 3);

#pragma acc kernels copyin(a) copyout(picked)
  {
    row = a[1];
    for (int i = 0; i < ROWS; i++) picked[i] = row[i % COLS];
  }
  for (int i = 0; i < ROWS; i++) wrong += picked[i] != 101 + i % COLS;

#pragma acc serial copy(a)
  for (row = a[1]; row < a[1] + COLS; row++) *row += 5;

#pragma acc parallel num_gangs(3) copy(a)
  {
    first = a[5];
#pragma acc loop gang
    for (int i = 0; i < COLS; i++) {
      other = first + i;
      *other *= 2;
    }
  }
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < COLS; k++)
      wrong += a[i][k] != (i == 1 ? 106 + k : i == 5 ? 1002 + 2 * k : i * 100 + k + 1);
  if (wrong) printf("%d wrong\n", wrong);
  return wrong != 0;
}
