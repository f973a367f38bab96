/*
 * kernel.c: tasks whose body is a kernel: choosing a device, transferring the data, launching. A kernel is loaded when it
 * first runs on a device, and compiled then if the build did not.
 */
#include "tasks/devices/kernel.h"
#include "image/images.h"
#include "launch/queue.h"
#include "report/spans.h"
#include <stdlib.h>
#include <string.h>

/* A kernel on a device. */
struct loaded {
  struct loaded *next;
  const struct arc_device *device;
  const arc_task_kernel *kernel;
  void *handle;
};

static struct {
  pthread_mutex_t lock;
  struct loaded *first;
} kernels = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The device with most of the task's data; of equals, the one with the fewest unfinished tasks. */
static struct arc_station *choose(const struct arc_task *task, const struct arc_backend *backend, int count) {
  struct arc_station *best = NULL;
  size_t most = 0;
  int fewest = 0;
  for (int i = 0; i < count; i++) {
    struct arc_station *station = arc_station_of(&task->type->site, backend, i);
    size_t there = 0;
    for (unsigned k = 0; k < task->part_count; k++)
      if (task->parts[k].copies) there += arc_copies_on(station->device, &task->parts[k].box);
    int tasks = atomic_load(&station->tasks);
    if (best && (there < most || (there == most && tasks >= fewest))) continue;
    best = station;
    most = there;
    fewest = tasks;
  }
  return best;
}

/* The kernel of an image on the device; NULL with arc_reason(). */
static void *load_from(struct arc_device *device, const struct arc_image *image, const arc_task_kernel *kernel) {
  struct arc_image named = *image;
  named.origin = (char *)kernel->file;
  named.payloads = arc_allocate((image->npayloads + 1) * sizeof *named.payloads);
  for (size_t i = 0; i < image->npayloads; i++) {
    named.payloads[i] = image->payloads[i];
    /* Compilers of source text need the target. */
    if (strcmp(image->payloads[i].kind, "source") == 0) named.payloads[i].tag = (char *)kernel->name;
  }
  arc_device_lock(device);
  void *module = device->backend->load(device, &named);
  void *handle = module ? device->backend->kernel(device, module, arc_image_symbol(image, kernel->name)) : NULL;
  arc_device_unlock(device);
  free(named.payloads);
  return handle;
}

/* The first image with the kernel that the device accepts. */
static void *find(struct arc_device *device, const arc_site *site, const arc_task_kernel *kernel) {
  if (!kernel->image) {
    struct arc_payload source = {"source", (const unsigned char *)kernel->source, kernel->source_size, NULL};
    const struct arc_image image = {.options = "", .payloads = &source, .npayloads = 1};
    return load_from(device, &image, kernel);
  }
  const struct arc_image *image = arc_images_kernels(kernel->backend, kernel->image, 0);
  if (!image)
    arc_fail(site, "no-image", "leave the folder whose name is the program's with '.arc' beside it, or link with 'arc cc'",
             "there is no image with kernel '%s' of %s", kernel->name, kernel->file);
  void *handle = NULL;
  for (size_t i = 0; !handle && (image = arc_images_kernels(kernel->backend, kernel->image, i)); i++)
    handle = load_from(device, image, kernel);
  return handle;
}

static void *load(struct arc_device *device, const arc_site *site, const arc_task_kernel *kernel) {
  pthread_mutex_lock(&kernels.lock);
  struct loaded *found = kernels.first;
  while (found && (found->device != device || found->kernel != kernel)) found = found->next;
  if (!found) {
    void *handle = find(device, site, kernel);
    if (!handle)
      arc_fail(site, "kernel", "mend the kernel's file; what the driver says of it stands above", "kernel '%s' of %s on %s: %s",
               kernel->name, kernel->file, device->name, arc_reason());
    found = arc_allocate(sizeof *found);
    *found = (struct loaded){kernels.first, device, kernel, handle};
    kernels.first = found;
  }
  pthread_mutex_unlock(&kernels.lock);
  return found->handle;
}

/* At least the requested number of work-items, rounded up to whole groups. */
static void geometry(const struct arc_device *device, const long asked[6], int64_t grid[3], int64_t group[3]) {
  bool chosen = asked[3] != 0;
  int64_t room = device->max_group > 0 && device->max_group < 64 ? device->max_group : 64;
  for (int i = 0; i < 3; i++) {
    int64_t items = asked[i] > 0 ? asked[i] : 0;
    group[i] = chosen ? asked[3 + i] : 1;
    /* The largest power of two that fits. */
    while (!chosen && group[i] * 2 <= room && items % (group[i] * 2) == 0 && items > 0) group[i] *= 2;
    room /= group[i] > 0 ? group[i] : 1;
    if (group[i] > items && items > 0) group[i] = items;
    grid[i] = group[i] > 0 ? (items + group[i] - 1) / group[i] : -1;
  }
}

static const struct arc_task_part *part_at(const struct arc_task *task, const void *pointer) {
  for (unsigned i = 0; i < task->part_count; i++)
    if (task->parts[i].copies && task->parts[i].box.start == (uintptr_t)pointer) return &task->parts[i];
  return NULL;
}

enum { MOST_PARAMETERS = ARC_MOST_COPIES };

/* A user's kernel takes memory as its language does: by handle or by address. */
static struct arc_pass passed(const struct arc_device *device, struct arc_buffer *buffer, void **handle) {
  if (device->backend != arc_backend_named("opencl"))
    return (struct arc_pass){.is_place = true, .place = {.buffer = buffer}};
  *handle = buffer->handle;
  return (struct arc_pass){.bytes = handle, .size = sizeof *handle};
}

/* The kernel's work-items; false: there are none. */
static bool shape(const struct arc_device *device, const struct arc_task *task, const arc_task_kernel *kernel,
                  int64_t grid[3], int64_t group[3]) {
  const arc_site *site = &task->type->site;
  geometry(device, (const long *)((const char *)task->arguments + kernel->geometry), grid, group);
  for (int i = 0; i < 3; i++) {
    if (grid[i] == 0) return false;
    if (grid[i] < 0)
      arc_fail(site, "ndrange", "write sizes above 0", "kernel '%s': a group has %lld work-items", kernel->name,
               (long long)group[i]);
  }
  if (kernel->parameters > MOST_PARAMETERS)
    arc_fail(site, "too-many-parameters", "put values into a struct", "kernel '%s' has more than %d parameters",
             kernel->name, MOST_PARAMETERS);
  return true;
}

/* Acquires the data on the device and sets the kernel's arguments. */
static void pass_all(struct arc_taking *taking, const arc_task_kernel *kernel, void **handles, struct arc_pass *passes) {
  const struct arc_task *task = taking->task;
  for (size_t i = 0; i < kernel->parameters; i++) {
    const arc_task_parameter *parameter = &kernel->list[i];
    const char *argument = (const char *)task->arguments + parameter->offset;
    passes[i] = (struct arc_pass){.bytes = argument, .size = parameter->size};
    if (parameter->kind == ARC_TASK_LOCAL) passes[i] = (struct arc_pass){.size = (size_t)*(const long *)argument};
    if (parameter->kind != ARC_TASK_MEMORY) continue;
    const struct arc_task_part *part = part_at(task, *(void *const *)argument);
    if (!part)
      arc_fail(&task->type->site, "kernel-argument", "let the section begin where the pointer leads, and have a byte at least",
               "kernel '%s': no section of the task begins where its argument %zu leads", kernel->name, i + 1);
    passes[i] = passed(taking->lanes->device, arc_copies_take(taking, part), &handles[i]);
  }
}

/* No task depends on it so far. */
static bool is_last(const struct arc_task *task) {
  return !atomic_load_explicit(&task->successors, memory_order_relaxed);
}

static struct arc_queue *open_lane(struct arc_station *station, const arc_site *site, int lane) {
  struct arc_device *device = station->device;
  struct arc_queue *queue = arc_queue_of(device, site, ARC_LANE(lane));
  if (lane < ARC_LANE_OTHERS && device->backend->point) {
    queue->pointed = true;
    arc_staging_open(&station->lanes.all[lane].staging, device, queue);
  }
  return queue;
}

static void launch(struct arc_issued *issued, struct arc_queue *queue, void *code, const int64_t grid[3],
                   const int64_t group[3], const struct arc_pass *passes) {
  struct arc_device *device = issued->station->device;
  const arc_task_kernel *kernel = issued->kernel;
  const arc_task_type *type = issued->task->type;
  arc_device_lock(device);
  void *begin = arc_span_begin(device, queue);
  arc_device_unlock(device);
  if (!device->backend->launch(device, queue, code, grid, group, kernel->parameters, passes)) {
    arc_moves_look_back(device);
    arc_kernel_failed(issued, 0);
  }
  if (!begin) return;
  arc_device_lock(device);
  arc_span_launch(device, queue, &type->site, type->own.label, kernel->name, grid, group, kernel->parameters, passes,
                  (struct arc_operations){0}, begin);
  arc_device_unlock(device);
}

/* Marks the point behind all queued work. */
static void end_issue(struct arc_issued *issued, struct arc_queue *queue) {
  struct arc_device *device = issued->station->device;
  arc_device_lock(device);
  arc_queue_count(queue);
  issued->counted = queue->queued;
  issued->spans = arc_span_take(queue);
  issued->point = device->backend->point(device, queue);
  arc_device_unlock(device);
  if (issued->point) return;
  arc_moves_look_back(device);
  arc_kernel_failed(issued, 0);
}

/* `is_waited`: the caller waits for the lane itself. False: there is nothing to do. */
static bool queue_all(struct arc_issued *issued, int lane, bool is_waited) {
  struct arc_station *station = issued->station;
  const struct arc_task *task = issued->task;
  const arc_site *site = &task->type->site;
  void *handles[MOST_PARAMETERS];
  struct arc_pass passes[MOST_PARAMETERS];
  int64_t grid[3], group[3];
  if (!shape(station->device, task, issued->kernel, grid, group)) return false;
  void *code = load(station->device, site, issued->kernel);
  pthread_mutex_lock(&station->taking);
  struct arc_lane *own = &station->lanes.all[lane];
  issued->taking = (struct arc_taking){.lanes = &station->lanes, .lane = lane, .number = own->queued + 1, .task = task};
  arc_device_lock(station->device);
  struct arc_queue *queue = open_lane(station, site, lane);
  arc_device_unlock(station->device);
  pass_all(&issued->taking, issued->kernel, handles, passes);
  arc_copies_taken(&issued->taking);
  launch(issued, queue, code, grid, group, passes);
  if (!is_waited) arc_copies_send_back(&issued->taking, is_last(task));
  if (!is_waited) end_issue(issued, queue);
  issued->staged = own->staging.taken;
  own->queued = issued->taking.number;
  pthread_mutex_unlock(&station->taking);
  return true;
}

/* Releases the task's copies and staging memory, and completes its transfers. */
static void let_go(struct arc_issued *issued) {
  struct arc_lane *lane = &issued->station->lanes.all[issued->taking.lane];
  arc_copies_let_go(&issued->taking, is_last(issued->task));
  arc_staging_give(&lane->staging, issued->staged);
  atomic_store_explicit(&lane->ended, issued->taking.number, memory_order_release);
}

void arc_kernel_issue(struct arc_issued *issued, const struct arc_task *task, const arc_task_kernel *kernel,
                      struct arc_station *station, int lane) {
  *issued = (struct arc_issued){.station = station, .task = task, .kernel = kernel};
  queue_all(issued, lane, false);
}

int arc_kernel_reached(const struct arc_issued *issued) {
  struct arc_device *device = issued->station->device;
  return issued->point ? device->backend->reached(device, issued->point) : 1;
}

bool arc_kernel_await(const struct arc_issued *issued) {
  struct arc_device *device = issued->station->device;
  return !issued->point || device->backend->await(device, issued->point);
}

void arc_kernel_retire(struct arc_issued *issued) {
  struct arc_station *station = issued->station;
  struct arc_device *device = station->device;
  if (issued->point) {
    device->backend->forget(device, issued->point);
    arc_device_lock(device);
    struct arc_queue *queue = device->lanes[issued->taking.lane];
    if (queue->finished < issued->counted) queue->finished = issued->counted;
    if (issued->spans) arc_span_tell(device, issued->spans);
    arc_device_unlock(device);
    let_go(issued);
  }
  atomic_fetch_sub(&station->tasks, 1);
}

void arc_kernel_failed(const struct arc_issued *issued, unsigned others) {
  const arc_task_kernel *kernel = issued->kernel;
  const arc_site *site = &issued->task->type->site;
  const char *device = issued->station->device->name;
  if (others > 0)
    arc_fail(site, "launch-failed", "run it with ARC_TASK_PREFETCH=0, where kernels run one by one, and the right one is named",
             "kernel '%s' of %s on %s, or one of %u that were under way as well: %s", kernel->name, kernel->file, device,
             others, arc_reason());
  arc_fail(site, "launch-failed", "compare the task's parameters and ndrange with the kernel's", "kernel '%s' of %s on %s: %s",
           kernel->name, kernel->file, device, arc_reason());
}

int arc_kernel_wanted(const struct arc_task *task, const arc_task_kernel *kernel) {
  return (int)((const long *)((const char *)task->arguments + kernel->geometry))[6];
}

bool arc_kernel_belongs(const struct arc_task *task, const arc_task_kernel *kernel, const struct arc_station *station) {
  const struct arc_backend *backend = station->device->backend;
  if (arc_backend_named(kernel->backend) != backend) return false;
  int count = arc_task_devices(kernel->backend), wanted = arc_kernel_wanted(task, kernel);
  if (wanted >= 0 || count == 1) return station->device->ordinal == (wanted > 0 ? wanted : 0);
  return choose(task, backend, count) == station;
}

bool arc_kernel_busy(const arc_task_kernel *kernel) {
  const struct arc_backend *backend = arc_backend_named(kernel->backend);
  enum { FEW = 2 };
  int count = arc_task_devices(kernel->backend);
  for (int i = 0; i < count; i++) {
    struct arc_station *station = arc_station_used(backend, i);
    if (!station || atomic_load(&station->tasks) < FEW) return false;
  }
  return true;
}

struct arc_station *arc_kernel_assign(const struct arc_task *task, const arc_task_kernel *kernel,
                                      struct arc_station *station) {
  const arc_site *site = &task->type->site;
  const struct arc_backend *backend = arc_backend_named(kernel->backend);
  int count = arc_task_devices(kernel->backend);
  if (count == 0)
    arc_fail(site, "no-device", "install a driver for such a device",
             "kernel '%s' needs a device of kind %s, and there is none: %s", kernel->name, kernel->backend, arc_reason());
  int wanted = arc_kernel_wanted(task, kernel);
  if (wanted >= count)
    arc_fail(site, "no-device", "write a number from 0 on in onto",
             "kernel '%s' is to run onto(%d), and there are %d devices of kind %s", kernel->name, wanted, count,
             kernel->backend);
  if (wanted >= 0) station = arc_station_of(site, backend, wanted);
  else if (!station) station = count == 1 ? arc_station_of(site, backend, 0) : choose(task, backend, count);
  atomic_fetch_add(&station->tasks, 1);
  return station;
}

void arc_kernel_run(const struct arc_task *task, const arc_task_kernel *kernel, struct arc_station *station, int lane) {
  bool is_driver = lane < ARC_LANE_OTHERS;
  struct arc_issued issued = {.station = station, .task = task, .kernel = kernel};
  if (!is_driver) pthread_mutex_lock(&station->others);
  if (queue_all(&issued, lane, true)) {
    if (!arc_lane_finish(&task->type->site, station->device, lane)) {
      arc_moves_look_back(station->device);
      arc_kernel_failed(&issued, 0);
    }
    let_go(&issued);
  }
  if (!is_driver) pthread_mutex_unlock(&station->others);
  atomic_fetch_sub(&station->tasks, 1);
}
