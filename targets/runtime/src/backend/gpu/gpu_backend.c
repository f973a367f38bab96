/* gpu_backend.c: shared code of the GPU back ends: devices, memory, queues and kernels, through the vendor's driver. */
#include "backend/gpu/gpu_batch.h"
#include "backend/gpu/gpu_driver.h"
#include "backend/gpu/gpu_ring.h"
#include "report/text.h"
#include "report/trace.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel compiled from text, whose name in the module differs. */
struct named {
  struct named *next;
  gpu_module module;
  char *name, *lowered;
};

struct state {
  const struct arc_gpu_driver *driver;
  gpu_device device;
  gpu_context context;
  char architecture[32]; /* sm_90 */
  struct named *named; /* kernels from text */
  gpu_event origin;   /* of the trace's times; NULL before the first mark */
  double origin_time;
  struct arc_gpu_batches *batches; /* NULL: launches are made one by one */
  struct arc_gpu_ring *ring; /* for large transfers; NULL: the driver does all */
};

/* The context is a property of the host thread. */
static _Thread_local gpu_context bound;

static struct state *bind(struct arc_device *device) {
  struct state *state = device->state;
  if (bound != state->context && state->driver->call.context_bind(state->context) == GPU_SUCCESS)
    bound = state->context;
  return state;
}

/* At exit the driver may shut down first; work that it has given up needs no waiting. */
static bool check(const struct arc_gpu_driver *driver, const char *call, gpu_result code) {
  return code == GPU_SUCCESS || code == GPU_ERROR_DEINITIALIZED || arc_gpu_failed(driver, call, code);
}

/* Calls a function of the driver. False, with arc_because(), when it failed. */
#define CALL(driver, function, ...) \
  check(driver, (driver)->maker->names.function, (driver)->call.function(__VA_ARGS__))

static gpu_address address_of(struct arc_place place) {
  return place.buffer->range.start + (uint64_t)place.offset;
}

int arc_gpu_devices(struct arc_gpu_driver *driver, void (*open_once)(void)) {
  int count = 0;
  return arc_gpu_open_driver(driver, open_once) && CALL(driver, device_count, &count) ? count : 0;
}

static int64_t attribute(const struct state *state, int which) {
  int value = 0;
  state->driver->call.device_attribute(&value, which, state->device);
  return value;
}

/* Two transfers per clock. */
static double memory_rate(const struct state *state) {
  const struct arc_gpu_maker *maker = state->driver->maker;
  if (!maker->attributes.memory_clock) return 0;
  const int64_t clock = attribute(state, maker->attributes.memory_clock);
  return 2e3 * (double)clock * (double)attribute(state, maker->attributes.memory_bus) / 8;
}

/* A multiplication and an addition per clock. */
static struct arc_operations compute_rate(const struct state *state) {
  const struct arc_gpu_maker *maker = state->driver->maker;
  if (!maker->lanes || !maker->attributes.clock) return (struct arc_operations){0};
  const struct arc_operations lanes = maker->lanes((int)attribute(state, maker->attributes.major),
                                                   (int)attribute(state, maker->attributes.minor));
  const double clocks = 2e3 * (double)attribute(state, maker->attributes.clock) *
                        (double)attribute(state, maker->attributes.multiprocessors);
  return (struct arc_operations){clocks * lanes.single, clocks * lanes.wide};
}

static char *device_title(const struct arc_device *device, const struct state *state) {
  char name[256] = "";
  struct arc_text title = {0};
  state->driver->call.device_name(name, sizeof name - 1, state->device);
  arc_text_add(&title, "%s:%d (%s, %s)", device->backend->name, device->ordinal, name, state->architecture);
  return title.bytes;
}

static char *driver_title(const struct arc_gpu_driver *driver) {
  const struct arc_gpu_maker *maker = driver->maker;
  int version = 0;
  struct arc_text text = {0};
  driver->call.driver_version(&version);
  arc_text_add(&text, "%s %d.%d", maker->title, version / maker->version_major,
               version % maker->version_major / maker->version_minor);
  return text.bytes;
}

/* NULL: unknown, or nobody needs it. */
static char *bus_of(const struct state *state) {
  char bus[32] = "";
  if (!state->driver->call.device_bus) return NULL;
  const gpu_result code = state->driver->call.device_bus(bus, sizeof bus - 1, state->device);
  return code == GPU_SUCCESS ? arc_copy_string(bus) : NULL;
}

bool arc_gpu_open(struct arc_device *device, struct arc_gpu_driver *driver, void (*open_once)(void)) {
  if (!arc_gpu_open_driver(driver, open_once)) return false;
  const struct arc_gpu_maker *maker = driver->maker;
  struct state *state = arc_allocate(sizeof *state);
  state->driver = driver;
  if (!CALL(driver, device_get, &state->device, device->ordinal) ||
      !CALL(driver, context_retain, &state->context, state->device)) {
    free(state);
    return false;
  }
  device->state = state;
  bind(device);
  size_t memory = 0;
  driver->call.device_memory(&memory, state->device);
  snprintf(state->architecture, sizeof state->architecture, maker->architecture,
           (int)attribute(state, maker->attributes.major), (int)attribute(state, maker->attributes.minor));
  device->name = device_title(device, state);
  device->driver = driver_title(driver);
  device->vendor = arc_copy_string(maker->vendor);
  device->type = "gpu";
  device->bus = bus_of(state);
  device->pooled = true;
  device->compute_units = attribute(state, maker->attributes.multiprocessors);
  device->max_group = attribute(state, maker->attributes.threads_per_block);
  device->memory_bytes = memory;
  device->memory_rate = memory_rate(state);
  device->compute_rate = compute_rate(state);
  state->ring = arc_gpu_ring_open(driver, state->context);
  state->batches = arc_gpu_batches_open(driver, state->context);
  return true;
}

void arc_gpu_close(struct arc_device *device) {
  struct state *state = device->state;
  if (state->origin) bind(device)->driver->call.event_destroy(state->origin);
  arc_gpu_ring_close(bind(device)->ring);
  arc_gpu_batches_close(state->batches);
  for (struct named *named = state->named; named;) {
    struct named *next = named->next;
    free(named->name);
    free(named->lowered);
    free(named);
    named = next;
  }
  state->driver->call.context_release(state->device);
  bound = NULL;
  free(state);
  device->state = NULL;
}

void *arc_gpu_native(const struct arc_device *device, enum arc_native what) {
  const struct state *state = device->state;
  return what == ARC_NATIVE_DEVICE ? (void *)(intptr_t)state->device : (void *)state->context;
}

uint64_t arc_gpu_free_memory(struct arc_device *device) {
  size_t available = 0, total = 0;
  bind(device)->driver->call.memory_info(&available, &total);
  return available;
}

/* ---- memory ---- */

bool arc_gpu_allocate(struct arc_device *device, struct arc_buffer *buffer) {
  gpu_address address;
  if (!CALL(bind(device)->driver, allocate, &address, buffer->bytes)) return false;
  buffer->range.start = address;
  return true;
}

/* Managed memory beyond what the device has free can hang it. */
bool arc_gpu_allocate_unified(struct arc_device *device, struct arc_buffer *buffer) {
  struct state *state = bind(device);
  gpu_address address;
  if (!attribute(state, state->driver->maker->attributes.concurrent_managed))
    return arc_because("host and device cannot use managed memory at the same time");
  if (buffer->bytes > arc_gpu_free_memory(device)) return arc_because("it is more than the device has free");
  if (!CALL(state->driver, allocate_managed, &address, buffer->bytes, GPU_ATTACH_GLOBAL))
    return false;
  buffer->range.start = address;
  return true;
}

void arc_gpu_release(struct arc_device *device, struct arc_buffer *buffer) {
  arc_gpu_batches_forget(bind(device)->batches);
  bind(device)->driver->call.release(buffer->range.start);
}

bool arc_gpu_write(struct arc_device *device, struct arc_queue *queue, struct arc_place to,
                         const void *host, size_t bytes) {
  struct state *state = bind(device);
  if (!arc_gpu_batch_settle(queue->batch)) return false;
  if (arc_gpu_ring_wanted(state->ring, host, bytes))
    return arc_gpu_ring_write(state->ring, queue->handle, address_of(to), host, bytes);
  return CALL(state->driver, write, address_of(to), host, bytes, queue->handle);
}

bool arc_gpu_read(struct arc_device *device, struct arc_queue *queue, void *host, struct arc_place from,
                        size_t bytes) {
  struct state *state = bind(device);
  if (!arc_gpu_batch_settle(queue->batch)) return false;
  if (arc_gpu_ring_wanted(state->ring, host, bytes))
    return arc_gpu_ring_read(state->ring, queue->handle, host, address_of(from), bytes);
  return CALL(state->driver, read, host, address_of(from), bytes, queue->handle);
}

bool arc_gpu_copy(struct arc_device *device, struct arc_queue *queue, struct arc_place to,
                 struct arc_place from, size_t bytes) {
  struct state *state = bind(device);
  return arc_gpu_batch_settle(queue->batch) &&
         CALL(state->driver, copy, address_of(to), address_of(from), bytes, queue->handle);
}

bool arc_gpu_copy_across(struct arc_device *device, struct arc_queue *queue, struct arc_place to,
                         struct arc_device *other, struct arc_place from, size_t bytes) {
  struct state *state = bind(device);
  const struct state *there = other->state;
  return arc_gpu_batch_settle(queue->batch) &&
         CALL(state->driver, copy_across, address_of(to), state->context, address_of(from), there->context, bytes,
              queue->handle);
}

bool arc_gpu_fill(struct arc_device *device, struct arc_queue *queue, struct arc_place place,
                 unsigned char byte, size_t bytes) {
  struct state *state = bind(device);
  return arc_gpu_batch_settle(queue->batch) &&
         CALL(state->driver, fill, address_of(place), byte, bytes, queue->handle);
}

/* ---- queues ---- */

bool arc_gpu_open_queue(struct arc_device *device, struct arc_queue *queue) {
  gpu_stream stream;
  if (!CALL(bind(device)->driver, stream_create, &stream, GPU_STREAM_NON_BLOCKING))
    return false;
  queue->handle = stream;
  queue->batch = arc_gpu_batch_open(bind(device)->batches, stream);
  return true;
}

void arc_gpu_close_queue(struct arc_device *device, struct arc_queue *queue) {
  const struct state *state = bind(device);
  arc_gpu_batch_close(queue->batch);
  state->driver->call.stream_destroy(queue->handle);
}

bool arc_gpu_finish(struct arc_device *device, struct arc_queue *queue) {
  struct state *state = bind(device);
  return arc_gpu_batch_settle(queue->batch) && CALL(state->driver, stream_synchronize, queue->handle);
}

int arc_gpu_test(struct arc_device *device, struct arc_queue *queue) {
  const struct arc_gpu_driver *driver = bind(device)->driver;
  if (!arc_gpu_batch_settle(queue->batch)) return -1;
  gpu_result code = driver->call.stream_query(queue->handle);
  if (code == GPU_ERROR_NOT_READY) return 0;
  return check(driver, driver->maker->names.stream_query, code) ? 1 : -1;
}

bool arc_gpu_follow(struct arc_device *device, struct arc_queue *later, struct arc_queue *earlier) {
  const struct arc_gpu_driver *driver = bind(device)->driver;
  gpu_event event;
  if (!arc_gpu_batch_settle(earlier->batch) || !arc_gpu_batch_settle(later->batch)) return false;
  if (!CALL(driver, event_create, &event, GPU_EVENT_DISABLE_TIMING)) return false;
  bool good = CALL(driver, event_record, event, earlier->handle) &&
              CALL(driver, stream_wait, later->handle, event, 0);
  driver->call.event_destroy(event); /* takes effect when the event has happened */
  return good;
}

void *arc_gpu_point(struct arc_device *device, struct arc_queue *queue) {
  const struct arc_gpu_driver *driver = bind(device)->driver;
  gpu_event event;
  if (!arc_gpu_batch_settle(queue->batch) || !CALL(driver, event_create, &event, GPU_EVENT_DISABLE_TIMING)) return NULL;
  if (CALL(driver, event_record, event, queue->handle)) return event;
  driver->call.event_destroy(event);
  return NULL;
}

int arc_gpu_reached(struct arc_device *device, void *point) {
  const struct arc_gpu_driver *driver = bind(device)->driver;
  gpu_result code = driver->call.event_query(point);
  if (code == GPU_ERROR_NOT_READY) return 0;
  return check(driver, driver->maker->names.event_query, code) ? 1 : -1;
}

bool arc_gpu_await(struct arc_device *device, void *point) {
  return CALL(bind(device)->driver, event_synchronize, point);
}

void arc_gpu_forget(struct arc_device *device, void *point) { bind(device)->driver->call.event_destroy(point); }

bool arc_gpu_pin(struct arc_device *device, struct arc_queue *queue, size_t bytes, struct arc_pinned *pinned) {
  (void)queue;
  return CALL(bind(device)->driver, host_allocate, &pinned->bytes, bytes, 0);
}

void arc_gpu_unpin(struct arc_device *device, struct arc_queue *queue, struct arc_pinned *pinned) {
  (void)queue;
  bind(device)->driver->call.host_release(pinned->bytes);
}

static gpu_event event_in(struct state *state, struct arc_queue *queue) {
  gpu_event event;
  if (!arc_gpu_batch_settle(queue->batch)) return NULL;
  if (state->driver->call.event_create(&event, 0) != GPU_SUCCESS) return NULL;
  state->driver->call.event_record(event, queue->handle);
  return event;
}

void *arc_gpu_mark(struct arc_device *device, struct arc_queue *queue) {
  struct state *state = bind(device);
  if (!state->origin && (state->origin = event_in(state, queue))) {
    state->driver->call.event_synchronize(state->origin);
    state->origin_time = arc_trace_now();
  }
  return event_in(state, queue);
}

double arc_gpu_mark_time(struct arc_device *device, void *mark) {
  struct state *state = bind(device);
  if (!mark) return arc_trace_now();
  float milliseconds = 0;
  gpu_result code = state->driver->call.event_elapsed(&milliseconds, state->origin, mark);
  state->driver->call.event_destroy(mark);
  return code == GPU_SUCCESS ? state->origin_time + 1e3 * (double)milliseconds : arc_trace_now();
}

/* ---- modules and kernels ---- */

static gpu_module load_payload(struct state *state, const struct arc_payload *payload) {
  char log[8192] = "";
  int options[] = {GPU_JIT_ERROR_LOG_BUFFER, GPU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
  /* PTX must end in a zero byte, which the file does not promise. */
  char *text = arc_allocate(payload->size + 1);
  memcpy(text, payload->bytes, payload->size);
  gpu_module module = NULL;
  gpu_result code = state->driver->call.module_load(&module, text, 2, options, values);
  free(text);
  if (code == GPU_SUCCESS) return module;
  arc_gpu_failed(state->driver, state->driver->maker->names.module_load, code);
  if (code == GPU_ERROR_NO_BINARY)
    arc_because("it holds code for %s, this device is %s (%s)", *payload->tag ? payload->tag : "another device",
                state->architecture, arc_reason());
  if (*log) arc_because("%s\n%s", arc_reason(), log);
  return NULL;
}

/* The text's kernel is the payload's tag. */
static gpu_module compile_payload(struct state *state, const struct arc_image *image, const struct arc_payload *payload) {
  struct arc_gpu_compiled made;
  char *text = arc_allocate(payload->size + 1);
  memcpy(text, payload->bytes, payload->size);
  gpu_module module = NULL;
  if (arc_gpu_compile(state->driver->maker->compiler, state->architecture, text, image->origin, payload->tag, &made)) {
    const struct arc_payload code = {"code", (const unsigned char *)made.code, made.size, state->architecture};
    module = load_payload(state, &code);
  }
  if (module) {
    struct named *named = arc_allocate(sizeof *named);
    *named = (struct named){state->named, module, arc_copy_string(payload->tag), made.name};
    state->named = named;
    made.name = NULL;
  }
  free(made.code);
  free(made.name);
  free(text);
  return module;
}

void *arc_gpu_load(struct arc_device *device, const struct arc_image *image) {
  struct state *state = bind(device);
  /* Only user-written kernels are stored as text; code was added if a compiler was available. */
  const struct arc_payload *source = arc_image_payload(image, "source");
  bool any = false;
  for (const char *const *kind = device->backend->payloads; *kind; kind++) {
    for (size_t i = 0; i < image->npayloads; i++) {
      if (strcmp(image->payloads[i].kind, *kind) != 0 || &image->payloads[i] == source) continue;
      any = true;
      gpu_module module = load_payload(state, &image->payloads[i]);
      if (module) return module;
    }
  }
  if (any && source) arc_note("%s: its code is not taken: %s", image->origin, arc_reason());
  if (any && !source) return NULL;
  if (source) return compile_payload(state, image, source);
  arc_because("the image has no payload");
  return NULL;
}

void arc_gpu_unload(struct arc_device *device, void *module) {
  arc_gpu_batches_forget(bind(device)->batches);
  bind(device)->driver->call.module_unload(module);
}

void *arc_gpu_kernel(struct arc_device *device, void *module, const char *name) {
  gpu_function function;
  struct state *state = bind(device);
  for (const struct named *named = state->named; named; named = named->next)
    if (named->module == module && strcmp(named->name, name) == 0) name = named->lowered;
  return CALL(state->driver, module_function, &function, module, name)
             ? function
             : NULL;
}

bool arc_gpu_launch(struct arc_device *device, struct arc_queue *queue, void *code, const int64_t grid[3],
                   const int64_t group[3], size_t n, const struct arc_pass *passes) {
  enum { few = 64 };
  void *some[few];
  gpu_address some_addresses[few];
  size_t some_sizes[few];
  void **arguments = n > few ? arc_allocate(n * sizeof *arguments) : some;
  gpu_address *addresses = n > few ? arc_allocate(n * sizeof *addresses) : some_addresses;
  size_t *sizes = n > few ? arc_allocate(n * sizeof *sizes) : some_sizes;
  struct arc_gpu_call call = {.code = code, .arguments = arguments, .sizes = sizes};
  for (int i = 0; i < 3; i++) {
    call.grid[i] = (unsigned)grid[i];
    call.group[i] = (unsigned)group[i];
  }
  for (size_t i = 0; i < n; i++) {
    /* Group memory belongs to the launch and is not a parameter. */
    if (!passes[i].is_place && !passes[i].bytes) {
      call.shared += (unsigned)passes[i].size;
      continue;
    }
    if (passes[i].is_place) addresses[i] = address_of(passes[i].place);
    arguments[call.n] = passes[i].is_place ? (void *)&addresses[i] : (void *)passes[i].bytes;
    sizes[call.n++] = passes[i].is_place ? sizeof *addresses : passes[i].size;
  }
  const struct arc_gpu_driver *driver = bind(device)->driver;
  gpu_result result = GPU_SUCCESS;
  const bool seen = queue->seen;
  const bool settled = !seen || arc_gpu_batch_settle(queue->batch);
  if (settled && (seen || !arc_gpu_batch_takes(queue->batch, &call))) {
    result = driver->call.launch(code, call.grid[0], call.grid[1], call.grid[2], call.group[0], call.group[1],
                                 call.group[2], call.shared, queue->handle, arguments, NULL);
    if (result == GPU_SUCCESS) arc_gpu_batch_made(queue->batch, &call);
  }
  if (arguments != some) {
    free(arguments);
    free(addresses);
    free(sizes);
  }
  return settled && check(driver, driver->maker->names.launch, result);
}
