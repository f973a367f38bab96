/* nvml.c: loads NVIDIA's management library. Names and numbers are its own. */
#include "report/nvml.h"
#include "report/error.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { NVML_SUCCESS = 0 };

static struct {
  int (*nvmlInit_v2)(void);
  int (*nvmlDeviceGetHandleByPciBusId_v2)(const char *, arc_nvml_gpu *);
  int (*nvmlDeviceGetTotalEnergyConsumption)(arc_nvml_gpu, unsigned long long *);
  const char *(*nvmlErrorString)(int);
} nvml;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char *problem; /* NULL: the library can be used */

static bool failed(const char *call, int code) { return arc_because("%s: %s (%d)", call, nvml.nvmlErrorString(code), code); }

/* Never closed: other libraries of the program may use it, too. */
static bool load(void) {
  const char *own = getenv("ARC_NVML_LIBRARY");
  void *library = dlopen(own && *own ? own : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return arc_because("%s", dlerror());
  const struct {
    const char *name;
    void *place;
  } functions[] = {
      {"nvmlInit_v2", &nvml.nvmlInit_v2},
      {"nvmlDeviceGetHandleByPciBusId_v2", &nvml.nvmlDeviceGetHandleByPciBusId_v2},
      {"nvmlDeviceGetTotalEnergyConsumption", &nvml.nvmlDeviceGetTotalEnergyConsumption},
      {"nvmlErrorString", &nvml.nvmlErrorString},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *symbol = dlsym(library, functions[i].name);
    if (!symbol) return arc_because("it lacks %s", functions[i].name);
    memcpy(functions[i].place, &symbol, sizeof symbol);
  }
  const int code = nvml.nvmlInit_v2();
  return code == NVML_SUCCESS || failed("nvmlInit", code);
}

static void load_once(void) {
  if (!load()) problem = arc_copy_string(arc_reason());
}

arc_nvml_gpu arc_nvml_open(const char *bus) {
  pthread_once(&once, load_once);
  arc_nvml_gpu gpu = NULL;
  uint64_t millijoules;
  if (problem) {
    arc_because("NVML cannot be used: %s", problem);
    return NULL;
  }
  const int code = nvml.nvmlDeviceGetHandleByPciBusId_v2(bus, &gpu);
  if (code != NVML_SUCCESS) {
    arc_because("nvmlDeviceGetHandleByPciBusId of %s: %s (%d)", bus, nvml.nvmlErrorString(code), code);
    return NULL;
  }
  return arc_nvml_energy(gpu, &millijoules) ? gpu : NULL;
}

bool arc_nvml_energy(arc_nvml_gpu gpu, uint64_t *millijoules) {
  unsigned long long count = 0;
  const int code = nvml.nvmlDeviceGetTotalEnergyConsumption(gpu, &count);
  *millijoules = count;
  return code == NVML_SUCCESS || failed("nvmlDeviceGetTotalEnergyConsumption", code);
}
