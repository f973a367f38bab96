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
