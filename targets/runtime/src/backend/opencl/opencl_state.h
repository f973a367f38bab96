/* opencl_state.h: what the files of the OpenCL back end share. */
#ifndef ARC_OPENCL_STATE_H
#define ARC_OPENCL_STATE_H
#include "device/device.h"
#include "backend/opencl/opencl_device.h"

/* Of an open device. */
struct arc_opencl_state {
  const struct arc_opencl_api *cl;
  cl_device_id device;
  cl_context context;
  cl_program probe; /* NULL until an address is asked for */
  cl_kernel probe_kernel;
  double clock_offset; /* trace time minus device time, in microseconds; set by the first mark */
  bool clock_known;
  struct arc_queue *beside;  /* for kernels that run at the same time as another one */
  size_t nbeside;
  pthread_mutex_t launching; /* a cl_kernel's arguments are its own until it is queued */
  struct arc_opencl_reads *reads; /* of the device's own queue */
  uint64_t released; /* how many buffers were: a new one may have the handle that one of them had */
};

/* ---- backend_opencl.c ---- */

/* False, with the call and its code as the reason. */
bool arc_opencl_failed(const char *call, cl_int code);
bool arc_opencl_open_queue(struct arc_device *, struct arc_queue *);
bool arc_opencl_finish(struct arc_device *, struct arc_queue *);

/* ---- opencl_points.c: how far a queue is ---- */

/* Where a command of the queue's leaves its event; NULL: nobody asks for points. */
cl_event *arc_opencl_event_of(struct arc_queue *, cl_event *made);
/* `made` is what was queued last; NULL: something without an event. */
void arc_opencl_keep(const struct arc_opencl_api *, struct arc_queue *, cl_event made);
/* The parts of `struct arc_backend` of these names. */
void *arc_opencl_point(struct arc_device *, struct arc_queue *);
int arc_opencl_reached(struct arc_device *, void *point);
bool arc_opencl_await(struct arc_device *, void *point);
void arc_opencl_forget(struct arc_device *, void *point);
int arc_opencl_test(struct arc_device *, struct arc_queue *);
bool arc_opencl_follow(struct arc_device *, struct arc_queue *later, struct arc_queue *earlier);
void *arc_opencl_mark(struct arc_device *, struct arc_queue *);
double arc_opencl_mark_time(struct arc_device *, void *mark);

/* ---- opencl_kernels.c: programs, kernels and their starts; parts of `struct arc_backend` ---- */

void *arc_opencl_load_module(struct arc_device *, const struct arc_image *);
void arc_opencl_unload(struct arc_device *, void *module);
void *arc_opencl_find_kernel(struct arc_device *, void *module, const char *name);
bool arc_opencl_launch(struct arc_device *, struct arc_queue *, void *kernel, const int64_t grid[3],
                       const int64_t group[3], size_t n, const struct arc_pass *passes);
bool arc_opencl_together(struct arc_device *, struct arc_queue *, size_t count, const struct arc_start *starts);

#endif
