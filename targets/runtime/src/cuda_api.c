/* cuda_api.c: opens the CUDA driver. */
#include "cuda_api.h"
#include "error.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct arc_cuda_api api;
static bool good;
static char *problem;

#define FIND(name, version, parameters)                                             \
  {                                                                                 \
    void *symbol = dlsym(library, #name #version);                                  \
    if (!symbol && !problem) problem = arc_copy_string("it lacks " #name #version); \
    memcpy(&api.name, &symbol, sizeof symbol);                                      \
  }

static void open_library(void) {
  const char *name = getenv("ARC_CUDA_LIBRARY");
  void *library = dlopen(name && *name ? name : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    problem = arc_copy_string(dlerror());
    return;
  }
  ARC_CUDA_FUNCTIONS(FIND)
  if (problem) return;
  CUresult code = api.cuInit(0);
  if (code != CUDA_SUCCESS) {
    arc_cuda_failed("cuInit", code);
    problem = arc_copy_string(arc_reason());
    return;
  }
  good = true;
}

const struct arc_cuda_api *arc_cuda_api(void) {
  pthread_once(&once, open_library);
  if (!good) arc_because("the CUDA driver cannot be used: %s", problem);
  return good ? &api : NULL;
}

int arc_cuda_failed(const char *call, CUresult code) {
  const char *name = NULL, *meaning = NULL;
  api.cuGetErrorName(code, &name);
  api.cuGetErrorString(code, &meaning);
  return arc_because("%s: %s (%d): %s", call, name ? name : "an unknown error", code,
                     meaning ? meaning : "no text");
}
