/* backends.c: the back ends of this runtime, by name and by the words that ask for a type of device. */
#include "device/device.h"
#include <string.h>

#define ARC_BACKEND_ADDRESS(name) &arc_backend_##name,
const struct arc_backend *const arc_backends[ARC_BACKENDS] = {ARC_BACKEND_LIST(ARC_BACKEND_ADDRESS)};

const struct arc_backend *arc_backend_named(const char *name) {
  for (size_t i = 0; i < ARC_BACKENDS; i++)
    if (strcmp(arc_backends[i]->name, name) == 0) return arc_backends[i];
  return NULL;
}

bool arc_backend_serves(const char *name, const char *word) {
  if (strcmp(word, name) == 0 || strcmp(word, "default") == 0) return true;
  if (strcmp(word, "not_host") == 0) return strcmp(name, "host") != 0;
  const struct arc_backend *backend = arc_backend_named(name);
  for (size_t i = 0; backend && backend->types[i]; i++)
    if (strcmp(backend->types[i], word) == 0) return true;
  return false;
}

void arc_backend_names(struct arc_text *text, const char *last) {
  for (size_t i = 0; i < ARC_BACKENDS; i++)
    arc_text_add(text, "%s%s", i == 0 ? "" : i + 1 < ARC_BACKENDS ? ", " : last, arc_backends[i]->name);
}
