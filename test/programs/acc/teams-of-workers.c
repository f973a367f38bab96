// Workers take a gang's rows and lanes the elements of a row, in groups of many sizes: sums, maxima and stores of each row.
#include "check.h"

enum { ROWS = 130, MOST = 90 };

static int start[ROWS + 1], value[ROWS * MOST], sum[ROWS], most[ROWS], twice[ROWS * MOST];

static void rows_of(int length) {
  start[0] = 0;
  for (int i = 0; i < ROWS; i++) {
    start[i + 1] = start[i] + (i * 7 + 3) % (length + 1);
    for (int k = start[i]; k < start[i + 1]; k++) {
      value[k] = (k * 31 + i) % 101 - 50;
      twice[k] = 0;
    }
    sum[i] = most[i] = -1;
  }
}

#define WORK(CLAUSES)                                                    \
  _Pragma(CLAUSES) for (int i = 0; i < ROWS; i++) {                      \
    int s = i, m = -1000;                                                \
    _Pragma("acc loop vector reduction(+ : s) reduction(max : m)")       \
    for (int k = start[i]; k < start[i + 1]; k++) {                      \
      s += value[k];                                                     \
      m = value[k] > m ? value[k] : m;                                   \
    }                                                                    \
    sum[i] = s;                                                          \
    most[i] = m;                                                         \
    _Pragma("acc loop vector") for (int k = start[i]; k < start[i + 1]; k++) twice[k] = 2 * value[k] + s; \
  }

static void plain(void) {
  WORK("acc parallel loop gang worker copyin(start, value) copyout(sum, most) copy(twice)")
}
static void four(void) {
  WORK("acc parallel loop gang worker num_workers(4) vector_length(32) copyin(start, value) copyout(sum, most) copy(twice)")
}
static void two(void) {
  WORK("acc parallel loop gang worker num_workers(2) vector_length(64) copyin(start, value) copyout(sum, most) copy(twice)")
}
static void odd(void) {
  WORK("acc parallel loop gang worker num_workers(3) vector_length(20) copyin(start, value) copyout(sum, most) copy(twice)")
}
static void of_loops(void) {
  WORK("acc kernels loop independent gang worker(2) copyin(start, value) copyout(sum, most) copy(twice)")
}
static void counted(void) {
  WORK("acc parallel loop gang worker num_gangs(3) num_workers(2) copyin(start, value) copyout(sum, most) copy(twice)")
}

static void expect_rows(void) {
  for (int i = 0; i < ROWS; i++) {
    int s = i, m = -1000;
    for (int k = start[i]; k < start[i + 1]; k++) {
      s += value[k];
      m = value[k] > m ? value[k] : m;
    }
    EXPECT_AT(i, sum[i], s);
    EXPECT_AT(i, most[i], m);
    for (int k = start[i]; k < start[i + 1]; k++)
      EXPECT_AT(k, twice[k], 2 * value[k] + s);
  }
}

int main(void) {
  static const int lengths[] = {0, 1, 5, 32, 89};
  static void (*const ways[])(void) = {plain, four, two, odd, of_loops, counted};
  for (unsigned n = 0; n < sizeof lengths / sizeof *lengths; n++)
    for (unsigned way = 0; way < sizeof ways / sizeof *ways; way++) {
      rows_of(lengths[n]);
      ways[way]();
      expect_rows();
    }
  return report();
}
