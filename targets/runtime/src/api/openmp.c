/* openmp.c: the OpenMP routines for devices, in terms of OpenACC's. */
#include "omp.h"
#include "openacc.h"
#include <string.h>

int omp_get_num_devices(void) { return acc_get_num_devices(acc_device_default); }
int omp_get_default_device(void) { return acc_get_device_num(acc_device_default); }
void omp_set_default_device(int number) { acc_set_device_num(number, acc_device_default); }
int omp_get_initial_device(void) { return omp_get_num_devices(); }
int omp_get_device_num(void) { return omp_get_initial_device(); }
int omp_is_initial_device(void) { return 1; }

void *omp_target_alloc(size_t size, int device) {
  (void)device;
  return acc_malloc(size);
}

void omp_target_free(void *memory, int device) {
  (void)device;
  acc_free(memory);
}

int omp_target_is_present(const void *host, int device) {
  return device == omp_get_initial_device() || acc_is_present((void *)host, 0);
}

int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
                      int to_device, int from_device) {
  const int host = omp_get_initial_device();
  char *target = (char *)to + to_offset, *source = (char *)from + from_offset;
  if (to_device == host && from_device == host) memmove(target, source, size);
  else if (from_device == host) acc_memcpy_to_device(target, source, size);
  else if (to_device == host) acc_memcpy_from_device(target, source, size);
  else acc_memcpy_device(target, source, size);
  return 0;
}

/* Nothing is under way when it returns, so that no dependence is left to wait for. */
int omp_target_memcpy_async(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
                            int to_device, int from_device, int dependences, omp_depend_t *list) {
  (void)dependences, (void)list;
  return omp_target_memcpy(to, from, size, to_offset, from_offset, to_device, from_device);
}

/* Bytes from the beginning of an array to an element, and of one step of its first dimension. */
static size_t step_of(size_t element, int dims, const size_t *dimensions) {
  size_t step = element;
  for (int d = 1; d < dims; d++) step *= dimensions[d];
  return step;
}

int omp_target_memcpy_rect(void *to, const void *from, size_t element, int dims, const size_t *volume,
                           const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dimensions,
                           const size_t *from_dimensions, int to_device, int from_device) {
  enum { most = 8 };
  /* OpenMP 5.2, section 18.8.6: without places to copy between it returns how many dimensions it takes. */
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
  if (device == omp_get_initial_device()) return host == memory ? 0 : -1;
  if (!host || !memory || acc_is_present((void *)host, size)) return -1;
  acc_map_data((void *)host, (char *)memory + offset, size);
  return 0;
}

int omp_target_disassociate_ptr(const void *host, int device) {
  if (device == omp_get_initial_device()) return -1;
  if (!acc_is_present((void *)host, 1)) return -1;
  acc_unmap_data((void *)host);
  return 0;
}

void *omp_get_mapped_ptr(const void *host, int device) {
  if (device == omp_get_initial_device()) return (void *)host;
  return acc_is_present((void *)host, 1) ? acc_deviceptr((void *)host) : NULL;
}

/* Whether code on the device may use the host's address. */
int omp_target_is_accessible(const void *host, size_t size, int device) {
  if (device == omp_get_initial_device()) return 1;
  return acc_is_present((void *)host, size) && acc_deviceptr((void *)host) == host;
}
