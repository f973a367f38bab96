/*
 * omp.h: the OpenMP routines that programs with device constructs need on a single-threaded host: arc reads the
 * directives for devices, and leaves the others to the C compiler, which implements them under -fopenmp.
 */
#pragma GCC system_header
#ifdef ARC_HOST_OPENMP
/* The C compiler creates threads, and its own header declares the routines. */
#include_next <omp.h>
#if defined __GNUC__ && !defined __clang__
/* gcc's library has no locks with hints, which are allowed to have no effect. */
#define omp_init_lock_with_hint(lock, hint) ((void)(hint), omp_init_lock(lock))
#define omp_init_nest_lock_with_hint(lock, hint) ((void)(hint), omp_init_nest_lock(lock))
#define ARC_OMP_WITHOUT_TOOLS
#endif
#elif !defined ARC_OMP_H
#define ARC_OMP_H
#define ARC_OMP_WITHOUT_TOOLS
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
extern "C" {
#endif

/* ---- devices ---- */

int omp_get_num_devices(void);
int omp_get_default_device(void);
void omp_set_default_device(int number);
/* The host's device number: one more than the last device's. */
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
/* 0 while it is free; otherwise how often it is held. */
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

typedef enum omp_sync_hint_t {
  omp_sync_hint_none = 0,
  omp_sync_hint_uncontended = 1,
  omp_sync_hint_contended = 2,
  omp_sync_hint_nonspeculative = 4,
  omp_sync_hint_speculative = 8,
  omp_lock_hint_none = 0,
  omp_lock_hint_uncontended = 1,
  omp_lock_hint_contended = 2,
  omp_lock_hint_nonspeculative = 4,
  omp_lock_hint_speculative = 8
} omp_sync_hint_t;
typedef omp_sync_hint_t omp_lock_hint_t;
static __inline__ void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint) {
  (void)hint;
  omp_init_lock(lock);
}
static __inline__ void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint) {
  (void)hint;
  omp_init_nest_lock(lock);
}

/* ---- what one thread answers ---- */

typedef enum omp_sched_t {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4,
  omp_sched_monotonic = (int)0x80000000
} omp_sched_t;
typedef enum omp_proc_bind_t {
  omp_proc_bind_false = 0,
  omp_proc_bind_true = 1,
  omp_proc_bind_master = 2,
  omp_proc_bind_primary = 2,
  omp_proc_bind_close = 3,
  omp_proc_bind_spread = 4
} omp_proc_bind_t;
typedef enum omp_pause_resource_t { omp_pause_soft = 1, omp_pause_hard = 2 } omp_pause_resource_t;
/* Local to the file: only these routines use the values. */
static struct {
  omp_sched_t kind;
  int chunk, teams, limit;
} arc_omp_of_file __attribute__((__unused__)) = {omp_sched_static, 0, 0, 0};
static __inline__ void omp_set_schedule(omp_sched_t kind, int chunk) {
  arc_omp_of_file.kind = kind;
  arc_omp_of_file.chunk = chunk;
}
static __inline__ void omp_get_schedule(omp_sched_t *kind, int *chunk) {
  *kind = arc_omp_of_file.kind;
  *chunk = arc_omp_of_file.chunk;
}
static __inline__ void omp_set_num_teams(int teams) { arc_omp_of_file.teams = teams; }
static __inline__ int omp_get_max_teams(void) { return arc_omp_of_file.teams; }
static __inline__ void omp_set_teams_thread_limit(int limit) { arc_omp_of_file.limit = limit; }
static __inline__ int omp_get_teams_thread_limit(void) { return arc_omp_of_file.limit; }
static __inline__ int omp_get_cancellation(void) { return 0; }
static __inline__ int omp_get_supported_active_levels(void) { return 1; }
static __inline__ int omp_get_max_task_priority(void) { return 0; }
static __inline__ int omp_in_final(void) { return 0; }
static __inline__ int omp_in_explicit_task(void) { return 0; }
static __inline__ int omp_get_ancestor_thread_num(int level) { return level == 0 ? 0 : -1; }
static __inline__ int omp_get_team_size(int level) { return level == 0 ? 1 : -1; }
static __inline__ omp_proc_bind_t omp_get_proc_bind(void) { return omp_proc_bind_false; }
static __inline__ int omp_get_num_places(void) { return 0; }
static __inline__ int omp_get_place_num_procs(int place) { return (void)place, 0; }
static __inline__ void omp_get_place_proc_ids(int place, int *ids) { (void)place, (void)ids; }
static __inline__ int omp_get_place_num(void) { return -1; }
static __inline__ int omp_get_partition_num_places(void) { return 0; }
static __inline__ void omp_get_partition_place_nums(int *places) { (void)places; }
static __inline__ void omp_set_affinity_format(const char *format) { (void)format; }
static __inline__ size_t omp_get_affinity_format(char *to, size_t size) {
  if (size > 0)
    *to = 0;
  return 0;
}
static __inline__ void omp_display_affinity(const char *format) { (void)format; }
static __inline__ size_t omp_capture_affinity(char *to, size_t size, const char *format) {
  (void)format;
  return omp_get_affinity_format(to, size);
}
static __inline__ void omp_display_env(int verbose) { (void)verbose; }
int omp_pause_resource(omp_pause_resource_t kind, int device);
int omp_pause_resource_all(omp_pause_resource_t kind);
typedef size_t omp_event_handle_t;
static __inline__ void omp_fulfill_event(omp_event_handle_t event) { (void)event; }

/* ---- allocators: all memory is of one kind ---- */

typedef enum omp_memspace_handle_t {
  omp_default_mem_space,
  omp_large_cap_mem_space,
  omp_const_mem_space,
  omp_high_bw_mem_space,
  omp_low_lat_mem_space
} omp_memspace_handle_t;
/* Those of the program are addresses. */
typedef size_t omp_allocator_handle_t;
enum arc_omp_allocators {
  omp_null_allocator,
  omp_default_mem_alloc,
  omp_large_cap_mem_alloc,
  omp_const_mem_alloc,
  omp_high_bw_mem_alloc,
  omp_low_lat_mem_alloc,
  omp_cgroup_mem_alloc,
  omp_pteam_mem_alloc,
  omp_thread_mem_alloc
};
typedef enum omp_alloctrait_key_t {
  omp_atk_sync_hint = 1,
  omp_atk_alignment,
  omp_atk_access,
  omp_atk_pool_size,
  omp_atk_fallback,
  omp_atk_fb_data,
  omp_atk_pinned,
  omp_atk_partition
} omp_alloctrait_key_t;
typedef enum omp_alloctrait_value_t {
  omp_atv_default = -1,
  omp_atv_false,
  omp_atv_true,
  omp_atv_contended = 3,
  omp_atv_uncontended,
  omp_atv_serialized,
  omp_atv_private,
  omp_atv_all,
  omp_atv_thread,
  omp_atv_pteam,
  omp_atv_cgroup,
  omp_atv_default_mem_fb,
  omp_atv_null_fb,
  omp_atv_abort_fb,
  omp_atv_allocator_fb,
  omp_atv_environment,
  omp_atv_nearest,
  omp_atv_blocked,
  omp_atv_interleaved
} omp_alloctrait_value_t;
typedef size_t omp_uintptr_t;
typedef struct omp_alloctrait_t {
  omp_alloctrait_key_t key;
  omp_uintptr_t value;
} omp_alloctrait_t;
static omp_allocator_handle_t arc_omp_allocator __attribute__((__unused__)) = omp_default_mem_alloc;
static __inline__ void omp_set_default_allocator(omp_allocator_handle_t of) { arc_omp_allocator = of; }
static __inline__ omp_allocator_handle_t omp_get_default_allocator(void) { return arc_omp_allocator; }
struct arc_omp_traits {
  size_t alignment, pool, used, fallback, other;
};
static __inline__ omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space, int count,
                                                            const omp_alloctrait_t *traits) {
  struct arc_omp_traits *of = (struct arc_omp_traits *)calloc(1, sizeof *of);
  int i;
  (void)space;
  for (i = 0; of && i < count; i++) {
    if (traits[i].key == omp_atk_alignment)
      of->alignment = traits[i].value;
    if (traits[i].key == omp_atk_pool_size)
      of->pool = traits[i].value;
    if (traits[i].key == omp_atk_fallback)
      of->fallback = traits[i].value;
    if (traits[i].key == omp_atk_fb_data)
      of->other = traits[i].value;
  }
  return (omp_allocator_handle_t)(size_t)of;
}
static __inline__ void omp_destroy_allocator(omp_allocator_handle_t of) {
  if (of > omp_thread_mem_alloc)
    free((void *)(size_t)of);
}
/* Header of each allocated block. */
struct arc_omp_block {
  void *start;
  size_t size;
  struct arc_omp_traits *of;
};
static __inline__ void *omp_aligned_alloc(size_t alignment, size_t size, omp_allocator_handle_t by) {
  omp_allocator_handle_t one = by == omp_null_allocator ? arc_omp_allocator : by;
  struct arc_omp_traits *of = one > omp_thread_mem_alloc ? (struct arc_omp_traits *)(size_t)one : 0;
  size_t least = sizeof(struct arc_omp_block);
  char *start, *place;
  struct arc_omp_block *block;
  if (size == 0)
    return 0;
  if (of && of->pool && of->used + size > of->pool) {
    if (of->fallback == omp_atv_abort_fb)
      abort();
    if (of->fallback == omp_atv_null_fb)
      return 0;
    if (of->fallback == omp_atv_allocator_fb)
      return omp_aligned_alloc(alignment, size, (omp_allocator_handle_t)of->other);
    of = 0;
  }
  if (of && of->alignment > alignment)
    alignment = of->alignment;
  if (alignment < 2 * sizeof(void *))
    alignment = 2 * sizeof(void *);
  start = (char *)malloc(size + least + alignment);
  if (!start)
    return 0;
  place = start + least;
  place += (alignment - (size_t)place % alignment) % alignment;
  block = (struct arc_omp_block *)(void *)(place - least);
  block->start = start;
  block->size = size;
  block->of = of;
  if (of)
    of->used += size;
  return place;
}
static __inline__ void *omp_alloc(size_t size, omp_allocator_handle_t by) { return omp_aligned_alloc(1, size, by); }
static __inline__ void *omp_aligned_calloc(size_t alignment, size_t count, size_t size, omp_allocator_handle_t by) {
  void *made = size && count > (size_t)-1 / size ? 0 : omp_aligned_alloc(alignment, count * size, by);
  return made ? memset(made, 0, count * size) : 0;
}
static __inline__ void *omp_calloc(size_t count, size_t size, omp_allocator_handle_t by) {
  return omp_aligned_calloc(1, count, size, by);
}
static __inline__ void omp_free(void *place, omp_allocator_handle_t by) {
  struct arc_omp_block *block = place ? (struct arc_omp_block *)place - 1 : 0;
  (void)by;
  if (!block)
    return;
  if (block->of)
    block->of->used -= block->size;
  free(block->start);
}
static __inline__ void *omp_realloc(void *place, size_t size, omp_allocator_handle_t by,
                                    omp_allocator_handle_t from) {
  void *made = size ? omp_alloc(size, by) : 0;
  size_t old = place ? ((struct arc_omp_block *)place - 1)->size : 0;
  if (made && place)
    memcpy(made, place, old < size ? old : size);
  if (made || size == 0)
    omp_free(place, from);
  return made;
}

#ifdef __cplusplus
}
#endif
#endif

/* Device routines that headers of older C compilers lack. */
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
/* The device's memory serves as the copy of the host's until it is disassociated; returns 0 on success. */
int omp_target_associate_ptr(const void *host, const void *memory, size_t, size_t offset, int device);
int omp_target_disassociate_ptr(const void *host, int device);
/* NULL where it is not mapped. */
void *omp_get_mapped_ptr(const void *host, int device);
int omp_target_is_accessible(const void *host, size_t, int device);
/* OpenMP 6.0: fills the memory with a byte, and returns it; NULL when there is no such device. */
void *omp_target_memset(void *memory, int byte, size_t, int device);
void *omp_target_memset_async(void *memory, int byte, size_t, int device, int dependences, omp_depend_t *);

/* OpenMP 5.2, section 3.1: gcc 13 and clang have them in their own headers. */
#if !defined ARC_HOST_OPENMP || (defined __GNUC__ && !defined __clang__ && __GNUC__ < 13)
enum arc_omp_devices { omp_invalid_device = -4, omp_initial_device = -1 };
#endif

/* ---- interoperability: OpenMP 5.2, section 18.12 ---- */

/* gcc 15 and clang have the types in their own headers. */
#if !defined ARC_HOST_OPENMP || (defined __GNUC__ && !defined __clang__ && __GNUC__ < 15)
typedef size_t omp_interop_t;
enum arc_omp_interops { omp_interop_none };
typedef __INTPTR_TYPE__ omp_intptr_t;
typedef enum omp_interop_property_t {
  omp_ipr_fr_id = -1,
  omp_ipr_fr_name = -2,
  omp_ipr_vendor = -3,
  omp_ipr_vendor_name = -4,
  omp_ipr_device_num = -5,
  omp_ipr_platform = -6,
  omp_ipr_device = -7,
  omp_ipr_device_context = -8,
  omp_ipr_targetsync = -9,
  omp_ipr_first = -9
} omp_interop_property_t;
typedef enum omp_interop_rc_t {
  omp_irc_no_value = 1,
  omp_irc_success = 0,
  omp_irc_empty = -1,
  omp_irc_out_of_range = -2,
  omp_irc_type_int = -3,
  omp_irc_type_ptr = -4,
  omp_irc_type_str = -5,
  omp_irc_other = -6
} omp_interop_rc_t;
typedef enum omp_interop_fr_t {
  omp_ifr_cuda = 1,
  omp_ifr_cuda_driver = 2,
  omp_ifr_opencl = 3,
  omp_ifr_sycl = 4,
  omp_ifr_hip = 5,
  omp_ifr_level_zero = 6,
  omp_ifr_last = 6
} omp_interop_fr_t;
/* Those that an implementation adds: none. */
int omp_get_num_interop_properties(omp_interop_t);
/* `code`: an omp_interop_rc_t, or NULL. */
omp_intptr_t omp_get_interop_int(omp_interop_t, omp_interop_property_t, int *code);
void *omp_get_interop_ptr(omp_interop_t, omp_interop_property_t, int *code);
const char *omp_get_interop_str(omp_interop_t, omp_interop_property_t, int *code);
const char *omp_get_interop_name(omp_interop_t, omp_interop_property_t);
const char *omp_get_interop_type_desc(omp_interop_t, omp_interop_property_t);
const char *omp_get_interop_rc_desc(omp_interop_t, omp_interop_rc_t);
#endif
/* The implementation of the directive `interop`. A device that is the program's own processor has no interop object. */
omp_interop_t arc_omp_interop(int device, int synchronised);
void arc_omp_interop_use(omp_interop_t);
#ifdef __cplusplus
}
#endif
#endif

#if defined ARC_OMP_WITHOUT_TOOLS && !defined ARC_OMP_TOOLS
#define ARC_OMP_TOOLS
/* No tool can watch a program whose library has no interface for them. */
typedef enum omp_control_tool_t {
  omp_control_tool_start = 1,
  omp_control_tool_pause = 2,
  omp_control_tool_flush = 3,
  omp_control_tool_end = 4
} omp_control_tool_t;
typedef enum omp_control_tool_result_t {
  omp_control_tool_notool = -2,
  omp_control_tool_nocallback = -1,
  omp_control_tool_success = 0,
  omp_control_tool_ignored = 1
} omp_control_tool_result_t;
static __inline__ int omp_control_tool(int command, int modifier, void *arg) {
  (void)command, (void)modifier, (void)arg;
  return omp_control_tool_notool;
}
#endif
