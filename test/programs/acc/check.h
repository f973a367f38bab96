/* What the programs of this folder check themselves with. */
#ifndef CHECK_H
#define CHECK_H
#include <math.h>
#include <stdio.h>

static int differences;

/* Whether to print a difference: all are counted, the first few are shown. */
static inline int show_difference(void) { return differences++ < 8; }

static inline void expect_int(const char *file, int line, const char *what, long at, long long got, long long want) {
  if (got == want || !show_difference())
    return;
  fprintf(stderr, "%s:%d: ", file, line);
  if (at >= 0)
    fprintf(stderr, "at %ld, ", at);
  fprintf(stderr, "%s is %lld, not %lld\n", what, got, want);
}

/* Equal within `within`, relative to the wanted value, or absolute if that is below 1. */
static inline void expect_near(const char *file, int line, const char *what, long at, double got, double want,
                               double within) {
  double size = fabs(want) > 1 ? fabs(want) : 1;
  if (fabs(got - want) <= within * size || !show_difference())
    return;
  fprintf(stderr, "%s:%d: ", file, line);
  if (at >= 0)
    fprintf(stderr, "at %ld, ", at);
  fprintf(stderr, "%s is %.17g, not %.17g\n", what, got, want);
}

#define EXPECT(got, want) expect_int(__FILE__, __LINE__, #got, -1, got, want)
#define EXPECT_AT(at, got, want) expect_int(__FILE__, __LINE__, #got, at, got, want)
#define NEAR(got, want, within) expect_near(__FILE__, __LINE__, #got, -1, got, want, within)
#define NEAR_AT(at, got, want, within) expect_near(__FILE__, __LINE__, #got, at, got, want, within)

/* The program's exit code. */
static inline int report(void) {
  if (differences > 0)
    fprintf(stderr, "%d differences\n", differences);
  return differences > 0;
}
#endif
