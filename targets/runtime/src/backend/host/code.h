/* code.h: kernels of an image for this machine's processor, and the teams that its library starts. */
#ifndef ARC_CODE_H
#define ARC_CODE_H
#include "arc_host_kernel.h"
#include "device/device.h"

typedef void arc_team_run(void *of, int thread);

/*
 * Kept, as libraries are, until the program ends. `fork` and `meet` are those of arc_host_team.h; NULL: the image has no teams.
 * `openmp` stands for its OpenMP library, whose teams can run what has the same one; NULL: none.
 */
struct arc_host_code {
  arc_host_kernel *run;
  void (*fork)(arc_team_run *, void *of);
  void (*meet)(void);
  const void *openmp;
  struct arc_host_code *next;
};

/* NULL with a reason: the library has no kernel of that name. */
struct arc_host_code *arc_host_code_find(void *library, const char *name);

/* Whether a thread of a team is to call a kernel; asked by all threads, for all kernels: see `share` of a back end. */
bool arc_host_turn(struct arc_team_thread *, const struct arc_host_code *, const struct arc_host_grid *);

#endif
