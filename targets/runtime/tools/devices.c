/*
 * devices.c: lists what libarcrt could open here, one device per line, tab-separated: back end, number,
 * name, vendor, driver, type (cpu, gpu, accelerator, custom), and for NVIDIA GPUs whether NVML counts their energy: "NVML",
 * or why not. A back end without devices has one line: its name, "-", the reason. The
 * environment that narrows the choice of a program (ARC_OPENCL_DEVICE, ...) narrows it here.
 */
#define _POSIX_C_SOURCE 200809L
#include "device/device.h"
#include "report/nvml.h"
#include <stdio.h>

/* On one line and in its column, whatever the driver's text contains. */
static void print_column(const char *text, char end) {
  for (const char *c = text ? text : ""; *c; c++) putchar(*c == '\t' || *c == '\n' ? ' ' : *c);
  putchar(end);
}

static void print_missing(const struct arc_backend *backend) {
  printf("%s\t-\t", backend->name);
  print_column(arc_reason(), '\n');
}

static void print_device(const struct arc_backend *backend, int ordinal) {
  struct arc_device device = {.backend = backend, .ordinal = ordinal, .alignment = 1};
  pthread_mutex_init(&device.lock, NULL);
  arc_device_lock(&device);
  if (backend->open(&device)) {
    printf("%s\t%d\t", backend->name, ordinal);
    print_column(device.name, '\t');
    print_column(device.vendor, '\t');
    print_column(device.driver, '\t');
    print_column(device.type, '\t');
    print_column(!device.bus ? "" : arc_nvml_open(device.bus) ? "NVML" : arc_reason(), '\n');
    backend->close(&device);
  } else {
    print_missing(backend);
  }
  arc_device_unlock(&device);
  pthread_mutex_destroy(&device.lock);
}

int main(void) {
  for (size_t i = ARC_BACKENDS; i-- > 0;) {
    int count = arc_backends[i]->devices();
    for (int ordinal = 0; ordinal < count; ordinal++) print_device(arc_backends[i], ordinal);
    if (count <= 0) print_missing(arc_backends[i]);
  }
  return 0;
}
