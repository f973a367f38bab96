/*
 * kernel.c: tasks whose body is a kernel. The thread that takes such a task chooses a device, sees to it that the
 * task's data is there, and starts the kernel. Kernels are compiled when they first run on a device.
 */
#include "tasks/kernel.h"
#include "launch/queue.h"
#include "report/spans.h"
#include "tasks/copies.h"
#include "tasks/spin.h"
#include <string.h>

enum { MOST_DEVICES = 16 };

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

/* Tasks under way. */
static atomic_int busy[ARC_BACKENDS][MOST_DEVICES];

static int index_of(const struct arc_backend *backend) {
  for (int i = 0; i < ARC_BACKENDS; i++)
    if (arc_backends[i] == backend) return i;
  return 0;
}

/* Asked once: drivers do not take it well from several threads. */
int arc_task_devices(const char *name) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int counts[ARC_BACKENDS]; /* and 1 */
  const struct arc_backend *backend = arc_backend_named(name);
  if (!backend) return 0;
  pthread_mutex_lock(&lock);
  int *count = &counts[index_of(backend)];
  int found = *count > 0 ? *count - 1 : backend->devices();
  if (found > MOST_DEVICES) found = MOST_DEVICES;
  if (found > 0) *count = found + 1;
  pthread_mutex_unlock(&lock);
  return found;
}

/* The one that has most of the task's data; of those the one with the fewest tasks under way. */
static struct arc_device *choose(const struct arc_task *task, const struct arc_backend *backend, int count) {
  const arc_site *site = &task->type->site;
  struct arc_device *best = NULL;
  size_t most = 0;
  int fewest = 0;
  for (int i = 0; i < count; i++) {
    struct arc_device *device = arc_device_of(site, backend, i);
    size_t there = 0;
    for (unsigned k = 0; k < task->part_count; k++) 
      if (task->parts[k].copies) there += arc_copies_on(device, &task->parts[k].box);
    int tasks = atomic_load(&busy[index_of(backend)][i]);
    if (best && (there < most || (there == most && tasks >= fewest))) continue;
    best = device;
    most = there;
    fewest = tasks;
  }
  return best;
}

static void *load(struct arc_device *device, const arc_site *site, const arc_task_kernel *kernel) {
  pthread_mutex_lock(&kernels.lock);
  struct loaded *found = kernels.first;
  while (found && (found->device != device || found->kernel != kernel)) found = found->next;
  if (!found) {
    struct arc_payload source = {"source", (const unsigned char *)kernel->source, kernel->source_size, (char *)kernel->name};
    struct arc_image image = {.origin = (char *)kernel->file, .options = "", .payloads = &source, .npayloads = 1};
    arc_device_lock(device);
    void *module = device->backend->load(device, &image);
    void *handle = module ? device->backend->kernel(device, module, kernel->name) : NULL;
    arc_device_unlock(device);
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

enum { MOST_PARAMETERS = 64 };

/* A kernel of the author's own takes memory as the device's language does: by a handle, or by its address. */
static struct arc_pass passed(const struct arc_device *device, struct arc_buffer *buffer, void **handle) {
  if (device->backend != arc_backend_named("opencl"))
    return (struct arc_pass){.is_place = true, .place = {.buffer = buffer}};
  *handle = buffer->handle;
  return (struct arc_pass){.bytes = handle, .size = sizeof *handle};
}

static void start(struct arc_device *device, const struct arc_task *task, const arc_task_kernel *kernel) {
  const arc_site *site = &task->type->site;
  const char *arguments = task->arguments;
  struct arc_copy *copies[MOST_PARAMETERS];
  void *handles[MOST_PARAMETERS];
  struct arc_pass passes[MOST_PARAMETERS];
  size_t taken = 0;
  int64_t grid[3], group[3];
  geometry(device, (const long *)(arguments + kernel->geometry), grid, group);
  for (int i = 0; i < 3; i++) {
    if (grid[i] == 0) return;
    if (grid[i] < 0)
      arc_fail(site, "ndrange", "write sizes above 0", "kernel '%s': a group has %lld work-items", kernel->name,
               (long long)group[i]);
  }
  if (kernel->parameters > MOST_PARAMETERS)
    arc_fail(site, "too-many-parameters", "put values into a struct", "kernel '%s' has more than %d parameters",
             kernel->name, MOST_PARAMETERS);
  void *code = load(device, site, kernel);
  for (size_t i = 0; i < kernel->parameters; i++) {
    const arc_task_parameter *parameter = &kernel->list[i];
    const char *argument = arguments + parameter->offset;
    passes[i] = (struct arc_pass){.bytes = argument, .size = parameter->size};
    if (parameter->kind == ARC_TASK_LOCAL) {
      passes[i] = (struct arc_pass){.size = (size_t)*(const long *)argument};
    } else if (parameter->kind == ARC_TASK_MEMORY) {
      const void *pointer = *(void *const *)argument;
      const struct arc_task_part *part = part_at(task, pointer);
      if (!part)
        arc_fail(site, "kernel-argument", "let the section begin where the pointer leads, and have a byte at least",
                 "kernel '%s': no section of the task begins where its argument %zu leads", kernel->name, i + 1);
      copies[taken] = arc_copies_take(device, task, part);
      passes[i] = passed(device, arc_copy_buffer(copies[taken]), &handles[taken]);
      taken++;
    }
  }
  arc_device_lock(device);
  struct arc_queue *queue = arc_queue_of(device, site, ARC_SYNC);
  void *begin = arc_span_begin(device, queue);
  arc_device_unlock(device);
  bool good = device->backend->launch(device, queue, code, grid, group, kernel->parameters, passes);
  if (begin) {
    arc_device_lock(device);
    arc_span_launch(device, queue, site, task->type->own.label, kernel->name, grid, group,
                    kernel->parameters, passes, begin);
    arc_device_unlock(device);
  }
  if (!good || !device->backend->finish(device, queue))
    arc_fail(site, "launch-failed", "compare the task's parameters and ndrange with the kernel's",
             "kernel '%s' of %s on %s: %s", kernel->name, kernel->file, device->name, arc_reason());
  if (begin) arc_copies_tell(device, queue);
  for (size_t i = 0; i < taken; i++) arc_copies_let_go(copies[i]);
}

struct arc_device *arc_kernel_device(const arc_site *site, const arc_task_kernel *kernel, int ordinal) {
  return arc_device_of(site, arc_backend_named(kernel->backend), ordinal);
}

int arc_kernel_wanted(const struct arc_task *task, const arc_task_kernel *kernel) {
  return (int)((const long *)((const char *)task->arguments + kernel->geometry))[6];
}

bool arc_kernel_busy(const arc_task_kernel *kernel) {
  int backend = index_of(arc_backend_named(kernel->backend)), count = arc_task_devices(kernel->backend);
  for (int i = 0; i < count; i++)
    if (atomic_load(&busy[backend][i]) == 0) return false;
  return true;
}

struct arc_device *arc_task_run_kernel(const struct arc_task *task, const arc_task_kernel *kernel, struct arc_device *device) {
  const struct arc_backend *backend = arc_backend_named(kernel->backend);
  int count = arc_task_devices(kernel->backend);
  if (count == 0)
    arc_fail(&task->type->site, "no-device", "install a driver for such a device",
             "kernel '%s' needs a device of kind %s, and there is none: %s", kernel->name, kernel->backend, arc_reason());
  int wanted = arc_kernel_wanted(task, kernel);
  if (wanted >= count)
    arc_fail(&task->type->site, "no-device", "write a number from 0 on in onto",
             "kernel '%s' is to run onto(%d), and there are %d devices of kind %s", kernel->name, wanted, count,
             kernel->backend);
  if (wanted >= 0) device = arc_device_of(&task->type->site, backend, wanted);
  else if (!device) device = choose(task, backend, count);
  atomic_int *under_way = &busy[index_of(backend)][device->ordinal];
  atomic_fetch_add(under_way, 1);
  start(device, task, kernel);
  atomic_fetch_sub(under_way, 1);
  return device;
}
