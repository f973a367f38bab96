/*
 * gpu_compiler.h: the run-time compilers that GPU vendors ship with their driver libraries: NVRTC and HIPRTC, whose
 * functions map one to one. Loaded when a program first has a kernel as text.
 */
#ifndef ARC_GPU_COMPILER_H
#define ARC_GPU_COMPILER_H
#include <stdbool.h>
#include <stddef.h>

/* Differences between the vendors. */
struct arc_gpu_compiler_maker {
  const char *title;        /* for messages: NVRTC */
  const char *prefix;       /* of its functions: nvrtc */
  const char *code;         /* what it calls machine code in their names: CUBIN */
  const char *variable;     /* of the environment: the library, where it has another name */
  const char *const *files; /* its usual names, ends in NULL */
  const char *architecture; /* an option, in front of the architecture's name; NULL: it knows the device itself */
  const char *options;      /* the environment's variable of more options, between spaces */
  const char *const *homes; /* variables and folders that may hold the maker's headers in include/; ends in NULL */
};

/* A kernel as machine code. The caller frees all pointers that are not NULL. */
struct arc_gpu_compiled {
  char *code;
  size_t size;
  char *name; /* of the kernel in the code: C++ changes it */
};

/* False with arc_because(), which includes the compiler's messages. */
bool arc_gpu_compile(const struct arc_gpu_compiler_maker *, const char *architecture, const char *source,
                     const char *file, const char *kernel, struct arc_gpu_compiled *);

#endif
