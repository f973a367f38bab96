/* Evaluates postfix expressions from stdin, one a line, in a fixed scope; prints the value, or why it is
 * none. */
#include "image/expression.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  static const int64_t trips[] = {1000, 0, -7, INT64_MAX};
  const struct arc_scope scope = {.trips = trips,
                                  .ntrips = 4,
                                  .num_gangs = 0,
                                  .num_workers = 4,
                                  .vector_length = 128,
                                  .compute_units = 2,
                                  .max_group = 1024,
                                  .grid = {8, 3, 1},
                                  .iterations = {5, 0, 9}};
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    struct arc_expression expression;
    const char *why;
    if (arc_expression_parse(&expression, line, strcspn(line, "\n"), &why)) {
      printf("%" PRId64 "\n", arc_expression_value(&expression, &scope));
      arc_expression_free(&expression);
    } else {
      printf("%s\n", why);
    }
  }
  return 0;
}
