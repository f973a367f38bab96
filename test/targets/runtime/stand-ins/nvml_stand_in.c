/*
 * A stand-in for libnvidia-ml.so.1: GPUs 0000:1b:00.0 and on count the energy of STAND_IN_WATTS (100) in steps of STAND_IN_STEP
 * milliseconds (20; 0: they stand still). STAND_IN_NVML=mismatch: the driver is another version's; unsupported: they count
 * nothing. It is no evidence about real GPUs.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { OK = 0, UNSUPPORTED = 3, NOT_FOUND = 6, MISMATCH = 18 };
static int gpu;

static int is(const char *state) {
  const char *text = getenv("STAND_IN_NVML");
  return text && strcmp(text, state) == 0;
}

static double number(const char *variable, double otherwise) {
  const char *text = getenv(variable);
  return text ? strtod(text, NULL) : otherwise;
}

int nvmlInit_v2(void) { return is("mismatch") ? MISMATCH : OK; }

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device) {
  *device = &gpu;
  return strncasecmp(bus, "0000:1b:00.0", 12) == 0 ? OK : NOT_FOUND;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const double step = number("STAND_IN_STEP", 20), time = 1e3 * (double)(now.tv_sec % 100000) + 1e-6 * (double)now.tv_nsec;
  *millijoules = step > 0 ? (unsigned long long)(number("STAND_IN_WATTS", 100) * step * (double)(long)(time / step)) : 7;
  return device != &gpu || is("unsupported") ? UNSUPPORTED : OK;
}

const char *nvmlErrorString(int code) {
  return code == UNSUPPORTED ? "Not Supported" : code == NOT_FOUND ? "Not Found" : "Driver/library version mismatch";
}
