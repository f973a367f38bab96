/* shape.c: reads shapes. */
#include "launch/shape.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool arc_shape_open(struct arc_shape *shape, const char *text) {
  const char *bytes = text ? strchr(text, '|') : NULL, *parts = bytes ? strchr(bytes + 1, '|') : NULL;
  if (!parts) return false;
  *shape = (struct arc_shape){.text = text, .next = parts + 1, .bytes = strtoul(bytes + 1, NULL, 10)};
  return shape->bytes > 0;
}

bool arc_shape_next(struct arc_shape *shape, struct arc_part *part) {
  if (!*shape->next) return false;
  char *at;
  *part = (struct arc_part){.kind = *shape->next};
  part->bits = strtoul(shape->next + 1, &at, 10);
  part->offset = strtoul(at + 1, &at, 10);
  part->count = strtoul(at + 1, &at, 10);
  part->name = at + 1;
  part->length = strcspn(part->name, ";");
  shape->next = part->name + part->length + 1;
  return true;
}

void arc_shape_index(const struct arc_shape *shape, long long index, char *out, size_t room) {
  enum { most = 8 };
  long long extents[most];
  size_t n = 0;
  for (const char *at = shape->text; *at != '|' && n < most; at += *at == ',') {
    char *end;
    extents[n++] = strtoll(at, &end, 10);
    at = end;
  }
  long long subscripts[most + 1];
  for (size_t i = n; i > 0; i--) {
    subscripts[i] = index % extents[i - 1];
    index /= extents[i - 1];
  }
  subscripts[0] = index;
  for (size_t i = 0, used = 0; i <= n && used < room; i++)
    used += (size_t)snprintf(out + used, room - used, "[%lld]", subscripts[i]);
}
