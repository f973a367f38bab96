/*
 * An OpenCL library whose devices say that they are NVIDIA's GPU at 0000:1b:00.0, with STAND_IN_OLD in the way of older drivers;
 * all else is the installed library's.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t get_info(void *, uint32_t, size_t, void *, size_t *);

int32_t clGetDeviceInfo(void *device, uint32_t what, size_t room, void *out, size_t *size);

int32_t clGetDeviceInfo(void *device, uint32_t what, size_t room, void *out, size_t *size) {
  static const char vendor[] = "NVIDIA Corporation";
  static const uint64_t gpu = 4;
  static const uint32_t numbers[] = {0x1b, 0, 0}; /* bus, slot, domain */
  static const uint32_t place[] = {0, 0x1b, 0, 0};
  const void *from = NULL;
  size_t bytes = sizeof *numbers;
  if (what == 0x102C) from = vendor, bytes = sizeof vendor;
  if (what == 0x1000) from = &gpu, bytes = sizeof gpu;
  if (what == 0x410F && getenv("STAND_IN_OLD")) return -30;
  if (what == 0x410F) from = place, bytes = sizeof place;
  if (what >= 0x4008 && what <= 0x400A) from = &numbers[what - 0x4008];
  if (!from) {
    get_info *next;
    void *symbol = dlsym(RTLD_NEXT, "clGetDeviceInfo");
    memcpy(&next, &symbol, sizeof symbol);
    return next(device, what, room, out, size);
  }
  if (size) *size = bytes;
  if (out) memcpy(out, from, bytes < room ? bytes : room);
  return 0;
}
