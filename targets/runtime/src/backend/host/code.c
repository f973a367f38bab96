/* code.c: finds kernels and what starts teams in a library. */
#include "backend/host/code.h"
#include "image/library.h"
#include "report/error.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

static struct arc_host_code *_Atomic all;

struct arc_host_code *arc_host_code_find(void *library, const char *name) {
  void *run = arc_library_kernel(library, name);
  if (!run) return NULL;
  void *fork = dlsym(library, "arc_team_fork"), *meet = dlsym(library, "arc_team_meet");
  struct arc_host_code *code = arc_allocate(sizeof *code);
  /* ISO C has no cast from an object to a function pointer. */
  memcpy(&code->run, &run, sizeof run);
  memcpy(&code->fork, &fork, sizeof fork);
  memcpy(&code->meet, &meet, sizeof meet);
  code->openmp = dlsym(library, "omp_get_num_threads");
  code->next = all;
  while (!atomic_compare_exchange_weak(&all, &code->next, code)) continue;
  return code;
}

bool arc_host_turn(struct arc_team_thread *thread, const struct arc_host_code *code, const struct arc_host_grid *grid) {
  const bool single = grid->grid[0] == 1;
  if (thread->behind && !single) code->meet();
  thread->behind = single;
  return !single || thread->number == 0;
}
