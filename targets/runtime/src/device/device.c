/* device.c: opens devices, and tracks the current device of each host thread. */
#define _POSIX_C_SOURCE 200809L
#include "device/device.h"
#include "data/check.h"
#include "report/crash.h"
#include "data/declare.h"
#include "image/images.h"
#include "data/memory.h"
#include "openacc.h"
#include "data/present.h"
#include "launch/queue.h"
#include "launch/region.h"
#include "launch/steps.h"
#include "report/energy.h"
#include "report/profile.h"
#include "report/tool.h"
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct arc_device *devices;

static _Thread_local struct arc_selection mine = {NULL, -1, -1, false};

static bool type_fits(const char *backend, int type) {
  switch (type) {
  case acc_device_host: return arc_backend_serves(backend, "host");
  case acc_device_not_host: return arc_backend_serves(backend, "not_host");
  case acc_device_nvidia: return arc_backend_serves(backend, "nvidia");
  case acc_device_radeon: return arc_backend_serves(backend, "radeon");
  case acc_device_opencl: return arc_backend_serves(backend, "opencl");
  case acc_device_none: return false;
  default: return true;
  }
}

static bool fits(const char *backend, const void *type) { return type_fits(backend, *(const int *)type); }

int arc_device_type(const struct arc_device *device) {
  static const struct {
    const char *word;
    acc_device_t type;
  } types[] = {{"host", acc_device_host}, {"nvidia", acc_device_nvidia}, {"radeon", acc_device_radeon}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(device->backend->types[0], types[i].word) == 0) return types[i].type;
  return acc_device_opencl;
}

/* ---- opening and closing ---- */

static void close_device(struct arc_device *device, const arc_site *site) {
  arc_device_lock(device);
  if (atomic_load(&device->open)) {
    void *told = NULL;
    const struct arc_tool_place place = {.device = device, .site = site, .implicit = !site};
    arc_tool_other(acc_ev_device_shutdown_start, place, &told);
    arc_steps_make(device);
    arc_queue_finish_all(device, NULL);
    arc_regions_close(device);
    arc_present_close(device);
    arc_memory_recycle(device, device->nothing);
    arc_queues_close(device);
    arc_memory_trim(device);
    device->backend->close(device);
    free(device->name);
    free(device->vendor);
    free(device->driver);
    free(device->bus);
    device->name = device->vendor = device->driver = device->bus = NULL;
    atomic_store(&device->open, false);
    arc_tool_other(acc_ev_device_shutdown_end, place, &told);
  }
  arc_device_unlock(device);
}

static void *close_devices(void *unused) {
  for (struct arc_device *device = devices; device;) {
    struct arc_device *next = device->next;
    close_device(device, NULL);
    pthread_mutex_destroy(&device->lock);
    free(device);
    device = next;
  }
  devices = NULL;
  return unused;
}

static void (*before_closing)(void);

void arc_device_before_closing(void (*call)(void)) { before_closing = call; }

/* In a separate thread: the exiting thread has already lost the drivers' thread-local state when its handlers run. */
static void close_all(void) {
  pthread_t thread;
  if (before_closing && !arc_failing()) before_closing();
  arc_exiting();
  if (arc_failing()) {
    arc_profile_report(true);
    return;
  }
  if (pthread_create(&thread, NULL, close_devices, NULL) == 0)
    pthread_join(thread, NULL);
  else
    close_devices(NULL);
  arc_check_summary();
  arc_profile_report(false);
}

static void start(struct arc_device *device, const arc_site *site) {
  device->present = arc_allocate(sizeof *device->present);
  device->addresses = (struct arc_range_map){0};
  device->whole = (struct arc_buffer){.range = {.size = UINT64_MAX}, .addressed = true};
  arc_queue_of(device, site, ARC_SYNC);
  device->nothing = arc_memory_allocate(device, device->sync, site, 256, "its own use");
  arc_declare_on(device);
  arc_regions_open(device);
}

/* The limit for kept freed memory: $ARC_POOL bytes, or an eighth of the device's memory. */
static uint64_t pool_limit(const struct arc_device *device) {
  const char *text = getenv("ARC_POOL");
  return text && *text ? strtoull(text, NULL, 0) : device->memory_bytes / 8;
}

/*
 * Must run before drivers shut down. Their libraries register exit handlers while they are opened, and the last
 * registered handler runs first.
 */
static void close_at_exit(const struct arc_device *device) {
  static const struct arc_backend *latest;
  if (latest == device->backend) return;
  latest = device->backend;
  atexit(close_all);
}

static const arc_site *_Atomic requirement;

void arc_require_shared(const arc_site *site) { atomic_store(&requirement, site); }

static void open_device(struct arc_device *device, const arc_site *site) {
  const struct arc_backend *backend = device->backend;
  const char *alignment = getenv("ARC_ALIGN");
  device->alignment = 1;
  void *told = NULL;
  const struct arc_tool_place place = {.device = device, .site = site, .implicit = true};
  arc_tool_other(acc_ev_device_init_start, place, &told);
  arc_crash_watch(); /* before a driver installs handlers of its own: those pass on to the ones they found */
  if (!backend->open(device)) {
    pthread_mutex_unlock(&lock);
    arc_fail(site, "no-device",
             "install the device's driver, or choose another target with ARC_TARGET or another kind with "
             "ARC_DEVICE",
             "%s device %d cannot be used: %s", backend->name, device->ordinal, arc_reason());
  }
  const arc_site *required = atomic_load(&requirement);
  if (required && !device->shared) {
    pthread_mutex_unlock(&lock);
    arc_fail(required, "unified-shared-memory",
             "run on a device that shares it (ARC_DEVICE=host), or map what regions use and leave the requirement out",
             "%s does not share the program's memory", device->name);
  }
  if (arc_profiling()) device->meter = arc_energy_watch(device); /* loads a library, which may have exit handlers */
  close_at_exit(device);
  if (alignment && strtoul(alignment, NULL, 10) > 1) device->alignment = strtoul(alignment, NULL, 10);
  device->pool_limit = pool_limit(device);
  arc_device_lock(device);
  start(device, site);
  atomic_store(&device->open, true);
  arc_device_unlock(device);
  if (arc_checking() && device->shared)
    arc_warn(site, "check",
             "%s shares the host's memory: there are no transfers to check; set ARC_HOST_MEMORY=separate",
             device->name);
  arc_note("opened %s", device->name);
  arc_tool_other(acc_ev_device_init_end, place, &told);
}

static struct arc_device *device_at(const arc_site *site, const struct arc_backend *backend, int ordinal,
                                    const struct arc_image_set *images) {
  pthread_mutex_lock(&lock);
  struct arc_device *device = devices;
  while (device && (device->backend != backend || device->ordinal != ordinal)) device = device->next;
  if (!device) {
    device = arc_allocate(sizeof *device);
    device->backend = backend;
    device->ordinal = ordinal;
    pthread_mutex_init(&device->lock, NULL);
    device->next = devices;
    devices = device;
  }
  /* Tasks with user-written kernels open the device without images. */
  if (images && !device->images) device->images = images;
  if (!atomic_load(&device->open)) {
    device->images = images;
    open_device(device, site);
  }
  pthread_mutex_unlock(&lock);
  return device;
}

/* ---- choosing ---- */

/* -1: nobody said. */
static atomic_int default_number = -1;

void arc_device_default(int number) { atomic_store(&default_number, number); }

static int default_ordinal(void) {
  const int said = atomic_load_explicit(&default_number, memory_order_relaxed);
  if (said >= 0) return said;
  const char *text = getenv("ACC_DEVICE_NUM");
  if (!text || !*text) text = getenv("OMP_DEFAULT_DEVICE");
  return text && *text ? atoi(text) : 0;
}

/* Without images no kernel can run in the wrong place: data is put where the program asks, or else on the host. */
static const struct arc_backend *backend_without_images(int type) {
  const char *kind = mine.type >= 0 ? NULL : arc_images_kind();
  if (type_fits("host", type) && arc_images_kind_allows(kind, "host")) return &arc_backend_host;
  const struct arc_backend *first = NULL;
  for (size_t i = 0; i < ARC_BACKENDS; i++) {
    const struct arc_backend *backend = arc_backends[i];
    if (!type_fits(backend->name, type) || !arc_images_kind_allows(kind, backend->name)) continue;
    /* A maker's name asks for that maker's own driver first. */
    if (type != acc_device_not_host || backend->devices() > 0) return backend;
    if (!first) first = backend;
  }
  return first; /* opening it says what is missing */
}

/*
 * $ARC_TARGET is the user's choice and overrides a program's request for some accelerator, so that the same program can
 * be tried on any target. A request for the host is not overridden.
 */
static const struct arc_image_set *insisted(const arc_site *site, int type) {
  const char *target = getenv("ARC_TARGET");
  int any = acc_device_default;
  if (!target || !*target || type == acc_device_host || type == acc_device_default) return NULL;
  const struct arc_image_set *images = arc_images_choose(site, fits, &any);
  if (images)
    arc_note("the program asks for another type of device; ARC_TARGET=%s decides: %s", target,
             images->backend);
  return images;
}

static struct arc_device *resolve(const arc_site *site) {
  int type = mine.type >= 0 ? mine.type : acc_device_default;
  const struct arc_image_set *images = arc_images_choose(site, fits, &type);
  if (!images) images = insisted(site, type);
  const struct arc_backend *backend = images ? arc_backend_named(images->backend) : backend_without_images(type);
  if (!backend && images)
    arc_fail(site, "no-backend", "use a newer runtime, or build the image for another kind of target",
             "images of %s:%s need the back end '%s', which this runtime does not have", images->target,
             images->variant, images->backend);
  if (!backend) {
    struct arc_text remedy = {0};
    arc_text_add(&remedy, "ARC_DEVICE is cpu, gpu, ");
    arc_backend_names(&remedy, " or ");
    arc_fail(site, "no-device", remedy.bytes,
             "there is no device of the kind %s%s%s", mine.type >= 0 ? "that was set" : arc_images_kind(),
             mine.type >= 0 ? "" : ", which is asked for by ", mine.type >= 0 ? "" : arc_images_kind_variable());
  }
  return device_at(site, backend, mine.ordinal >= 0 ? mine.ordinal : default_ordinal(), images);
}

struct arc_device *arc_device_of(const arc_site *site, const struct arc_backend *backend, int ordinal) {
  return device_at(site, backend, ordinal, NULL);
}

/* API routines may query it nevertheless: they have no source line. */
static void check_default(const arc_site *site) {
  if (mine.none && site && site->file)
    arc_fail(site, "device-number", "add device(omp_get_default_device()) to the directive",
             "the default device is the host, and this file does not call omp_set_default_device: its directives were "
             "compiled for devices alone");
}

struct arc_device *arc_device_current(const arc_site *site) {
  check_default(site);
  struct arc_device *device = mine.device;
  if (device && mine.ordinal < 0) {
    const int said = atomic_load_explicit(&default_number, memory_order_relaxed);
    if (said >= 0 && said != device->ordinal) device = NULL;
  }
  if (device && atomic_load_explicit(&device->open, memory_order_acquire)) return device;
  return mine.device = resolve(site);
}

struct arc_selection arc_device_selection(void) {
  return mine;
}
void arc_device_restore(struct arc_selection selection) { mine = selection; }

void arc_device_select(int type, int ordinal) {
  if (type >= 0 && type != acc_device_current) mine.type = type == acc_device_default ? -1 : type;
  if (ordinal >= 0) mine.ordinal = ordinal;
  mine.device = NULL;
  mine.none = false;
}

void arc_device_none(void) { mine.none = true; }

/* ---- one directive for a specific device ---- */

static _Thread_local struct arc_selection outer;

void arc_device_enter(int number) {
  struct arc_device *current = arc_device_current(NULL);
  outer = mine;
  mine.none = false;
  mine.ordinal = number;
  if (current->ordinal != number) mine.device = device_at(NULL, current->backend, number, current->images);
}

void arc_device_leave(void) { mine = outer; }

/* ---- what a device is ---- */

/* Defined in openmp.c; programs that do not set a default device have none of it. */
extern int arc_default_on_host(void) __attribute__((weak));

enum { the_host = ARC_TARGET_HOST | ARC_TARGET_CPU };

static int kinds_of(const struct arc_device *device) {
  static const struct {
    const char *word;
    int kind;
  } types[] = {{"cpu", ARC_TARGET_CPU}, {"gpu", ARC_TARGET_GPU}, {"accelerator", ARC_TARGET_FPGA}},
    backends[] = {{"cuda", ARC_TARGET_NVIDIA}, {"hip", ARC_TARGET_RADEON}, {"opencl", ARC_TARGET_OPENCL}};
  int kinds = 0;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (device->type && strcmp(device->type, types[i].word) == 0) kinds |= types[i].kind;
    if (strcmp(device->backend->name, backends[i].word) == 0) kinds |= backends[i].kind;
  }
  return kinds;
}

/* The back end that regions run on; NULL: there are no images, or no device for them. Opens nothing. */
static const struct arc_backend *backend_with_device(void) {
  int type = mine.type >= 0 ? mine.type : acc_device_default;
  const struct arc_image_set *images = arc_images_choose(NULL, fits, &type);
  if (!images) images = insisted(NULL, type);
  const struct arc_backend *backend = images ? arc_backend_named(images->backend) : NULL;
  return backend && backend->devices() > 0 ? backend : NULL;
}

int arc_default_target(void) {
  if ((arc_default_on_host && arc_default_on_host()) || !backend_with_device()) return the_host;
  return kinds_of(arc_device_current(NULL));
}

int arc_target(int number) {
  const struct arc_backend *backend = backend_with_device();
  if (!backend || number < 0 || number >= backend->devices()) return the_host;
  return kinds_of(arc_device_of(NULL, backend, number));
}

void arc_device_shutdown(const arc_site *site, int type, int ordinal) {
  pthread_mutex_lock(&lock);
  for (struct arc_device *device = devices; device; device = device->next)
    if (type_fits(device->backend->name, type) && (ordinal < 0 || device->ordinal == ordinal))
      close_device(device, site);
  pthread_mutex_unlock(&lock);
}

int arc_device_count(const arc_site *site, int type) {
  if (type == acc_device_none) return 0;
  if (type == acc_device_current || type == acc_device_default)
    return arc_device_current(site)->backend->devices();
  const struct arc_image_set *images = arc_images_choose(site, fits, &type);
  if (images) {
    const struct arc_backend *backend = arc_backend_named(images->backend);
    return backend ? backend->devices() : 0;
  }
  /* No image would run there; counts the devices that could be opened. */
  for (size_t i = 0; i < ARC_BACKENDS; i++) {
    int count = type_fits(arc_backends[i]->name, type) ? arc_backends[i]->devices() : 0;
    if (count > 0) return count;
  }
  return 0;
}
