// Threads of a warp read each other's variables by shuffle: sums whose order nobody can tell, as one thread has them, too.
#include "../acc/check.h"
#include "programs.h"
#ifdef _OPENMP
#include <omp.h>
#else
static int of_one_thread(int value) { return value; }
#define omp_get_team_num() of_one_thread(0)
#define omp_get_num_teams() of_one_thread(1)
#define omp_get_thread_num() of_one_thread(0)
#define omp_get_num_threads() of_one_thread(1)
#endif

#define N 515
#define ALL 0xffffffffu

/* The product of a matrix and a vector, a row for each warp in turn. */
static void rows(void) {
  enum { columns = 71, count = 22 };
  static double m[count][columns], x[columns], y[count];
  double sum = 0;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < columns; j++) {
      m[i][j] = (i * 13 + j * 7) % 32;
      x[j] = j % 8;
      y[i] = -1;
    }
#pragma omp target teams num_teams(2) map(to: m, x) map(tofrom: y) shuffle(sum)
  {
#pragma omp parallel num_threads(64)
    {
      const int me = omp_get_team_num() * omp_get_num_threads() + omp_get_thread_num();
      const int all = omp_get_num_teams() * omp_get_num_threads();
      const int width = all < 32 ? all : 32, warps = all / width;
      /* All threads have as many turns. */
      for (int turn = 0; turn * warps < count; turn++) {
        const int row = turn * warps + me / width;
        sum = 0;
        if (row < count)
          for (int j = me % width; j < columns; j += width)
            sum += m[row][j] * x[j];
        for (int far = 1; far < width; far *= 2) {
#pragma omp shuffle xor(ALL, far, sum +=, sum)
        }
        if (row < count && me % width == 0)
          y[row] = sum;
      }
    }
  }
  for (int i = 0; i < count; i++) {
    double want = 0;
    for (int j = 0; j < columns; j++)
      want += m[i][j] * x[j];
    EXPECT_AT(i, (int)y[i], (int)want);
  }
}

/* Sums of different types, and the smallest value: with one thread no shuffle has anything to do. */
static void sums(void) {
  long total = 0;
  float least = 1e9f, part = 0;
  int lowest = 1 << 20;
  short bits = 0;
  long own = 0;
  unsigned short seen = 0;
#pragma omp target map(tofrom: total, least, lowest, bits)
#pragma omp parallel num_threads(96) shuffle(own, seen, part)
  {
    part = 1e9f;
    for (int i = omp_get_thread_num(); i < N; i += omp_get_num_threads()) {
      own += (i * 31) % 101;
      seen |= (unsigned short)(1 << i % 13);
      part = (i * 17 + 5) % 211 < part ? (float)((i * 17 + 5) % 211) : part;
    }
    for (int far = 16; far > 0; far >>= 1) {
      float other = part;
#pragma omp shuffle down(ALL, far, own +=, own)
#pragma omp shuffle xor(ALL, far, seen |=, seen)
#pragma omp shuffle xor(ALL, far, other, part)
      part = other < part ? other : part;
    }
    if (omp_get_thread_num() % 32 == 0) {
#pragma omp atomic
      total += own;
#pragma omp atomic
      bits |= (short)seen;
#pragma omp critical
      {
        least = part < least ? part : least;
        lowest = (int)part < lowest ? (int)part : lowest;
      }
    }
  }
  long want = 0;
  for (int i = 0; i < N; i++)
    want += (i * 31) % 101;
  EXPECT(total, want);
  EXPECT(bits, 0x1fff);
  EXPECT(lowest, 0);
  EXPECT((int)least, 0);
}

int shuffle(void) {
  rows();
  sums();
  return report();
}
