/*
 * omp.h: the OpenMP routines that programs with device constructs need on the host, where that has one thread: arc reads
 * the directives for devices, and leaves the others to the C compiler, which honours them under -fopenmp.
 */
#ifdef ARC_HOST_OPENMP
/* The C compiler makes threads, and its own header says how. */
#include_next <omp.h>
#elif !defined ARC_OMP_H
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
/* Of the host there is one team. */
int omp_get_num_teams(void);
int omp_get_team_num(void);
int omp_get_thread_limit(void);
void omp_set_num_threads(int);
int omp_in_parallel(void);
int omp_get_level(void);
int omp_get_active_level(void);
int omp_get_dynamic(void);
void omp_set_dynamic(int);
int omp_get_nested(void);
void omp_set_nested(int);
int omp_get_max_active_levels(void);
void omp_set_max_active_levels(int);

typedef struct omp_depend_t {
  void *arc_of[2];
} omp_depend_t;
/* 0 while it is free; else how often it was taken. */
typedef int omp_lock_t;
typedef int omp_nest_lock_t;
void omp_init_lock(omp_lock_t *);
void omp_destroy_lock(omp_lock_t *);
void omp_set_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
int omp_test_lock(omp_lock_t *);
void omp_init_nest_lock(omp_nest_lock_t *);
void omp_destroy_nest_lock(omp_nest_lock_t *);
void omp_set_nest_lock(omp_nest_lock_t *);
void omp_unset_nest_lock(omp_nest_lock_t *);
int omp_test_nest_lock(omp_nest_lock_t *);

#ifdef __cplusplus
}
#endif
#endif

/* Routines for devices that headers of older C compilers have not. */
#ifndef ARC_OMP_DEVICES_H
#define ARC_OMP_DEVICES_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
/* Done when they return. */
int omp_target_memcpy_async(void *to, const void *from, size_t, size_t to_offset, size_t from_offset, int to_device,
                            int from_device, int dependences, omp_depend_t *);
/* Boxes of arrays: sizes and offsets in elements, outermost first; up to 8 dimensions. */
int omp_target_memcpy_rect(void *to, const void *from, size_t element, int dims, const size_t *volume,
                           const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dimensions,
                           const size_t *from_dimensions, int to_device, int from_device);
int omp_target_memcpy_rect_async(void *to, const void *from, size_t element, int dims, const size_t *volume,
                                 const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dimensions,
                                 const size_t *from_dimensions, int to_device, int from_device, int dependences,
                                 omp_depend_t *);
/* The device's memory stands for the host's until they are parted; 0 when it is done. */
int omp_target_associate_ptr(const void *host, const void *memory, size_t, size_t offset, int device);
int omp_target_disassociate_ptr(const void *host, int device);
/* NULL where it is not mapped. */
void *omp_get_mapped_ptr(const void *host, int device);
int omp_target_is_accessible(const void *host, size_t, int device);
#ifdef __cplusplus
}
#endif
#endif
