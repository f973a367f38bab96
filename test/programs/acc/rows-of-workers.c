// Workers around lanes, and nests that a gang's items share, in many lengths: each element is met once.
// arc: gcc-cannot gcc 12 runs collapsed nests whose lengths are all negative
#include "check.h"

enum { GANGS = 3, MOST = 700 };

static int met[GANGS][MOST];

static void clear(void) {
  for (int g = 0; g < GANGS; g++)
    for (int k = 0; k < MOST; k++)
      met[g][k] = 0;
}

static void nested(int rows, int columns) {
  int j, k;
#pragma acc parallel loop gang copy(met)
  for (int g = 0; g < GANGS; g++)
#pragma acc loop worker
    for (j = 0; j < rows; j++)
#pragma acc loop vector
      for (k = 0; k < columns; k++)
        met[g][j * columns + k] += g + 1;
}

static void collapsed(int rows, int columns) {
#pragma acc parallel loop gang num_workers(4) vector_length(32) copy(met)
  for (int g = 0; g < GANGS; g++)
#pragma acc loop worker vector collapse(2)
    for (int j = rows; j > 0; j--)
      for (int k = 1; k < 2 * columns; k += 2)
        met[g][(j - 1) * columns + k / 2] += g + 1;
}

static void in_three(int planes, int rows, int columns) {
#pragma acc parallel loop gang vector_length(64) copy(met)
  for (int g = 0; g < GANGS; g++)
#pragma acc loop vector collapse(3)
    for (int i = 0; i < planes; i++)
      for (int j = 0; j < rows; j++)
        for (int k = 0; k < columns; k++)
          met[g][(i * rows + j) * columns + k] += g + 1;
}

static int sums(int rows, int columns) {
  int all = 0;
#pragma acc parallel loop gang reduction(+ : all)
  for (int g = 0; g < GANGS; g++) {
    int sum = g;
#pragma acc loop worker reduction(+ : sum)
    for (int j = 0; j < rows; j++)
#pragma acc loop vector reduction(+ : sum)
      for (int k = 0; k < columns; k++)
        sum += j * columns + k;
    all += sum;
  }
  return all;
}

/* Rows of different lengths, and values of the row in front of its lanes: these nests stay as they are. */
static void ragged(int rows) {
#pragma acc parallel loop gang copy(met)
  for (int g = 0; g < GANGS; g++)
#pragma acc loop worker
    for (int j = 0; j < rows; j++)
#pragma acc loop vector
      for (int k = 0; k <= j; k++)
        met[g][j * (j + 1) / 2 + k] += g + 1;
}

static void held(int rows, int columns) {
#pragma acc parallel loop gang copy(met)
  for (int g = 0; g < GANGS; g++)
#pragma acc loop worker
    for (int j = 0; j < rows; j++) {
      int from = j * columns;
#pragma acc loop vector
      for (int k = 0; k < columns; k++)
        met[g][from + k] += g + 1;
    }
}

static void expect_met(int elements) {
  for (int g = 0; g < GANGS; g++)
    for (int k = 0; k < MOST; k++)
      EXPECT_AT(k, met[g][k], k < elements ? g + 1 : 0);
  clear();
}

int main(void) {
  static const int sizes[][2] = {{1, 1},  {1, 700}, {700, 1}, {3, 5},  {5, 3},   {2, 350}, {350, 2}, {4, 33}, {33, 4},
                                 {8, 64}, {64, 8},  {16, 32}, {17, 9}, {23, 30}, {0, 5},   {5, 0},   {-3, 2}, {-3, -2}};
  for (unsigned n = 0; n < sizeof sizes / sizeof *sizes; n++) {
    int rows = sizes[n][0], columns = sizes[n][1];
    int elements = rows > 0 && columns > 0 ? rows * columns : 0;
    nested(rows, columns);
    expect_met(elements);
    collapsed(rows, columns);
    expect_met(elements);
    held(rows, columns);
    expect_met(elements);
    EXPECT_AT(n, sums(rows, columns), GANGS * (elements * (elements - 1) / 2) + 3);
  }
  in_three(7, 9, 11);
  expect_met(693);
  in_three(2, 1, 340);
  expect_met(680);
  in_three(5, 0, 4);
  expect_met(0);
  ragged(30);
  expect_met(465);
  return report();
}
