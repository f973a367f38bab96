/* N-queens by masks, with a stack. */
void work(int *solutions) {
#pragma acc serial copy(solutions[0:3])
  for (int n = 4; n < 7; n++) {
    unsigned columns[8], left[8], right[8], open[8], all = (1u << n) - 1;
    int row = 0, count = 0;
    columns[0] = left[0] = right[0] = 0;
    open[0] = all;
    while (row >= 0) {
      if (!open[row]) { row--; continue; }
      unsigned bit = open[row] & -open[row];
      open[row] ^= bit;
      if (row == n - 1) { count++; continue; }
      columns[row + 1] = columns[row] | bit;
      left[row + 1] = (left[row] | bit) << 1;
      right[row + 1] = (right[row] | bit) >> 1;
      row++;
      open[row] = all & ~(columns[row] | left[row] | right[row]);
    }
    solutions[n - 4] = count;
  }
}
