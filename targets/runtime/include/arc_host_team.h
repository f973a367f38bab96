/*
 * arc_host_team.h: kernels of the host whose groups the threads of a team share. A launch starts a team of its own, or it is
 * one of several that a team does one after the other. Then all threads of the team call the kernel.
 */
#ifndef ARC_HOST_TEAM_H
#define ARC_HOST_TEAM_H
#include "arc_host_kernel.h"

#ifdef _OPENMP
int omp_get_thread_num(void);
#endif

/* Runs `run` on all threads of a new team. Each object of an image has these two; any of them will do. */
__attribute__((weak)) void arc_team_fork(void (*run)(void *of, int thread), void *of) {
#ifdef _OPENMP
#pragma omp parallel
  run(of, omp_get_thread_num());
#else
  run(of, 0);
#endif
}

/* Returns when all threads of the team have called it. */
__attribute__((weak)) void arc_team_meet(void) {
#ifdef _OPENMP
#pragma omp barrier
#endif
}

/* Statements for each group, with `arc_group` and `arc_groups`. */
#define ARC_EACH_GROUP(...)                                                                                            \
  if (arc_groups == 1) {                                                                                               \
    const long arc_group = 0;                                                                                          \
    __VA_ARGS__                                                                                                        \
  } else if (arc_grid->part == ARC_SHARE) {                                                                            \
    _Pragma("omp for schedule(static)") for (long arc_group = 0; arc_group < arc_groups; arc_group++) { __VA_ARGS__ }  \
  } else {                                                                                                             \
    _Pragma("omp parallel for schedule(static)") for (long arc_group = 0; arc_group < arc_groups; arc_group++) {       \
      __VA_ARGS__                                                                                                      \
    }                                                                                                                  \
  }

#endif
