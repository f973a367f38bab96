// All threads of a team run the code of a parallel construct, and see each other's writes behind its barriers.
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
#define TEAMS 3
#define BLOCK 32

/* A tree in the memory of a team: the number of threads is what the device gives. */
static void tree(void) {
  long sums[TEAMS] = {0}, want = 0;
  int width[TEAMS] = {0};
#pragma omp target teams num_teams(TEAMS) map(tofrom: sums, width)
  {
    long part[1024];
    int count = 0;
#pragma omp parallel
    {
      const int me = omp_get_thread_num(), all = omp_get_num_threads();
      long own = 0;
      for (int i = omp_get_team_num() * all + me; i < N; i += omp_get_num_teams() * all)
        own += i;
      part[me] = own;
      if (me == 0)
        count = all;
#pragma omp barrier
      for (int width = 1; width < all; width *= 2) {
        if (me % (2 * width) == 0 && me + width < all)
          part[me] += part[me + width];
#pragma omp barrier
      }
    }
    sums[omp_get_team_num()] = part[0];
    width[omp_get_team_num()] = count;
  }
  long sum = 0;
  for (int t = 0; t < TEAMS; t++)
    sum += sums[t];
  for (int i = 0; i < N; i++)
    want += i;
  EXPECT(sum, want);
  EXPECT(width[0] >= 1, 1);
}

/* The launch gives the number of threads: a limit that the program computes. */
static void of_launch(int limit) {
  long sums[TEAMS] = {0}, want = 0;
  int width = 0;
#pragma omp target teams num_teams(TEAMS) thread_limit(limit) map(tofrom: sums, width)
  {
    long part[1024];
#pragma omp parallel
    {
      const int me = omp_get_thread_num(), all = omp_get_num_threads();
      part[me] = 0;
      for (int i = omp_get_team_num() * all + me; i < N; i += omp_get_num_teams() * all)
        part[me] += i;
#pragma omp barrier
      for (int width = 1; width < all; width *= 2) {
        if (me % (2 * width) == 0 && me + width < all)
          part[me] += part[me + width];
#pragma omp barrier
      }
      if (me == 0)
        sums[omp_get_team_num()] = part[0];
      if (me == 0 && omp_get_team_num() == 0)
        width = all;
    }
  }
  long sum = 0;
  for (int t = 0; t < TEAMS; t++)
    sum += sums[t];
  for (int i = 0; i < N; i++)
    want += i;
  EXPECT(sum, want);
  EXPECT(width >= 1 && width <= limit, 1);
}

/* Loops and statements of one thread inside; each waits for the others. */
static void shared_out(void) {
  int a[N], b[N], total = 0, highest = -1, private_to_each = 7, copies = 0;
#pragma omp target map(from: a, b) map(tofrom: total, highest, copies)
  {
    int first = 3, sum = 0;
#pragma omp parallel firstprivate(private_to_each) reduction(max: highest)
    {
      private_to_each += omp_get_thread_num();
#pragma omp for
      for (int i = 0; i < N; i++)
        a[i] = first * i;
#pragma omp single
      {
        first = a[N - 1];
        copies++;
      }
#pragma omp for reduction(+: sum)
      for (int i = 0; i < N; i++) {
        b[i] = a[N - 1 - i] - first;
        sum += a[i];
      }
#pragma omp master
      total = sum;
#pragma omp for nowait
      for (int i = 0; i < N; i++)
        highest = a[i] > highest ? a[i] : highest;
      if (private_to_each != 7 + omp_get_thread_num())
        highest = 1000000;
    }
  }
  int want = 0;
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], 3 * i);
    EXPECT_AT(i, b[i], -3 * i);
    want += 3 * i;
  }
  EXPECT(total, want);
  EXPECT(highest, 3 * (N - 1));
  EXPECT(copies, 1);
}

/* Teams take the rounds of a loop, and the threads of each work together in one. */
static void tiles(void) {
  int in[8 * 64], out[8 * 64];
  for (int i = 0; i < 8 * 64; i++)
    in[i] = i * 7 % 64;
#pragma omp target teams distribute map(to: in) map(from: out)
  for (int tile = 0; tile < 8; tile++) {
    int near[64];
#pragma omp parallel
    {
#pragma omp for
      for (int i = 0; i < 64; i++)
        near[i] = in[tile * 64 + i];
#pragma omp for
      for (int i = 0; i < 64; i++)
        out[tile * 64 + i] = near[63 - i] + near[(i + 1) % 64];
    }
  }
  for (int i = 0; i < 8 * 64; i++) {
    const int tile = i / 64 * 64, at = i % 64;
    EXPECT_AT(i, out[i], in[tile + 63 - at] + in[tile + (at + 1) % 64]);
  }
}

/* A number of threads that the program counts on, in many teams, with results that threads combine. */
static void counted_on(void) {
  double in[N], sums[(N + BLOCK - 1) / BLOCK], total = 0;
  int threads = 0, highest = -1, hits[4] = {0};
  for (int i = 0; i < N; i++)
    in[i] = i % 17;
#pragma omp target teams num_teams((N + BLOCK - 1) / BLOCK) thread_limit(BLOCK) map(to: in) map(from: sums) map(tofrom: total)
  {
    double near[BLOCK];
#pragma omp parallel num_threads(BLOCK)
    {
      const int me = omp_get_thread_num(), block = omp_get_team_num();
#ifdef _OPENMP
      const int at = block * BLOCK + me;
      near[me] = at < N ? in[at] : 0;
#pragma omp barrier
      for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (me < half)
          near[me] += near[me + half];
#pragma omp barrier
      }
#else
      near[0] = 0;
      for (int i = 0; i < N; i++)
        near[0] += in[i];
#endif
      if (me == 0) {
        sums[block] = near[0];
#pragma omp atomic
        total += near[0];
      }
    }
  }
  double want = 0;
  for (int i = 0; i < N; i++)
    want += in[i];
  EXPECT(total, want);
  EXPECT(sums[0] > 0, 1);
#pragma omp target parallel num_threads(8) reduction(+: threads) reduction(max: highest) reduction(+: hits)
  {
    threads++;
    highest = omp_get_thread_num();
    hits[1] += 2;
  }
  EXPECT(threads, highest + 1);
  EXPECT(hits[1], 2 * threads);
#ifdef _OPENMP
  EXPECT(threads, 8);
#endif
}

int thread_blocks(void) {
  counted_on();
  tree();
  of_launch(24);
  of_launch(96);
  shared_out();
  tiles();
  return report();
}
