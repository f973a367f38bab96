/*
 * omp.h: the OpenMP routines that programs with device constructs need on the host. Host code runs with one thread:
 * arc reads the directives for devices, and leaves the others out.
 */
#ifndef ARC_OMP_H
#define ARC_OMP_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* ---- devices ---- */

int omp_get_num_devices(void);
int omp_get_default_device(void);
void omp_set_default_device(int number);
/* The host's number: that behind the last device. */
int omp_get_initial_device(void);
int omp_get_device_num(void);
int omp_is_initial_device(void);

/* ---- memory of the default device ---- */

/* NULL when the device has no room. */
void *omp_target_alloc(size_t, int device);
void omp_target_free(void *, int device);
int omp_target_is_present(const void *host, int device);
/* 0 when it is done. Offsets are in bytes; each device is the default one, or the host. */
int omp_target_memcpy(void *to, const void *from, size_t, size_t to_offset, size_t from_offset, int to_device,
                      int from_device);

/* ---- host ---- */

/* Seconds since some time in the past. */
double omp_get_wtime(void);
double omp_get_wtick(void);
int omp_get_num_procs(void);
int omp_get_max_threads(void);
int omp_get_num_threads(void);
int omp_get_thread_num(void);
void omp_set_num_threads(int);
int omp_in_parallel(void);

#ifdef __cplusplus
}
#endif
#endif
