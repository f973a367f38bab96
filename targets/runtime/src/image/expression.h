/* expression.h: the postfix launch expressions of an image manifest. */
#ifndef ARC_EXPRESSION_H
#define ARC_EXPRESSION_H
#include "arcrt.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Depth of nested loops around kernels. */
enum { arc_deepest_loop = 8 };

/* The values of the names in an expression. */
struct arc_scope {
  const int64_t *trips; /* t0, t1, ... */
  size_t ntrips;
  int64_t num_gangs, num_workers, vector_length; /* ng nw vl; 0: no clause */
  int64_t compute_units;                         /* cu */
  int64_t max_group;                             /* mg */
  int64_t device_number;                         /* dn */
  int64_t last_group;                            /* lg */
  int64_t grid[3];                               /* gx gy gz: of the region's first kernel */
  int64_t iterations[arc_deepest_loop];          /* n0, n1, ...: of the loops around a kernel, outermost first */
  const struct arc_arg *arguments;               /* a0, a1, ...: of the region, numbers that are passed by value */
  size_t narguments;
};

struct arc_step;
struct arc_expression {
  struct arc_step *steps;
  size_t count;
  size_t depth;  /* most values held at once */
  size_t ntrips; /* 1 + the largest trip count named */
  bool uses_grid;
};

/* Parses text[0..length). False: not an expression; *why names the first offending word. */
bool arc_expression_parse(struct arc_expression *, const char *text, size_t length, const char **why);
int64_t arc_expression_value(const struct arc_expression *, const struct arc_scope *);
void arc_expression_free(struct arc_expression *);

#endif
