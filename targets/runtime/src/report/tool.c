/* tool.c: the profiling interface: registrations for events, and calling them. */
#define _GNU_SOURCE
#include "report/tool.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct registration {
  struct registration *next;
  acc_prof_callback call;
  unsigned count;
  bool off;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* In the order of registration. Never freed: other threads may be traversing the list. */
static struct registration *_Atomic registered[acc_ev_last];
static bool event_off[acc_ev_last], all_off;
static _Thread_local bool thread_off;
/* Nesting depth of the thread's compute constructs. */
static _Thread_local int inside;
static _Thread_local void *construct_info;

_Atomic uint32_t arc_tool_wanted;

static bool is_event(acc_event_t event) { return event > acc_ev_none && event < acc_ev_last; }

static void count_wanted(void) {
  uint32_t wanted = 0;
  for (int event = 1; event < acc_ev_last; event++)
    for (struct registration *one = registered[event]; one; one = one->next)
      if (one->count && !one->off && !event_off[event] && !all_off) wanted |= (uint32_t)1 << event;
  atomic_store(&arc_tool_wanted, wanted);
}

static struct registration *find(acc_event_t event, acc_prof_callback call) {
  struct registration *one = registered[event];
  while (one && one->call != call) one = one->next;
  return one;
}

static void append(acc_event_t event, acc_prof_callback call) {
  struct registration *fresh = arc_allocate(sizeof *fresh), *last = registered[event];
  *fresh = (struct registration){.call = call, .count = 1};
  while (last && last->next) last = last->next;
  if (last) last->next = fresh;
  else registered[event] = fresh;
}

static void toggle(acc_event_t event, acc_prof_callback call, bool off) {
  struct registration *one = is_event(event) && call ? find(event, call) : NULL;
  if (one) one->off = off;
  else if (!call && is_event(event)) event_off[event] = off;
  else if (!call && event == acc_ev_none) all_off = off;
}

void acc_prof_register(acc_event_t event, acc_prof_callback call, acc_register_t how) {
  if (how == acc_toggle_per_thread) {
    if (event == acc_ev_none && !call) thread_off = false;
    return;
  }
  pthread_mutex_lock(&lock);
  if (how == acc_toggle) {
    toggle(event, call, false);
  } else if (is_event(event) && call) {
    struct registration *one = find(event, call);
    if (one) one->count++;
    else append(event, call);
  }
  count_wanted();
  pthread_mutex_unlock(&lock);
}

void acc_prof_unregister(acc_event_t event, acc_prof_callback call, acc_register_t how) {
  if (how == acc_toggle_per_thread) {
    if (event == acc_ev_none && !call) thread_off = true;
    return;
  }
  pthread_mutex_lock(&lock);
  if (how == acc_toggle) {
    toggle(event, call, true);
  } else if (is_event(event) && call) {
    struct registration *one = find(event, call);
    if (one && one->count) one->count--;
  }
  count_wanted();
  pthread_mutex_unlock(&lock);
}

acc_query_fn acc_prof_lookup(const char *name) {
  static const struct {
    const char *name;
    acc_query_fn routine;
  } routines[] = {{"acc_prof_register", (acc_query_fn)acc_prof_register},
                  {"acc_prof_unregister", (acc_query_fn)acc_prof_unregister},
                  {"acc_prof_lookup", (acc_query_fn)acc_prof_lookup}};
  for (size_t i = 0; name && i < sizeof routines / sizeof *routines; i++)
    if (strcmp(name, routines[i].name) == 0) return routines[i].routine;
  return NULL;
}

/* ---- tools ---- */

typedef void (*library_function)(acc_prof_reg, acc_prof_reg, acc_prof_lookup_func);

__attribute__((weak)) void acc_register_library(acc_prof_reg, acc_prof_reg, acc_prof_lookup_func);

static library_function function_of(void *library) {
  void *found = dlsym(library, "acc_register_library");
  library_function function;
  memcpy(&function, &found, sizeof function);
  return function;
}

/* The C compiler's OpenMP library includes an OpenACC runtime, whose function of that name ends the program. */
static bool is_of_other_runtime(library_function tool) {
  void *address;
  memcpy(&address, &tool, sizeof address);
  Dl_info found;
  if (!dladdr(address, &found) || !found.dli_fname) return false;
  const char *slash = strrchr(found.dli_fname, '/');
  return strncmp(slash ? slash + 1 : found.dli_fname, "libgomp", strlen("libgomp")) == 0;
}

static void start(library_function tool) { tool(acc_prof_register, acc_prof_unregister, acc_prof_lookup); }

static void open_tool(const char *file) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  library_function tool = library ? function_of(library) : NULL;
  if (!library)
    arc_warn(NULL, "tool", "ACC_PROFLIB names %s, which cannot be loaded: %s", file, dlerror());
  else if (!tool)
    arc_warn(NULL, "tool", "ACC_PROFLIB names %s, which has no acc_register_library", file);
  else
    start(tool);
}

static void runtime_ends(void) { arc_tool_other(acc_ev_runtime_shutdown, (struct arc_tool_place){0}, NULL); }

/* Runs before the program can use a device, so that a tool sees all of them. */
__attribute__((constructor)) static void find_tools(void) {
  /* Later registered handlers run earlier: devices are closed by then. */
  atexit(runtime_ends);
  library_function tool = acc_register_library ? acc_register_library : function_of(RTLD_DEFAULT);
  if (tool && !is_of_other_runtime(tool)) start(tool);
  const char *files = getenv("ACC_PROFLIB");
  if (!files || !*files) return;
  char *list = arc_copy_string(files), *rest = NULL;
  for (char *file = strtok_r(list, ":", &rest); file; file = strtok_r(NULL, ":", &rest)) open_tool(file);
  free(list);
}

/* ---- events ---- */

static bool begins(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static acc_construct_t construct_of(const arc_site *site) {
  static const struct {
    const char *start;
    acc_construct_t construct;
  } constructs[] = {
      {"parallel", acc_construct_parallel},   {"kernels", acc_construct_kernels},
      {"serial", acc_construct_serial},       {"data", acc_construct_data},
      {"enter data", acc_construct_enter_data}, {"exit data", acc_construct_exit_data},
      {"host_data", acc_construct_host_data}, {"declare", acc_construct_declare},
      {"init", acc_construct_init},           {"shutdown", acc_construct_shutdown},
      {"set", acc_construct_set},             {"update", acc_construct_update},
      {"wait", acc_construct_wait},           {"target data", acc_construct_data},
      {"target enter data", acc_construct_enter_data}, {"target exit data", acc_construct_exit_data},
      {"target update", acc_construct_update}, {"target", acc_construct_parallel}};
  const char *what = site && site->what ? site->what : "";
  for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++)
    if (begins(what, constructs[i].start)) return constructs[i].construct;
  return acc_construct_runtime_api;
}

bool arc_tool_is_compute(const arc_site *site) {
  if (!arc_tool_wants_any() && !arc_tool_in_compute()) return false;
  acc_construct_t construct = construct_of(site);
  return construct == acc_construct_parallel || construct == acc_construct_kernels ||
         construct == acc_construct_serial;
}

static int thread_number(void) {
  static atomic_int threads;
  static _Thread_local int number = -1;
  if (number < 0) number = atomic_fetch_add(&threads, 1);
  return number;
}

static acc_device_api api_of(const struct arc_device *device) {
  const char *name = device ? device->backend->name : "host";
  return strcmp(name, "cuda") == 0     ? acc_device_api_cuda
         : strcmp(name, "opencl") == 0 ? acc_device_api_opencl
         : strcmp(name, "host") == 0   ? acc_device_api_none
                                       : acc_device_api_other;
}

static const void *native(const struct arc_device *device, const struct arc_queue *queue, enum arc_native what) {
  if (!device || !device->backend->native || !device->state) return NULL;
  if (what == ARC_NATIVE_QUEUE) return queue ? queue->handle : NULL;
  return device->backend->native(device, what);
}

static void tell(acc_event_t event, struct arc_tool_place at, acc_event_info *info, void **kept) {
  if (thread_off) return;
  const struct arc_device *device = at.device;
  const acc_device_t type = device ? (acc_device_t)arc_device_type(device) : acc_device_none;
  const int async = at.queue ? at.queue->async : ARC_SYNC, line = at.site ? at.site->line : 0;
  acc_prof_info where = {.event_type = event,
                         .valid_bytes = sizeof where,
                         .version = 202211,
                         .device_type = type,
                         .device_number = device ? device->ordinal : 0,
                         .thread_id = thread_number(),
                         .async = async,
                         .async_queue = async,
                         .src_file = at.site ? at.site->file : NULL,
                         .line_no = line,
                         .end_line_no = line};
  acc_api_info api = {.device_api = api_of(device),
                      .valid_bytes = sizeof api,
                      .device_type = type,
                      .device_handle = native(device, at.queue, ARC_NATIVE_DEVICE),
                      .context_handle = native(device, at.queue, ARC_NATIVE_CONTEXT),
                      .async_handle = native(device, at.queue, ARC_NATIVE_QUEUE)};
  info->other_event.event_type = event;
  info->other_event.parent_construct = construct_of(at.site);
  info->other_event.implicit = at.implicit;
  info->other_event.tool_info = kept ? *kept : NULL;
  for (struct registration *one = registered[event]; one; one = one->next)
    if (one->count && !one->off) one->call(&where, info, &api);
  if (kept) *kept = info->other_event.tool_info;
}

void arc_tool_other(acc_event_t event, struct arc_tool_place at, void **kept) {
  if (!arc_tool_wants(event)) return;
  acc_event_info info = {.other_event = {.valid_bytes = sizeof info.other_event}};
  tell(event, at, &info, kept);
}

void arc_tool_data(acc_event_t event, struct arc_tool_place at, const char *name, const void *host,
                   struct arc_place place, size_t bytes, void **kept) {
  if (!arc_tool_wants(event)) return;
  const bool is_known = place.buffer && (place.buffer == &at.device->whole || place.buffer->range.start);
  const uint64_t start = is_known && place.buffer != &at.device->whole ? place.buffer->range.start : 0;
  acc_event_info info = {
      .data_event = {.valid_bytes = sizeof info.data_event,
                     .var_name = name,
                     .bytes = bytes,
                     .host_ptr = host,
                     .device_ptr = is_known ? (void *)(uintptr_t)(start + (uint64_t)place.offset) : NULL}};
  tell(event, at, &info, kept);
}

void arc_tool_launch(acc_event_t event, struct arc_tool_place at, const char *kernel, const int64_t grid[3],
                     const int64_t group[3], void **kept) {
  if (!arc_tool_wants(event)) return;
  acc_event_info info = {.launch_event = {.valid_bytes = sizeof info.launch_event,
                                          .kernel_name = kernel,
                                          .num_gangs = (size_t)(grid[0] * grid[1] * grid[2]),
                                          .num_workers = (size_t)(group[1] * group[2]),
                                          .vector_length = (size_t)group[0]}};
  tell(event, at, &info, kept);
}

/* The standard's codes for those of arc's messages that it has one for. */
static acc_error_t error_of(const char *code) {
  static const struct {
    const char *code;
    acc_error_t error;
  } errors[] = {{"not-present", acc_error_not_present},
                {"not-mapped", acc_error_not_present},
                {"partly-present", acc_error_partly_present},
                {"already-present", acc_error_present},
                {"device-memory", acc_error_out_of_memory},
                {"out-of-memory", acc_error_out_of_memory},
                {"async-number", acc_error_invalid_async},
                {"no-device", acc_error_device_type_unavailable},
                {"no-backend", acc_error_device_type_unavailable},
                {"no-image", acc_error_device_type_unavailable},
                {"device-number", acc_error_device_unavailable},
                {"device-pointer", acc_error_invalid_argument},
                {"size", acc_error_invalid_argument},
                {"host-memory", acc_error_system},
                {"no-thread", acc_error_system},
                {"device-failed", acc_error_execution},
                {"launch", acc_error_execution},
                {"launch-failed", acc_error_execution},
                {"transfer", acc_error_execution},
                {"transfer-failed", acc_error_execution}};
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (strcmp(code, errors[i].code) == 0) return errors[i].error;
  return acc_error_other;
}

void arc_tool_error(struct arc_tool_place at, const char *code, const char *message) {
  if (!arc_tool_wants(acc_ev_error)) return;
  acc_event_info info = {.error_event = {.valid_bytes = sizeof info.error_event,
                                         .error_code = error_of(code),
                                         .error_message = message}};
  tell(acc_ev_error, at, &info, NULL);
}

/* ---- compute constructs ---- */

bool arc_tool_in_compute(void) { return inside > 0; }

bool arc_tool_enter_compute(const struct arc_device *device, const arc_site *site) {
  if (!inside && !arc_tool_wants_any()) return false;
  if (inside++ > 0) return true;
  construct_info = NULL;
  arc_tool_other(acc_ev_compute_construct_start, (struct arc_tool_place){.device = device, .site = site},
                 &construct_info);
  return true;
}

void arc_tool_leave_compute(const struct arc_device *device, const arc_site *site) {
  if (--inside > 0) return;
  arc_tool_other(acc_ev_compute_construct_end, (struct arc_tool_place){.device = device, .site = site},
                 &construct_info);
}
