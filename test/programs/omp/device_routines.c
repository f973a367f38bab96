// Threads of a region know where they are: their number, their team's, and whether they share work.
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
#define omp_get_level() of_one_thread(0)
#define omp_in_parallel() of_one_thread(0)
#define omp_get_device_num() of_one_thread(0)
#define omp_is_initial_device() of_one_thread(1)
#endif

#define N 515
#define TEAMS 3

/* Of a function that the first thread of a team calls, and threads that share a loop. */
#pragma omp declare target
static int place_in_team(void) { return omp_get_thread_num() + 1000 * omp_get_num_threads(); }
static int place(void) { return place_in_team() + 1000000 * omp_get_team_num(); }
#pragma omp end declare target

static void ends_of_one_thread(const int *level, const int *threads) {
  EXPECT(level[0], 0);
  EXPECT(level[1], 1);
  EXPECT(threads[0], 1);
}

int device_routines(void) {
  int team[N], thread[N], threads[N], teams = 0, away = 1;
#pragma omp target teams distribute parallel for num_teams(TEAMS) map(from: team, thread, threads) map(tofrom: teams)
  for (int i = 0; i < N; i++) {
    team[i] = omp_get_team_num();
    thread[i] = omp_get_thread_num();
    threads[i] = omp_get_num_threads();
    if (i == 0)
      teams = omp_get_num_teams();
  }
  EXPECT(teams >= 1 && teams <= TEAMS, 1);
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, team[i] >= 0 && team[i] < teams, 1);
    EXPECT_AT(i, thread[i] >= 0 && thread[i] < threads[i], 1);
    EXPECT_AT(i, threads[i], threads[0]);
  }

  /* The first thread of a team runs what stands around its loops. */
  int level[2] = {-1, -1}, alone[3] = {0, 0, -1}, first = -1, called = -1, number = -2, inside[N];
#pragma omp target map(from: level, alone, inside) map(tofrom: first, called, away, number)
  {
    level[0] = omp_get_level();
    alone[0] = omp_get_num_threads();
    first = omp_get_thread_num() + omp_in_parallel() + omp_get_team_num();
    called = place();
    away = omp_is_initial_device();
    number = omp_get_device_num();
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
      inside[i] = place() - omp_get_thread_num() - 1000 * omp_get_num_threads();
      if (i == 0) {
        level[1] = omp_get_level();
        alone[1] = omp_get_num_threads();
        alone[2] = omp_in_parallel();
      }
    }
    alone[0] += omp_get_thread_num();
  }
  ends_of_one_thread(level, alone);
  EXPECT(alone[2], alone[1] > 1);
  EXPECT(first, 0);
  EXPECT(called, 1000);
  EXPECT(number >= 0, 1);
  (void)away;
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, inside[i], 0);

  /* A loop by hand: each team takes every so many. */
  int taken[N] = {0};
#pragma omp target teams num_teams(TEAMS) map(tofrom: taken)
  for (int i = omp_get_team_num(); i < N; i += omp_get_num_teams())
    taken[i] += i;
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, taken[i], i);
  return report();
}
