/* A source without directives. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extern int failures;
typedef int (*Compare)(const void *, const void *);

static int words(const char *text) {
  int count = 0;
  for (const char *at = text; *at != '\0';) {
    while (isspace((unsigned char)*at)) at++;
    if (*at == '\0') break;
    count++;
    while (*at != '\0' && !isspace((unsigned char)*at)) at++;
  }
  return count;
}

void report(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  if (errno != 0) goto failed;
  return;
failed:
  failures |= words(strerror(errno)) > 0 ? 1 : 0;
}

void *smallest(void *values, size_t n, size_t size, Compare compare) {
  char *found = values;
  for (size_t k = 1; k < n; ++k) {
    char *other = (char *)values + k * size;
    if (compare(other, found) < 0) found = other;
  }
  return n == 0 ? NULL : found;
}
