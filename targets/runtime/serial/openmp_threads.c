/*
 * openmp_threads.c: the OpenMP routines for a host with one thread: where the C compiler's OpenMP is not linked, whose
 * own routines these must not hide. Nor may they be found by kernels, which run with threads: no symbol leaves the
 * program.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#pragma GCC visibility push(hidden)
#include "omp.h"
#pragma GCC visibility pop

static double seconds(const struct timespec *time) { return (double)time->tv_sec + 1e-9 * (double)time->tv_nsec; }

double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return seconds(&now);
}

double omp_get_wtick(void) {
  struct timespec resolution;
  clock_getres(CLOCK_MONOTONIC, &resolution);
  return seconds(&resolution);
}

int omp_get_num_procs(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }
int omp_get_max_threads(void) { return 1; }
int omp_get_num_threads(void) { return 1; }
int omp_get_thread_num(void) { return 0; }
void omp_set_num_threads(int threads) { (void)threads; }
int omp_in_parallel(void) { return 0; }
int omp_get_num_teams(void) { return 1; }
int omp_get_team_num(void) { return 0; }
int omp_get_thread_limit(void) { return 1; }
int omp_get_level(void) { return 0; }
int omp_get_active_level(void) { return 0; }
int omp_get_dynamic(void) { return 0; }
void omp_set_dynamic(int dynamic) { (void)dynamic; }
int omp_get_nested(void) { return 0; }
void omp_set_nested(int nested) { (void)nested; }
int omp_get_max_active_levels(void) { return 1; }
void omp_set_max_active_levels(int levels) { (void)levels; }

void omp_init_lock(omp_lock_t *lock) { *lock = 0; }
void omp_destroy_lock(omp_lock_t *lock) { (void)lock; }
void omp_unset_lock(omp_lock_t *lock) { *lock = 0; }
int omp_test_lock(omp_lock_t *lock) { return *lock ? 0 : (*lock = 1); }

/* A single thread that waits for itself waits forever. */
void omp_set_lock(omp_lock_t *lock) {
  if (omp_test_lock(lock)) return;
  fprintf(stderr, "arc: omp_set_lock: the program's only thread holds this lock already\n");
  abort();
}

void omp_init_nest_lock(omp_nest_lock_t *lock) { *lock = 0; }
void omp_destroy_nest_lock(omp_nest_lock_t *lock) { (void)lock; }
void omp_set_nest_lock(omp_nest_lock_t *lock) { ++*lock; }
void omp_unset_nest_lock(omp_nest_lock_t *lock) { --*lock; }
int omp_test_nest_lock(omp_nest_lock_t *lock) { return ++*lock; }
