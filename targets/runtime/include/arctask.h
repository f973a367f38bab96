/*
 * arctask.h: what translated host code calls for tasks that follow their data. Not for users.
 *
 * A task is created where the program comes by; it runs when all earlier tasks of the same parent are complete that
 * touch the same memory in a way that does not commute. A task is complete when its body and all tasks that the body
 * created have ended.
 *
 * Like arcrt.h it includes nothing.
 */
#ifndef ARCTASK_H
#define ARCTASK_H
#include "arcrt.h"
#ifdef __cplusplus
extern "C" {
#endif

/*
 * How a task uses memory. Tasks that use the same memory in one of the last three modes are not ordered among each
 * other.
 */
enum arc_task_mode {
  ARC_TASK_IN = 1,
  ARC_TASK_OUT,
  ARC_TASK_INOUT,
  ARC_TASK_CONCURRENT,  /* at the same time */
  ARC_TASK_COMMUTATIVE, /* one at a time */
  ARC_TASK_REDUCTION    /* at the same time, each with a copy of its own */
};

/* Flags of the mode: the memory only orders tasks, or the device only needs a copy of it. */
#define ARC_TASK_ONLY_ORDER 0x40
#define ARC_TASK_ONLY_COPY 0x80

/* A section is `count` repetitions of the rest of the list, `stride` bytes apart. */
typedef struct arc_task_rows {
  long count;
  __SIZE_TYPE__ stride;
} arc_task_rows;

/* A section of an array. A count or size below 1 makes the section empty. */
typedef struct arc_task_access {
  const char *name; /* as the user wrote it; a literal */
  void *start;      /* first byte of the section */
  long size;        /* bytes that follow one another: a part of a row */
  const arc_task_rows *rows; /* outermost first */
  __UINT8_TYPE__ dims;       /* how many rows there are; 0: the section is contiguous */
  __UINT8_TYPE__ mode;       /* enum arc_task_mode, and one of ARC_TASK_ONLY_ at most */
  __UINT8_TYPE__ operator;   /* of a reduction: equal ones need no order */
} arc_task_access;

/* The value of a kernel parameter. */
enum arc_task_parameter_kind {
  ARC_TASK_VALUE,  /* `size` bytes of the arguments, at `offset` */
  ARC_TASK_MEMORY, /* the device's copy of the section that begins where the pointer at `offset` leads */
  ARC_TASK_LOCAL   /* memory of a group: so many bytes as the long at `offset` says. CUDA and HIP: no parameter */
};
typedef struct arc_task_parameter {
  int kind;
  __SIZE_TYPE__ offset, size;
} arc_task_parameter;

/* A kernel written by the program's author. */
typedef struct arc_task_kernel {
  const char *backend; /* "opencl", "cuda", "hip" */
  const char *name, *file;
  const char *image; /* where its text and its code are; NULL: only the text is there, here */
  const char *source;
  __SIZE_TYPE__ source_size;
  /* Offset of seven longs in the arguments: number of work-items, group size (0: any), and device number (-1: any). */
  __SIZE_TYPE__ geometry;
  __SIZE_TYPE__ parameters;
  const arc_task_parameter *list;
} arc_task_kernel;

/* One of several alternative bodies of a task. */
typedef struct arc_task_version {
  const char *label; /* for people */
  void (*run)(void *arguments);
  const arc_task_kernel *kernel; /* in place of `run` */
  const char *device; /* with `run`: the kind of device for which regions inside are; NULL: for none */
} arc_task_version;

/* One task construct of the program's source. */
typedef struct arc_task_type {
  arc_site site;
  arc_task_version own;
  __SIZE_TYPE__ others; /* how many versions there are beside it */
  const arc_task_version *list;
} arc_task_type;

#define ARC_TASK_UNDEFERRED 1u /* the program goes on when it has run: if(0) */
#define ARC_TASK_FINAL 2u      /* tasks that it creates run at once */

/* `arguments` are copied. Several accesses may name the same memory: the strongest counts. */
void arc_task_create(const arc_task_type *, const void *arguments, __SIZE_TYPE__ size, __SIZE_TYPE__ accesses,
                     const arc_task_access *, unsigned flags, int priority);

/* Waits for all tasks that the current task created. */
void arc_task_wait(const arc_site *);
/* The same, but data stays on devices. */
void arc_task_wait_noflush(const arc_site *);
/* Waits for the tasks that a task with these accesses would have to wait for. */
void arc_task_wait_on(const arc_site *, __SIZE_TYPE__ accesses, const arc_task_access *);
/* Waits for all tasks created since the group began, and their descendants. */
typedef struct arc_task_group {
  long live; /* atomic */
  struct arc_task_group *outer;
} arc_task_group;
void arc_task_group_begin(arc_task_group *);
void arc_task_group_end(const arc_site *, arc_task_group *);
/* Another task may run now. */
void arc_task_yield(void);
/* Whether the current task is final. */
int arc_task_in_final(void);

/* Around the code that adds a task's own copies of reduction variables to the program's. */
void arc_task_combine_begin(void);
void arc_task_combine_end(void);

#ifdef __cplusplus
}
#endif
#endif
