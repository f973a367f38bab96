/* Alignment of two sequences: each score needs three that the loop has just written, in one array. */
#include <stdio.h>
#ifndef ROWS
#define ROWS 14
#define COLS 19
#endif
#define SIZE (ROWS * COLS)
static int score[SIZE], reward[SIZE];

static void align(void) {
#pragma acc serial loop collapse(2) copy(score) copyin(reward)
#pragma openarc transform window(score, score)
  for (int i = 1; i < ROWS; i++)
    for (int j = 1; j < COLS; j++) {
      int x = i * COLS + j;
      int diagonal = score[x - COLS - 1] + reward[x], up = score[x - COLS] - 3, left = score[x - 1] - 3;
      int best = diagonal > up ? diagonal : up;
      score[x] = best > left ? best : left;
    }
}

int main(void) {
  for (int k = 0; k < SIZE; k++) reward[k] = k * 29 % 11 - 4;
  for (int i = 0; i < ROWS; i++) score[i * COLS] = -3 * i;
  for (int j = 0; j < COLS; j++) score[j] = -3 * j;
  align();
  for (int k = 0; k < SIZE; k++) printf("%d%c", score[k], k % COLS == COLS - 1 ? '\n' : ' ');
}
