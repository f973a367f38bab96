/* image.h: one parsed *.arci file (IMAGE.md describes the format). */
#ifndef ARC_IMAGE_H
#define ARC_IMAGE_H
#include "arcrt.h"
#include "image/expression.h"
#include <stdbool.h>

enum arc_parameter_kind { ARC_PARAMETER_ARGUMENT, ARC_PARAMETER_GLOBAL, ARC_PARAMETER_SCRATCH, ARC_PARAMETER_VALUE, ARC_PARAMETER_OVERLAP };

struct arc_parameter {
  enum arc_parameter_kind kind;
  size_t index;                /* of the region's argument, global or scratch */
  size_t other;                /* ARC_PARAMETER_OVERLAP: the second argument */
  struct arc_expression value; /* ARC_PARAMETER_VALUE */
};

struct arc_kernel_record {
  char *name;
  struct arc_expression group[3], grid[3];
  struct arc_expression operations[2]; /* of numbers of 32 bits and of 64; empty: not known */
  struct arc_parameter *parameters;
  size_t nparameters;
};

/* Kernels from `first` to `end`, which the launch repeats. Inner loops follow the enclosing one. */
struct arc_loop_record {
  struct arc_expression count;
  size_t first, end;
};

/* A region that starts together with others of its image: channels connect them, or one fused kernel replaces them. */
enum arc_together {
  ARC_ALONE,
  ARC_WAIT, /* until the last of them is launched */
  ARC_LAST  /* then all of them start */
};

/* A variable of another file. */
struct arc_global_record {
  char *key;
  enum arc_map map; /* ARC_COPY or ARC_COPYIN around a launch; ARC_PRESENT for a pointer, whose data is there */
};

/* A launch may make up to `most` time steps; the other fields are parameter indexes. most 0: not supported. */
struct arc_steps_record {
  size_t most, input, output, count;
};

struct arc_region_record {
  char *name;
  arc_site site; /* of the directive it was translated from; file NULL when the manifest has none */
  size_t narguments;
  struct arc_global_record *globals;
  size_t nglobals;
  size_t ntrips; /* trip counts that its expressions name */
  struct arc_expression *scratch;
  size_t nscratch;
  size_t zeroed; /* a scratch that is zero before the first launch, and that launches leave so, if `sign` is there */
  char *sign;    /* a kernel that the code has if its last groups go on by themselves; NULL: not asked */
  arc_site *strays; /* calls through pointers, whose number from 1 a kernel leaves where one leads to no function */
  size_t nstrays;
  size_t stray; /* the scratch where */
  struct arc_kernel_record *kernels;
  size_t nkernels;
  struct arc_loop_record *loops;
  size_t nloops;
  enum arc_together together;
  size_t group; /* of regions that run together; counts from 0 in each image */
  struct arc_steps_record steps;
  bool prints;  /* its kernels show something by themselves: printf, abort */
  bool fused;   /* one kernel for all: its parameters are those of the first region, then of the second, ... */
};

struct arc_payload {
  char *kind; /* a word; back ends list those that they load */
  const unsigned char *bytes; /* inside the image's bytes */
  size_t size;
  char *tag; /* "" when none */
};

/* The name of a user-written kernel in its code. */
struct arc_symbol {
  char *kernel, *name;
};

struct arc_image {
  char *origin; /* file, or "the executable" */
  char *kernels; /* by which host code asks for kernels that its author wrote; NULL: regions ask */
  struct arc_symbol *symbols;
  size_t nsymbols;
  char *backend, *target, *variant, *options;
  bool fpga; /* its regions are hardware, or are simulated as such */
  struct arc_region_record *regions;
  size_t nregions;
  struct arc_payload *payloads;
  size_t npayloads;
};

/*
 * Parses bytes[0..size), which must outlive the image. On an error returns NULL, and *why is one line that names the
 * manifest's line; the caller frees it.
 */
struct arc_image *arc_image_parse(const char *origin, const void *bytes, size_t size, char **why);
void arc_image_free(struct arc_image *);
/* The kernel's name in the code. */
const char *arc_image_symbol(const struct arc_image *, const char *kernel);
const struct arc_payload *arc_image_payload(const struct arc_image *, const char *kind);

#endif
