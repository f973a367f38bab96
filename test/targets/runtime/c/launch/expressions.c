/* Evaluates postfix expressions from stdin, one a line, in a fixed scope; prints the value, or why it is
 * none. */
#include "image/expression.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  static int words = -12;
  static long long wide = 1LL << 40;
  static signed char byte = -3;
  static float not_a_count[3];
  static const arc_arg arguments[] = {{.host = &words, .size = sizeof words, .kind = ARC_ARG_VALUE},
                                      {.host = &wide, .size = sizeof wide, .kind = ARC_ARG_VALUE},
                                      {.host = &byte, .size = sizeof byte, .kind = ARC_ARG_VALUE},
                                      {.host = not_a_count, .size = sizeof not_a_count, .kind = ARC_ARG_VALUE},
                                      {.host = &words, .kind = ARC_ARG_BUFFER}};
  static const int64_t trips[] = {1000, 0, -7, INT64_MAX};
  const struct arc_scope scope = {.trips = trips,
                                  .ntrips = 4,
                                  .num_gangs = 0,
                                  .num_workers = 4,
                                  .vector_length = 128,
                                  .compute_units = 2,
                                  .max_group = 1024,
                                  .grid = {8, 3, 1},
                                  .iterations = {5, 0, 9},
                                  .arguments = arguments,
                                  .narguments = 5};
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
