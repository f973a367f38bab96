/* The best alignment of two gene sequences by Needleman and Wunsch: dynamic programming along anti-diagonals. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const int gap = 4; /* what a letter without partner costs */

/* Reward of aligning two of the letters A, C, G, T. */
static const int reward[4][4] = {{5, -3, 1, -3}, {-3, 5, -3, 1}, {1, -3, 5, -3}, {-3, 1, -3, 5}};

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* Fills the inner cells of `score` in place. Its first row and column are given; every other cell needs its left,
 * upper and upper left neighbours, so the cells of one anti-diagonal are independent of each other. */
static void align(int rows, int columns, const unsigned char *restrict a, const unsigned char *restrict b,
                  int *restrict score) {
  int width = columns + 1;
  for (int diagonal = 2; diagonal <= rows + columns; diagonal++) {
    int first = diagonal - columns > 1 ? diagonal - columns : 1;
    int last = diagonal - 1 < rows ? diagonal - 1 : rows;
#pragma acc parallel loop present(a[0:rows], b[0:columns], score[0:(rows + 1) * width], reward) async(1)
    for (int i = first; i <= last; i++) {
      int j = diagonal - i;
      int *cell = &score[i * width + j];
      int best = cell[-width - 1] + reward[a[i - 1]][b[j - 1]];
      int left = cell[-1] - gap, up = cell[-width] - gap;
      best = left > best ? left : best;
      *cell = up > best ? up : best;
    }
  }
#pragma acc wait(1)
}

static void write_scores(const char *path, int rows, int columns, const int *score) {
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  for (int i = 0; i <= rows; i++)
    for (int j = 0; j <= columns; j++)
      fprintf(file, "%d%c", score[i * (columns + 1) + j], j < columns ? ' ' : '\n');
  fclose(file);
}

/* How many letters face an equal one on a best path from the last cell back to the first. */
static int count_matches(int rows, int columns, const unsigned char *a, const unsigned char *b, const int *score) {
  int matches = 0, width = columns + 1;
  for (int i = rows, j = columns; i > 0 && j > 0;) {
    int here = score[i * width + j];
    if (here == score[(i - 1) * width + j - 1] + reward[a[i - 1]][b[j - 1]]) {
      matches += a[--i] == b[--j];
    } else if (here == score[(i - 1) * width + j] - gap)
      i--;
    else
      j--;
  }
  return matches;
}

int main(int argc, char **argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 4000;
  int columns = argc > 2 ? atoi(argv[2]) : rows;
  if (rows < 0 || columns < 0 || rows > 30000 || columns > 30000) {
    fprintf(stderr, "usage: nw [letters [letters of the other sequence [file]]], each at most 30000\n");
    return 2;
  }
  int cells = (rows + 1) * (columns + 1);
  unsigned char *a = malloc(rows + 1), *b = malloc(columns + 1);
  int *score = malloc(cells * sizeof *score);
  if (!a || !b || !score) {
    fprintf(stderr, "nw: no memory for %d x %d cells\n", rows, columns);
    return 1;
  }
  /* The second sequence is the first one with some letters changed, and a piece left out every so often. */
  unsigned random = 12345;
  for (int i = 0; i < rows; i++) {
    random = random * 1664525u + 1013904223u;
    a[i] = random >> 30;
  }
  for (int j = 0; j < columns; j++) {
    int from = j + j / 50 * 3;
    random = random * 1664525u + 1013904223u;
    b[j] = from < rows && random >> 16 & 7 ? a[from] : random >> 30;
  }
  for (int i = 0; i <= rows; i++)
    score[i * (columns + 1)] = -gap * i;
  for (int j = 0; j <= columns; j++)
    score[j] = -gap * j;

  double start, elapsed;
#pragma acc data copyin(a[0:rows], b[0:columns], reward) copy(score[0:cells])
  {
    start = seconds();
    align(rows, columns, a, b, score);
#pragma acc wait
    elapsed = seconds() - start;
  }

  printf("score %d, %d letters match\n", score[cells - 1], count_matches(rows, columns, a, b, score));
  printf("time: %.3f ms\n", 1e3 * elapsed);
  if (argc > 3)
    write_scores(argv[3], rows, columns, score);
  free(a);
  free(b);
  free(score);
  return 0;
}
