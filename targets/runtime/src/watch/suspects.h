/*
 * suspects.h: ARC_CHECK=tasks: what tasks and the program do to memory beside what clauses say. Tasks run one after the
 * other then, where they are created: two that touch the same memory must be ordered by their clauses or by a wait.
 *
 * Loads and stores are seen in code that was compiled with -fsanitize=thread and linked without it (instrumented.c).
 * Memory of kernels counts as their clauses say.
 */
#ifndef ARC_SUSPECTS_H
#define ARC_SUSPECTS_H
#include "tasks/task.h"

/* Whether ARC_CHECK asks for it. */
bool arc_suspects(void);

/* What is known of a task: its place among its siblings, and which of those it comes after. */
struct arc_suspect;
/* A task is about to run. `parent`: NULL for the program itself. `is_final`: it was created by a final task. */
struct arc_suspect *arc_suspect_open(struct arc_suspect *parent, const struct arc_task *, bool is_final);
/* Its body has ended; `waited`: so its parent knows. */
void arc_suspect_end(struct arc_suspect *, bool waited);
/* All tasks that `parent` has created are complete; with `part` those that use this memory, and what they came after. */
void arc_suspect_wait(struct arc_suspect *parent, const struct arc_task_part *part);
/* The thread that calls reads or writes memory. */
void arc_suspect_access(uintptr_t address, size_t size, bool writes);
/* The thread enters or leaves what one task does at a time: such accesses need no order. */
void arc_suspect_protected(int change);
/* Kernels use all that their clauses name. */
void arc_suspect_kernel(const struct arc_task *);
/* One has written so many bytes behind a section, and to one that it only reads. */
void arc_suspect_beyond(struct arc_suspect *, const struct arc_task_part *, size_t bytes);
void arc_suspect_written(struct arc_suspect *, const struct arc_task_part *);

#endif
