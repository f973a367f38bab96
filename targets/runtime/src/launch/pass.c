/* pass.c: what kernels are passed for their parameters. */
#include "data/check.h"
#include "data/memory.h"
#include "data/present.h"
#include "launch/call.h"

/* A pointer that is passed but must not be dereferenced: it keeps its value, for kernels that compare it. */
static struct arc_pass unusable(struct arc_device *device, const void *host) {
  return (struct arc_pass){.is_place = true, .place = {&device->whole, (int64_t)(uintptr_t)host}};
}

/* Points into all of a buffer, or into anything if the buffer stands for all addresses. */
static struct arc_pass whole_buffer(const struct arc_device *device, struct arc_place place) {
  return (struct arc_pass){.is_place = true,
                           .place = place,
                           .before = place.offset,
                           .extent = place.buffer == &device->whole ? 0 : place.buffer->bytes};
}

static struct arc_pass memory_pass(const struct arc_call *call, const arc_arg *argument) {
  struct arc_device *device = call->device;
  if (argument->kind == ARC_ARG_DEVICEPTR) {
    struct arc_place place;
    if (!argument->host) return unusable(device, NULL);
    const void *inside = arc_arg_at(argument);
    if (!arc_memory_place(device, (uintptr_t)inside, &place))
      arc_device_fail(
          device, call->site, "device-pointer", "pass what acc_malloc or acc_deviceptr returned",
          "%s (%p) is no address in the memory of %s", argument->name, inside, device->name);
    place.offset += (int64_t)((uintptr_t)argument->host - (uintptr_t)inside);
    return whole_buffer(device, place);
  }
  if (!argument->host) return unusable(device, NULL);
  const void *key = arc_arg_at(argument);
  struct arc_entry *entry = arc_present_at(device, key);
  if (!entry) entry = arc_present_part(device, key);
  if (!entry) entry = arc_present_based(device, call->site, argument->name, key);
  /* One that is only compared may be where a loop through what is present ends. */
  if (!entry && argument->kind == ARC_ARG_MAYBE) entry = arc_present_before(device, key);
  if (entry && entry->check) arc_check_kernel(device, call->site, entry);
  if (entry)
    return (struct arc_pass){.is_place = true,
                             .place = arc_present_place(device, call->queue, entry, argument->host),
                             .before = (int64_t)((uintptr_t)argument->host - entry->range.start),
                             .extent = entry->range.size};
  if (arc_present_is_empty(device, key))
    return (struct arc_pass){.is_place = true, .place = {device->nothing, 0}};
  /* OpenMP 5.1, section 5.8.6: a pointer to nothing that is mapped keeps its value, which may be a device address. */
  struct arc_place own;
  if (arc_memory_place(device, (uintptr_t)key, &own) && own.buffer != &device->whole) {
    own.offset += (int64_t)((uintptr_t)argument->host - (uintptr_t)key);
    return whole_buffer(device, own);
  }
  if (argument->kind == ARC_ARG_MAYBE) return unusable(device, argument->host);
  /* OpenACC 3.3, 2.7.5: nothing is required of memory that the device shares. */
  if (device->shared)
    return whole_buffer(device, (struct arc_place){&device->whole, (int64_t)(uintptr_t)argument->host});
  arc_present_missing(device, call->site, argument->name, key, 0);
}

/* A pointer is passed by value, other variables by their address on the device. */
static arc_arg global_argument(const struct arc_region *region, size_t index) {
  const struct arc_global *global = region->globals[index];
  bool is_pointer = region->record->globals[index].map == ARC_PRESENT;
  return (arc_arg){.name = global->name,
                   .host = is_pointer ? *(void **)global->host : global->host,
                   .kind = ARC_ARG_BUFFER};
}

static bool has_own_bytes(const arc_arg *argument) {
  return argument->kind == ARC_ARG_VALUE || argument->kind == ARC_ARG_COPY;
}

/* Whether two arguments may lead to the same memory. */
static bool may_overlap(const struct arc_call *call, const arc_arg *one, const arc_arg *other) {
  if (has_own_bytes(one) || has_own_bytes(other)) return false;
  const struct arc_buffer *whole = &call->device->whole;
  const struct arc_buffer *a = memory_pass(call, one).place.buffer, *b = memory_pass(call, other).place.buffer;
  return a == b || a == whole || b == whole;
}

struct arc_pass arc_call_pass(const struct arc_call *call, const struct arc_parameter *parameter,
                               int64_t *value) {
  if (parameter->kind == ARC_PARAMETER_VALUE) {
    *value = arc_expression_value(&parameter->value, &call->scope);
    return (struct arc_pass){.bytes = value, .size = sizeof *value};
  }
  if (parameter->kind == ARC_PARAMETER_OVERLAP) {
    *value = may_overlap(call, &call->arguments[parameter->index], &call->arguments[parameter->other]);
    return (struct arc_pass){.bytes = value, .size = sizeof *value};
  }
  if (parameter->kind == ARC_PARAMETER_SCRATCH) {
    struct arc_buffer *buffer = call->scratch->buffers[parameter->index];
    return whole_buffer(call->device, (struct arc_place){buffer ? buffer : call->device->nothing, 0});
  }
  if (parameter->kind == ARC_PARAMETER_GLOBAL) {
    const arc_arg argument = global_argument(call->region, parameter->index);
    return memory_pass(call, &argument);
  }
  const arc_arg *argument = &call->arguments[parameter->index];
  if (argument->kind == ARC_ARG_VALUE)
    return (struct arc_pass){.bytes = argument->host, .size = argument->size};
  if (argument->kind == ARC_ARG_COPY) {
    struct arc_buffer *buffer = call->copies ? call->copies[parameter->index] : NULL;
    const int64_t before = (int64_t)((uintptr_t)argument->host - (uintptr_t)arc_arg_at(argument));
    return whole_buffer(call->device, (struct arc_place){buffer ? buffer : call->device->nothing, before});
  }
  return memory_pass(call, argument);
}
