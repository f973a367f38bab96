/* text.h: a growing string, for messages and file contents made piece by piece. */
#ifndef ARC_TEXT_H
#define ARC_TEXT_H
#include <stdarg.h>
#include <stddef.h>

struct arc_text {
  char *bytes; /* always terminated once anything was added; NULL before */
  size_t length;
  size_t capacity;
};

void arc_text_add(struct arc_text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void arc_text_addv(struct arc_text *, const char *format, va_list);
void arc_text_append(struct arc_text *, const char *bytes, size_t length);
/* The string so far, "" when nothing was added. */
const char *arc_text_string(const struct arc_text *);
void arc_text_free(struct arc_text *);

#endif
