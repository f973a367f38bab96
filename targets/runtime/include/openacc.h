/*
 * openacc.h: the OpenACC 3 runtime routines for C and C++, and the unified memory routines of OpenARC.
 *
 * Device addresses are numbers that only device code may follow. A routine without `_async` returns when its
 * work is done. Sizes are in bytes.
 */
#pragma GCC system_header
#ifndef ARC_OPENACC_H
#define ARC_OPENACC_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum acc_device_t {
  acc_device_none = 0,
  acc_device_default = 1,
  acc_device_host = 2,
  acc_device_not_host = 3,
  acc_device_nvidia = 4,
  acc_device_radeon = 5,
  acc_device_current = 6,
  acc_device_opencl = 7 /* arc's: any OpenCL device */
} acc_device_t;

enum { acc_async_noval = -1, acc_async_sync = -2, acc_async_default = -1 };

typedef enum acc_device_property_t {
  acc_property_none = 0,
  acc_property_memory = 1,
  acc_property_free_memory = 2,
  acc_property_shared_memory_support = 3,
  acc_property_name = 4,
  acc_property_vendor = 5,
  acc_property_driver = 6
} acc_device_property_t;

/* What OpenACC calls memory of the host and of a device in its prototypes. */
typedef void h_void;
typedef void d_void;

/* ---- devices ---- */

int acc_get_num_devices(acc_device_t);
void acc_set_device_type(acc_device_t);
acc_device_t acc_get_device_type(void);
void acc_set_device_num(int number, acc_device_t);
int acc_get_device_num(acc_device_t);
size_t acc_get_property(int number, acc_device_t, acc_device_property_t);
/* NULL where the property is not a string. Lives as long as the device is open. */
const char *acc_get_property_string(int number, acc_device_t, acc_device_property_t);
void acc_init(acc_device_t);
void acc_init_device(int number, acc_device_t);
void acc_shutdown(acc_device_t);
void acc_shutdown_device(int number, acc_device_t);
int acc_on_device(acc_device_t);

/* ---- async queues ---- */

int acc_async_test(int async);
int acc_async_test_device(int async, int number);
int acc_async_test_all(void);
int acc_async_test_all_device(int number);
void acc_wait(int async);
void acc_wait_device(int async, int number);
void acc_wait_async(int wait, int async);
void acc_wait_device_async(int wait, int async, int number);
/* The place in the list of a queue that is done; -1 for an empty list. */
int acc_wait_any(int count, int queues[]);
int acc_wait_any_device(int count, int queues[], int number);
void acc_wait_all(void);
void acc_wait_all_device(int number);
void acc_wait_all_async(int async);
void acc_wait_all_device_async(int async, int number);
void acc_async_wait(int async); /* the OpenACC 1.0 name of acc_wait */
void acc_async_wait_all(void);  /* and of acc_wait_all */
int acc_get_default_async(void);
void acc_set_default_async(int async);

/* ---- memory ---- */

/* NULL when the device has no room. */
void *acc_malloc(size_t);
void acc_free(void *device);

/* Each returns the device address of the data's first byte. */
void *acc_copyin(void *host, size_t);
void *acc_create(void *host, size_t);
void acc_copyin_async(void *host, size_t, int async);
void acc_create_async(void *host, size_t, int async);
void *acc_present_or_copyin(void *host, size_t);
void *acc_present_or_create(void *host, size_t);
void *acc_pcopyin(void *host, size_t);
void *acc_pcreate(void *host, size_t);

void acc_copyout(void *host, size_t);
void acc_copyout_async(void *host, size_t, int async);
void acc_copyout_finalize(void *host, size_t);
void acc_copyout_finalize_async(void *host, size_t, int async);
void acc_delete(void *host, size_t);
void acc_delete_async(void *host, size_t, int async);
void acc_delete_finalize(void *host, size_t);
void acc_delete_finalize_async(void *host, size_t, int async);

void acc_update_device(void *host, size_t);
void acc_update_device_async(void *host, size_t, int async);
void acc_update_self(void *host, size_t);
void acc_update_self_async(void *host, size_t, int async);

void acc_map_data(void *host, void *device, size_t);
void acc_unmap_data(void *host);
/* NULL when not present. */
void *acc_deviceptr(void *host);
void *acc_hostptr(void *device);
/* True when all of it is present, or the device shares the host's memory; of no bytes: when the address is. */
int acc_is_present(void *host, size_t);

void acc_memcpy_to_device(void *device, void *host, size_t);
void acc_memcpy_to_device_async(void *device, void *host, size_t, int async);
void acc_memcpy_from_device(void *host, void *device, size_t);
void acc_memcpy_from_device_async(void *host, void *device, size_t, int async);
void acc_memcpy_device(void *to, void *from, size_t);
void acc_memcpy_device_async(void *to, void *from, size_t, int async);
/* Between the copies that host data has on two devices of the current type. */
void acc_memcpy_d2d(void *to, void *from, size_t, int to_number, int from_number);
void acc_memcpy_d2d_async(void *to, void *from, size_t, int to_number, int from_number, int async);

void acc_attach(void **pointer);
void acc_attach_async(void **pointer, int async);
void acc_detach(void **pointer);
void acc_detach_async(void **pointer, int async);
void acc_detach_finalize(void **pointer);
void acc_detach_finalize_async(void **pointer, int async);

/* ---- what the driver calls its own (OpenACC 3.3, appendix A) ---- */

/*
 * NULL where the current device is none of that driver's, or has not used the queue yet. A stream or queue that is set
 * takes the place of the device's own, and stays the program's; 1: done, 0: the current device is none of that driver's.
 * CUdevice, CUcontext, CUstream; cl_device_id, cl_context, cl_command_queue.
 */
void *acc_get_current_cuda_device(void);
void *acc_get_current_cuda_context(void);
void *acc_get_cuda_stream(int async);
int acc_set_cuda_stream(int async, void *stream);
void *acc_get_current_opencl_device(void);
void *acc_get_current_opencl_context(void);
void *acc_get_opencl_queue(int async);
int acc_set_opencl_queue(int async, void *queue);

/* ---- unified memory (OpenARC) ---- */

/*
 * Memory that host and device both use at one address; data clauses that name it transfer nothing. A device
 * that has none (or ARC_UNIFIED=0) gives host memory instead, with a warning, which data clauses then map as
 * usual. Every call returns new memory, with the contents of `host` for copyin; the `p` forms return `host`
 * itself where it lies in memory that these routines gave out. acc_delete_unified frees such memory, and any
 * that came from malloc.
 */
void *acc_create_unified(void *host, size_t);
void *acc_pcreate_unified(void *host, size_t);
void *acc_present_or_create_unified(void *host, size_t);
void *acc_copyin_unified(void *host, size_t);
void *acc_pcopyin_unified(void *host, size_t);
void *acc_present_or_copyin_unified(void *host, size_t);
void acc_copyout_unified(void *host, size_t);
void acc_delete_unified(void *host, size_t);

#ifdef __cplusplus
}
#endif
#endif
