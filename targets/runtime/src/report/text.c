/* text.c: growing strings. */
#include "report/text.h"
#include "report/error.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct arc_text *text, size_t more) {
  if (text->length + more < text->capacity) return;
  size_t capacity = text->capacity ? text->capacity : 64;
  while (text->length + more >= capacity) capacity *= 2;
  text->bytes = arc_resize(text->bytes, capacity);
  text->capacity = capacity;
}

void arc_text_append(struct arc_text *text, const char *bytes, size_t length) {
  reserve(text, length);
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = 0;
}

void arc_text_addv(struct arc_text *text, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) return;
  reserve(text, (size_t)length);
  vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
  text->length += (size_t)length;
}

void arc_text_add(struct arc_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  arc_text_addv(text, format, arguments);
  va_end(arguments);
}

const char *arc_text_string(const struct arc_text *text) { return text->bytes ? text->bytes : ""; }

void arc_text_free(struct arc_text *text) {
  free(text->bytes);
  *text = (struct arc_text){0};
}
