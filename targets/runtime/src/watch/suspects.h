/*
 * suspects.h: ARC_CHECK=tasks: accesses of tasks and the program that clauses do not declare. Tasks then run one after
 * the other, where they are created: two tasks that access the same memory must be ordered by their clauses or by a
 * wait.
 *
 * Loads and stores are seen in code that was compiled with -fsanitize=thread and linked without it (instrumented.c).
 * Memory of kernels counts as their clauses say.
 */
#ifndef ARC_SUSPECTS_H
#define ARC_SUSPECTS_H
#include "tasks/task.h"

/* Whether ARC_CHECK asks for it. */
bool arc_suspects(void);

/* State of a task: its index among its siblings, and which of those it is ordered after. */
struct arc_suspect;
/* A task is about to run. `parent`: NULL for the program itself. `is_final`: it was created by a final task. */
struct arc_suspect *arc_suspect_open(struct arc_suspect *parent, const struct arc_task *, bool is_final);
/* Its body has ended; `waited`: the parent waits for it. */
void arc_suspect_end(struct arc_suspect *, bool waited);
/* All tasks created by `parent` are complete; with `part`, those that use this memory, and their predecessors. */
void arc_suspect_wait(struct arc_suspect *parent, const struct arc_task_part *part);
/* The calling thread reads or writes memory. */
void arc_suspect_access(uintptr_t address, size_t size, bool writes);
/* The thread enters or leaves a mutual exclusion: accesses inside need no order. */
void arc_suspect_protected(int change);
/* Kernels access everything that their clauses name. */
void arc_suspect_kernel(const struct arc_task *);
/* A kernel has written a number of bytes past a section, and to one that it only reads. */
void arc_suspect_beyond(struct arc_suspect *, const struct arc_task_part *, size_t bytes);
void arc_suspect_written(struct arc_suspect *, const struct arc_task_part *);

#endif
