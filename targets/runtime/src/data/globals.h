/* globals.h: variables of file scope, by the keys under which the files that own them registered them. */
#ifndef ARC_GLOBALS_H
#define ARC_GLOBALS_H
#include "arcrt.h"

struct arc_global {
  struct arc_global *next;
  const char *key, *name;
  void *host;
  __SIZE_TYPE__ size;
};

/* NULL if no file of the program registered it. */
const struct arc_global *arc_global_find(const char *key);

#endif
