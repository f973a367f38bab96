/*
 * openmp_interop.c: OpenMP's interoperability objects (5.2, section 18.12): for each device one with a queue, and one
 * without.
 */
#include "omp.h"
#include "openacc.h"
#include <stddef.h>

enum { most = 64 };

struct interop {
  omp_interop_fr_t runtime;
  int number;
  void *device, *context, *queue; /* queue: NULL where work cannot be put into it */
};

static struct interop objects[2][most];

static struct interop *object_of(omp_interop_t which) {
  const size_t at = (size_t)which;
  return at == 0 || at > sizeof objects / sizeof objects[0][0] ? NULL : &objects[0][0] + (at - 1);
}

/* The object is where it stands in the table, from 1: nothing has to be freed. What is put into the queue stands behind what
 * the program has done so far, and in front of what it does later. */
omp_interop_t arc_omp_interop(int device, int synchronised) {
  const int before = acc_get_device_num(acc_device_current);
  if (device < 0 || device >= omp_get_num_devices() || device >= most) return omp_interop_none;
  struct interop *made = &objects[synchronised != 0][device];
  if (device != before) acc_set_device_num(device, acc_device_current);
  void *of_cuda = acc_get_current_cuda_context(), *of_opencl = of_cuda ? NULL : acc_get_current_opencl_context();
  made->number = device;
  made->context = of_cuda ? of_cuda : of_opencl;
  if (of_cuda) {
    made->runtime = omp_ifr_cuda;
    made->device = acc_get_current_cuda_device();
    if (synchronised) made->queue = acc_get_cuda_stream(acc_async_sync);
  } else if (of_opencl) {
    made->runtime = omp_ifr_opencl;
    made->device = acc_get_current_opencl_device();
    if (synchronised) made->queue = acc_get_opencl_queue(acc_async_sync);
  }
  if (device != before) acc_set_device_num(before, acc_device_current);
  if (!made->context) return omp_interop_none;
  return (omp_interop_t)(made - &objects[0][0] + 1);
}

/* The program waits until work queued beside its own is done. */
void arc_omp_interop_use(omp_interop_t which) {
  const struct interop *object = object_of(which);
  if (!object || !object->queue) return;
  const int before = acc_get_device_num(acc_device_current);
  if (object->number != before) acc_set_device_num(object->number, acc_device_current);
  acc_wait(acc_async_sync);
  if (object->number != before) acc_set_device_num(before, acc_device_current);
}

static const struct {
  const char *name, *type;
  omp_interop_rc_t wrong; /* what asking for another type returns */
} properties[] = {
    {"fr_id", "omp_interop_fr_t", omp_irc_type_int},   {"fr_name", "const char *", omp_irc_type_str},
    {"vendor", "int", omp_irc_type_int},               {"vendor_name", "const char *", omp_irc_type_str},
    {"device_num", "int", omp_irc_type_int},           {"platform", "void *", omp_irc_type_ptr},
    {"device", "CUdevice or cl_device_id", omp_irc_type_ptr}, {"device_context", "CUcontext or cl_context", omp_irc_type_ptr},
    {"targetsync", "CUstream or cl_command_queue", omp_irc_type_ptr},
};

static int is_property(int property) { return property <= omp_ipr_fr_id && property >= omp_ipr_first; }

/* The object, if it has such a property of that type. */
static const struct interop *asked(omp_interop_t which, int property, omp_interop_rc_t type, int *code) {
  const struct interop *object = object_of(which);
  omp_interop_rc_t said = omp_irc_success;
  if (!object || !object->context) said = omp_irc_empty;
  else if (!is_property(property)) said = omp_irc_out_of_range;
  /* A CUDA device is a number. */
  else if (property == omp_ipr_device && object->runtime == omp_ifr_cuda) said = type == omp_irc_type_int ? said : omp_irc_type_int;
  else if (properties[-1 - property].wrong != type) said = properties[-1 - property].wrong;
  if (code) *code = said;
  return said == omp_irc_success ? object : NULL;
}

static void lacks(int *code) {
  if (code) *code = omp_irc_no_value;
}

int omp_get_num_interop_properties(omp_interop_t which) { return (void)which, 0; }

omp_intptr_t omp_get_interop_int(omp_interop_t which, omp_interop_property_t property, int *code) {
  const struct interop *object = asked(which, property, omp_irc_type_int, code);
  if (!object) return 0;
  if (property == omp_ipr_fr_id) return object->runtime;
  if (property == omp_ipr_device_num) return object->number;
  if (property == omp_ipr_device) return (omp_intptr_t)object->device;
  return lacks(code), 0;
}

void *omp_get_interop_ptr(omp_interop_t which, omp_interop_property_t property, int *code) {
  const struct interop *object = asked(which, property, omp_irc_type_ptr, code);
  if (!object) return NULL;
  void *found = property == omp_ipr_device           ? object->device
                : property == omp_ipr_device_context ? object->context
                : property == omp_ipr_targetsync     ? object->queue
                                                     : NULL;
  if (!found) lacks(code);
  return found;
}

const char *omp_get_interop_str(omp_interop_t which, omp_interop_property_t property, int *code) {
  const struct interop *object = asked(which, property, omp_irc_type_str, code);
  if (!object) return NULL;
  if (property == omp_ipr_vendor_name) return "arc";
  return object->runtime == omp_ifr_cuda ? "cuda" : "opencl";
}

const char *omp_get_interop_name(omp_interop_t which, omp_interop_property_t property) {
  return (void)which, is_property(property) ? properties[-1 - property].name : NULL;
}

const char *omp_get_interop_type_desc(omp_interop_t which, omp_interop_property_t property) {
  return (void)which, is_property(property) ? properties[-1 - property].type : NULL;
}

const char *omp_get_interop_rc_desc(omp_interop_t which, omp_interop_rc_t code) {
  (void)which;
  switch (code) {
    case omp_irc_no_value: return "the device has no such value";
    case omp_irc_success: return "successful";
    case omp_irc_empty: return "the object is omp_interop_none";
    case omp_irc_out_of_range: return "there is no such property";
    case omp_irc_type_int: return "the property is an integer";
    case omp_irc_type_ptr: return "the property is a pointer";
    case omp_irc_type_str: return "the property is a string";
    default: return "another error";
  }
}
