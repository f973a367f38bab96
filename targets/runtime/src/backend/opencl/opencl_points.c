/* opencl_points.c: how far a queue is: events of its commands, markers, and the device's clock. */
#include "backend/opencl/opencl_state.h"
#include "report/trace.h"

cl_event *arc_opencl_event_of(struct arc_queue *queue, cl_event *made) { return queue->pointed ? made : NULL; }

/* Several threads of the program may use one queue: `last` of any queue is read and set under this lock. */
static pthread_mutex_t lasts = PTHREAD_MUTEX_INITIALIZER;

static void keep_locked(const struct arc_opencl_api *cl, struct arc_queue *queue, cl_event made) {
  if (queue->last) cl->clReleaseEvent(queue->last);
  queue->last = made;
}

void arc_opencl_keep(const struct arc_opencl_api *cl, struct arc_queue *queue, cl_event made) {
  pthread_mutex_lock(&lasts);
  keep_locked(cl, queue, made);
  pthread_mutex_unlock(&lasts);
}

static cl_event marker(const struct arc_opencl_api *cl, struct arc_queue *queue) {
  cl_event event;
  return cl->clEnqueueMarkerWithWaitList(queue->handle, 0, NULL, &event) == CL_SUCCESS ? event : NULL;
}

/* Commands of a queue end in order. */
void *arc_opencl_point(struct arc_device *device, struct arc_queue *queue) {
  const struct arc_opencl_api *cl = ((struct arc_opencl_state *)device->state)->cl;
  pthread_mutex_lock(&lasts);
  cl_event event = queue->last;
  queue->last = NULL;
  pthread_mutex_unlock(&lasts);
  if (!event) event = marker(cl, queue);
  if (!event) arc_because("the queue takes no marker");
  cl->clFlush(queue->handle);
  return event;
}

int arc_opencl_reached(struct arc_device *device, void *point) {
  const struct arc_opencl_api *cl = ((struct arc_opencl_state *)device->state)->cl;
  cl_int status = 1;
  cl_int code = cl->clGetEventInfo(point, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  if (code == CL_SUCCESS && status >= 0) return status == CL_COMPLETE;
  arc_opencl_failed("a queued command", code == CL_SUCCESS ? status : code);
  return -1;
}

bool arc_opencl_await(struct arc_device *device, void *point) {
  cl_event event = point;
  cl_int code = ((struct arc_opencl_state *)device->state)->cl->clWaitForEvents(1, &event);
  return code == CL_SUCCESS || arc_opencl_failed("clWaitForEvents", code);
}

void arc_opencl_forget(struct arc_device *device, void *point) {
  ((struct arc_opencl_state *)device->state)->cl->clReleaseEvent(point);
}

/*
 * A marker behind what is queued. One that nothing was queued behind stays the queue's last command: a driver may not
 * have looked at a new one yet although all else is done, and would tell that the queue is busy. The caller holds `lasts`
 * as long as it uses the event.
 */
static cl_event tail(const struct arc_opencl_api *cl, struct arc_queue *queue) {
  bool others_queue = queue->shown || queue->foreign;
  if (queue->last && !others_queue) return queue->last;
  cl_event event;
  cl_int code = cl->clEnqueueMarkerWithWaitList(queue->handle, 0, NULL, &event);
  keep_locked(cl, queue, code == CL_SUCCESS ? event : NULL);
  if (code != CL_SUCCESS) arc_opencl_failed("clEnqueueMarkerWithWaitList", code);
  return queue->last;
}

int arc_opencl_test(struct arc_device *device, struct arc_queue *queue) {
  const struct arc_opencl_api *cl = ((struct arc_opencl_state *)device->state)->cl;
  pthread_mutex_lock(&lasts);
  cl_event event = tail(cl, queue);
  cl_int status = 1, code = CL_SUCCESS;
  if (event) {
    cl->clFlush(queue->handle);
    code = cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  }
  pthread_mutex_unlock(&lasts);
  if (!event) return -1;
  if (code == CL_SUCCESS && status >= 0) return status == CL_COMPLETE;
  arc_opencl_failed("a queued command", code == CL_SUCCESS ? status : code);
  return -1;
}

bool arc_opencl_follow(struct arc_device *device, struct arc_queue *later, struct arc_queue *earlier) {
  const struct arc_opencl_api *cl = ((struct arc_opencl_state *)device->state)->cl;
  pthread_mutex_lock(&lasts);
  cl_event event = tail(cl, earlier);
  cl_int code = CL_SUCCESS;
  if (event) {
    cl->clFlush(earlier->handle); /* a wait across queues needs the other one to be on its way */
    code = cl->clEnqueueBarrierWithWaitList(later->handle, 1, &event, NULL);
    keep_locked(cl, later, NULL);
  }
  pthread_mutex_unlock(&lasts);
  if (!event) return false;
  return code == CL_SUCCESS || arc_opencl_failed("clEnqueueBarrierWithWaitList", code);
}

/* The device's own clock, in microseconds; negative if it has none. */
static double device_time(const struct arc_opencl_api *cl, cl_event event) {
  cl_ulong nanoseconds = 0;
  cl_int code =
      cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof nanoseconds, &nanoseconds, NULL);
  return code == CL_SUCCESS && nanoseconds ? (double)nanoseconds * 1e-3 : -1;
}

void *arc_opencl_mark(struct arc_device *device, struct arc_queue *queue) {
  struct arc_opencl_state *state = device->state;
  if (!state->clock_known) {
    cl_event event = marker(state->cl, queue);
    state->cl->clFinish(queue->handle);
    if (event) state->clock_offset = arc_trace_now() - device_time(state->cl, event);
    if (event) state->cl->clReleaseEvent(event);
    state->clock_known = true;
  }
  arc_opencl_keep(state->cl, queue, NULL);
  return marker(state->cl, queue);
}

double arc_opencl_mark_time(struct arc_device *device, void *mark) {
  struct arc_opencl_state *state = device->state;
  if (!mark) return arc_trace_now();
  double time = device_time(state->cl, mark);
  state->cl->clReleaseEvent(mark);
  return time < 0 ? arc_trace_now() : time + state->clock_offset;
}
