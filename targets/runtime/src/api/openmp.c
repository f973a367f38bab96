/* openmp.c: the OpenMP routines for devices, in terms of OpenACC's. */
#include "omp.h"
#include "openacc.h"
#include <stdlib.h>
#include <string.h>

/* Defined in device.c; the serial program has none of these. */
extern void arc_device_none(void) __attribute__((weak));
extern void arc_device_default(int number) __attribute__((weak));
/* Defined in openacc_memory.c. */
extern int arc_is_mapped(const void *host, size_t) __attribute__((weak));

/* Whether the default device is the host: for threads without a choice, and this thread's choice (-1: none). */
static int host_for_all;
static _Thread_local int said_host = -1;

int omp_get_num_devices(void) { return acc_get_num_devices(acc_device_default); }
int omp_get_initial_device(void) { return omp_get_num_devices(); }
int omp_get_device_num(void) { return omp_get_initial_device(); }
int omp_is_initial_device(void) { return 1; }

/* OpenMP 5.2, section 18.7: the host has two numbers, omp_initial_device among them. */
static int is_host(int device) { return device == -1 || device == omp_get_initial_device(); }
static int exists(int device) { return device >= 0 && device < omp_get_initial_device(); }

static int number_in_use(void) { return acc_get_device_num(acc_device_current); }

static int on_host(void) { return said_host < 0 ? host_for_all : said_host; }

/* For device.c. */
int arc_default_on_host(void) { return on_host(); }

int omp_get_default_device(void) { return on_host() ? omp_get_initial_device() : number_in_use(); }

static void choose_host(void) {
  if (on_host() && arc_device_none) arc_device_none();
}

void omp_set_default_device(int number) {
  said_host = is_host(number);
  /* Threads of later teams inherit their creator's setting: OpenMP 5.2, section 2.1. */
  if (!omp_in_parallel()) {
    host_for_all = said_host;
    if (!said_host && arc_device_default) arc_device_default(number);
  }
  if (!said_host) acc_set_device_num(number, acc_device_current);
  choose_host();
}

/* Selects a device for OpenACC's routines, and returns the previous one. */
static int go_to(int device) {
  int before = number_in_use();
  if (device != before) acc_set_device_num(device, acc_device_current);
  return before;
}

static void go_back(int device, int before) {
  if (device != before) acc_set_device_num(before, acc_device_current);
  choose_host();
}

/* Nothing is released, which a soft pause may do; a hard pause would end the data of a device. */
int omp_pause_resource(omp_pause_resource_t kind, int device) {
  if (is_host(device)) return 0;
  return !exists(device) || kind == omp_pause_hard;
}

int omp_pause_resource_all(omp_pause_resource_t kind) { return omp_get_num_devices() > 0 && kind == omp_pause_hard; }

void *omp_target_alloc(size_t size, int device) {
  if (is_host(device)) return size ? malloc(size) : NULL;
  if (!exists(device)) return NULL;
  int before = go_to(device);
  void *memory = acc_malloc(size);
  go_back(device, before);
  return memory;
}

void omp_target_free(void *memory, int device) {
  if (is_host(device)) {
    free(memory);
    return;
  }
  int before = go_to(device);
  acc_free(memory);
  go_back(device, before);
}

static int is_present(const void *host, size_t size, int device) {
  if (!exists(device)) return 0;
  int before = go_to(device);
  /* Memory that the device shares is no answer: OpenMP asks for what is mapped (5.2, section 18.8.3). */
  int present = arc_is_mapped ? arc_is_mapped(host, size) : acc_is_present((void *)host, size);
  go_back(device, before);
  return present;
}

int omp_target_is_present(const void *host, int device) { return is_host(device) || is_present(host, 0, device); }

typedef void mover(void *to, void *from, size_t);

static void move_on(int device, mover *move, void *to, void *from, size_t size) {
  int before = go_to(device);
  move(to, from, size);
  go_back(device, before);
}

int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
                      int to_device, int from_device) {
  const int to_host = is_host(to_device), from_host = is_host(from_device);
  char *target = (char *)to + to_offset, *source = (char *)from + from_offset;
  if ((!to_host && !exists(to_device)) || (!from_host && !exists(from_device))) return -1;
  if (to_host && from_host) memmove(target, source, size);
  else if (from_host) move_on(to_device, acc_memcpy_to_device, target, source, size);
  else if (to_host) move_on(from_device, acc_memcpy_from_device, target, source, size);
  else if (to_device == from_device) move_on(to_device, acc_memcpy_device, target, source, size);
  else {
    /* Two devices can only exchange data through the host. */
    void *between = malloc(size ? size : 1);
    if (!between) return -1;
    move_on(from_device, acc_memcpy_from_device, between, source, size);
    move_on(to_device, acc_memcpy_to_device, target, between, size);
    free(between);
  }
  return 0;
}

/* The transfer is complete on return, so no dependence remains. */
int omp_target_memcpy_async(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
                            int to_device, int from_device, int dependences, omp_depend_t *list) {
  (void)dependences, (void)list;
  return omp_target_memcpy(to, from, size, to_offset, from_offset, to_device, from_device);
}

void *omp_target_memset(void *memory, int byte, size_t size, int device) {
  if (is_host(device)) return memset(memory, byte, size);
  if (!exists(device)) return NULL;
  enum { piece = 1 << 16 };
  void *bytes = malloc(size < piece ? size + !size : piece);
  if (!bytes) return NULL;
  memset(bytes, byte, size < piece ? size : piece);
  for (size_t done = 0; done < size; done += piece)
    move_on(device, acc_memcpy_to_device, (char *)memory + done, bytes, size - done < piece ? size - done : piece);
  free(bytes);
  return memory;
}

void *omp_target_memset_async(void *memory, int byte, size_t size, int device, int dependences, omp_depend_t *list) {
  (void)dependences, (void)list;
  return omp_target_memset(memory, byte, size, device);
}

/* Bytes from an array's start to an element, and the stride of its first dimension. */
static size_t step_of(size_t element, int dims, const size_t *dimensions) {
  size_t step = element;
  for (int d = 1; d < dims; d++) step *= dimensions[d];
  return step;
}

int omp_target_memcpy_rect(void *to, const void *from, size_t element, int dims, const size_t *volume,
                           const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dimensions,
                           const size_t *from_dimensions, int to_device, int from_device) {
  enum { most = 8 };
  /* OpenMP 5.2, section 18.8.6: without addresses it returns the number of dimensions that it supports. */
  if (!to && !from) return most;
  if (dims < 1 || dims > most || !volume || !to_offsets || !from_offsets || !to_dimensions || !from_dimensions)
    return -1;
  if (to_offsets[0] + volume[0] > to_dimensions[0] || from_offsets[0] + volume[0] > from_dimensions[0]) return -1;
  const size_t to_step = step_of(element, dims, to_dimensions), from_step = step_of(element, dims, from_dimensions);
  if (dims == 1)
    return omp_target_memcpy(to, from, volume[0] * element, to_offsets[0] * element, from_offsets[0] * element,
                             to_device, from_device);
  for (size_t i = 0; i < volume[0]; i++) {
    int failed = omp_target_memcpy_rect((char *)to + (to_offsets[0] + i) * to_step,
                                        (const char *)from + (from_offsets[0] + i) * from_step, element, dims - 1,
                                        volume + 1, to_offsets + 1, from_offsets + 1, to_dimensions + 1,
                                        from_dimensions + 1, to_device, from_device);
    if (failed) return failed;
  }
  return 0;
}

int omp_target_memcpy_rect_async(void *to, const void *from, size_t element, int dims, const size_t *volume,
                                 const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dimensions,
                                 const size_t *from_dimensions, int to_device, int from_device, int dependences,
                                 omp_depend_t *list) {
  (void)dependences, (void)list;
  return omp_target_memcpy_rect(to, from, element, dims, volume, to_offsets, from_offsets, to_dimensions,
                                from_dimensions, to_device, from_device);
}

int omp_target_associate_ptr(const void *host, const void *memory, size_t size, size_t offset, int device) {
  if (is_host(device)) return host == memory ? 0 : -1;
  if (!host || !memory || !exists(device) || is_present(host, size, device)) return -1;
  int before = go_to(device);
  acc_map_data((void *)host, (char *)memory + offset, size);
  go_back(device, before);
  return 0;
}

int omp_target_disassociate_ptr(const void *host, int device) {
  if (is_host(device) || !is_present(host, 1, device)) return -1;
  int before = go_to(device);
  acc_unmap_data((void *)host);
  go_back(device, before);
  return 0;
}

void *omp_get_mapped_ptr(const void *host, int device) {
  if (is_host(device)) return (void *)host;
  if (!is_present(host, 1, device)) return NULL;
  int before = go_to(device);
  void *mapped = acc_deviceptr((void *)host);
  go_back(device, before);
  return mapped;
}

/* Whether code on the device may use the host's address. */
int omp_target_is_accessible(const void *host, size_t size, int device) {
  return is_host(device) || (is_present(host, size, device) && omp_get_mapped_ptr(host, device) == host);
}
