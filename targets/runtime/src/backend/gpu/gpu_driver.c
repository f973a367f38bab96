/* gpu_driver.c: opens a GPU vendor's driver. */
#include "backend/gpu/gpu_driver.h"
#include "report/error.h"
#include "report/text.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The library, or NULL with the reason in `problem`. */
static void *open_library(struct arc_gpu_driver *driver) {
  const char *own = getenv(driver->maker->variable);
  const char *const named[] = {own, NULL};
  void *library = NULL;
  for (const char *const *file = own && *own ? named : driver->maker->files; *file && !library; file++) {
    library = dlopen(*file, RTLD_NOW | RTLD_LOCAL);
    if (!library && !driver->problem) driver->problem = arc_copy_string(dlerror());
  }
  if (library) {
    free(driver->problem);
    driver->problem = NULL;
  }
  return library;
}

static void lacks(struct arc_gpu_driver *driver, const char *name) {
  struct arc_text text = {0};
  if (driver->problem) return;
  arc_text_add(&text, "it lacks %s", name);
  driver->problem = text.bytes;
}

#define FIND(name, parameters)                                       \
  if (driver->maker->names.name) {                                   \
    void *symbol = dlsym(library, driver->maker->names.name);        \
    if (!symbol) lacks(driver, driver->maker->names.name);           \
    memcpy(&driver->call.name, &symbol, sizeof symbol);              \
  }

void arc_gpu_find_driver(struct arc_gpu_driver *driver) {
  void *library = open_library(driver);
  if (!library) return;
  ARC_GPU_FUNCTIONS(FIND)
  const char *missing = driver->maker->find(library);
  if (missing) lacks(driver, missing);
  if (driver->problem) return;
  gpu_result code = driver->call.init(0);
  if (code != GPU_SUCCESS) {
    arc_gpu_failed(driver, driver->maker->names.init, code);
    driver->problem = arc_copy_string(arc_reason());
    return;
  }
  driver->good = true;
}

bool arc_gpu_open_driver(struct arc_gpu_driver *driver, void (*open_once)(void)) {
  pthread_once(&driver->once, open_once);
  return driver->good || arc_because("the %s driver cannot be used: %s", driver->maker->title, driver->problem);
}

bool arc_gpu_failed(const struct arc_gpu_driver *driver, const char *call, gpu_result code) {
  const char *name = NULL, *meaning = NULL;
  driver->maker->describe(code, &name, &meaning);
  const char *version = strstr(call, "_v2");
  return arc_because("%.*s: %s (%d): %s", (int)(version ? (size_t)(version - call) : strlen(call)), call,
                     name ? name : "an unknown error", code, meaning ? meaning : "no text");
}
