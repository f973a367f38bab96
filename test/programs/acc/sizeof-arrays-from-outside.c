// sizeof of arrays of variable size that were declared before the region, with the size that they had there.
#include <stdio.h>

int main(void) {
  int n = 12, m = 5, wrong = 0;
  double rows[n][3];
  int all[m][n];
  char unused[n];
  unsigned long count = 0, total = 0, sizes[4] = {0};
  for (int i = 0; i < n; i++) rows[i][0] = i;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) all[i][j] = i + j;
  n = 100;
  m = 0;
#pragma acc serial copy(count) copyin(rows)
  {
    count = sizeof rows / sizeof rows[0];
    for (unsigned long i = 0; i < sizeof(rows) / sizeof *rows; i++) count += (unsigned long)rows[i][0];
  }
  wrong += count != 12 + 66;
#pragma acc parallel loop copyin(all) reduction(+ : total)
  for (unsigned long i = 0; i < sizeof(all) / sizeof(all[0]); i++)
    for (unsigned long j = 0; j < sizeof(all[0]) / sizeof(all[0][0]); j++) total += all[i][j];
  wrong += total != 450;
#pragma acc kernels copy(sizes)
  for (int i = 0; i < 4; i++) sizes[i] = sizeof unused + sizeof rows + i;
  for (int i = 0; i < 4; i++) wrong += sizes[i] != 12 + 12 * 3 * sizeof(double) + i;
  if (wrong) printf("%d are wrong\n", wrong);
  return wrong != 0;
}
