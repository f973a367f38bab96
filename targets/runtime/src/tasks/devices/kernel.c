/*
 * kernel.c: tasks whose body is a kernel: the device that gets one, the data that it brings there, and the launch.
 * Kernels are loaded when they first run on a device, and compiled where nobody did that when the program was built.
 */
#include "tasks/devices/kernel.h"
#include "image/images.h"
#include "launch/queue.h"
#include "report/spans.h"
#include "tasks/devices/copies.h"
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

/* The one that has most of the task's data; of those the one with the fewest tasks under way. */
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
    /* Compilers of text want to know what it is for. */
    if (strcmp(image->payloads[i].kind, "source") == 0) named.payloads[i].tag = (char *)kernel->name;
  }
  arc_device_lock(device);
  void *module = device->backend->load(device, &named);
  void *handle = module ? device->backend->kernel(device, module, arc_image_symbol(image, kernel->name)) : NULL;
  arc_device_unlock(device);
  free(named.payloads);
  return handle;
}

/* Of the images that have it the first that the device takes. */
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

/* As many work-items as asked for, or more, so that groups are whole. */
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

/* A kernel of the author's own takes memory as the device's language does: by a handle, or by its address. */
static struct arc_pass passed(const struct arc_device *device, struct arc_buffer *buffer, void **handle) {
  if (device->backend != arc_backend_named("opencl"))
    return (struct arc_pass){.is_place = true, .place = {.buffer = buffer}};
  *handle = buffer->handle;
  return (struct arc_pass){.bytes = handle, .size = sizeof *handle};
}

/* The work-items of the kernel; false: there are none. */
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

/* What the kernel gets, with its data on the device. */
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
    passes[i] = passed(taking->device, arc_copies_take(taking, part), &handles[i]);
  }
}

static void start(struct arc_station *station, int lane, const struct arc_task *task, const arc_task_kernel *kernel) {
  const arc_site *site = &task->type->site;
  struct arc_device *device = station->device;
  struct arc_taking taking = {.device = device, .lane = lane, .task = task};
  void *handles[MOST_PARAMETERS];
  struct arc_pass passes[MOST_PARAMETERS];
  int64_t grid[3], group[3];
  if (!shape(device, task, kernel, grid, group)) return;
  void *code = load(device, site, kernel);
  pthread_mutex_lock(&station->taking);
  pass_all(&taking, kernel, handles, passes);
  pthread_mutex_unlock(&station->taking);
  arc_device_lock(device);
  struct arc_queue *queue = arc_queue_of(device, site, ARC_LANE(lane));
  void *begin = arc_span_begin(device, queue);
  arc_device_unlock(device);
  bool good = device->backend->launch(device, queue, code, grid, group, kernel->parameters, passes);
  if (begin) {
    arc_device_lock(device);
    arc_span_launch(device, queue, site, task->type->own.label, kernel->name, grid, group,
                    kernel->parameters, passes, (struct arc_operations){0}, begin);
    arc_device_unlock(device);
  }
  if (!good || !arc_lane_finish(site, device, lane))
    arc_fail(site, "launch-failed", "compare the task's parameters and ndrange with the kernel's",
             "kernel '%s' of %s on %s: %s", kernel->name, kernel->file, device->name, arc_reason());
  arc_copies_let_go(&taking, !atomic_load_explicit(&task->successors, memory_order_relaxed));
}

int arc_kernel_wanted(const struct arc_task *task, const arc_task_kernel *kernel) {
  return (int)((const long *)((const char *)task->arguments + kernel->geometry))[6];
}

bool arc_kernel_busy(const arc_task_kernel *kernel) {
  const struct arc_backend *backend = arc_backend_named(kernel->backend);
  int count = arc_task_devices(kernel->backend);
  for (int i = 0; i < count; i++) {
    struct arc_station *station = arc_station_used(backend, i);
    if (!station || atomic_load(&station->tasks) < ARC_DRIVERS) return false;
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
  else if (!station) station = choose(task, backend, count);
  atomic_fetch_add(&station->tasks, 1);
  return station;
}

void arc_kernel_run(const struct arc_task *task, const arc_task_kernel *kernel, struct arc_station *station, int lane) {
  bool is_driver = lane < ARC_LANE_OTHERS;
  if (!is_driver) pthread_mutex_lock(&station->others);
  start(station, lane, task, kernel);
  if (!is_driver) pthread_mutex_unlock(&station->others);
  atomic_fetch_sub(&station->tasks, 1);
}
