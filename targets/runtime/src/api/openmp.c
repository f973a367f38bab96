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
