/* region.c: finds regions by name, and loads the images that contain them. */
#include "launch/region.h"
#include "report/crash.h"
#include "image/images.h"
#include "data/memory.h"
#include <stdlib.h>
#include <string.h>

struct module {
  struct module *next;
  const struct arc_image *image;
  void *handle;
};

/* Call sites pass the same literal each time, so its address finds the region. */
struct slot {
  const char *key;
  struct arc_region *region;
};

struct arc_loaded {
  struct module *modules;
  struct arc_region *regions;
  struct slot *slots;
  size_t nslots, used; /* a power of two; at most half are used */
};

static size_t hash_of(const char *key) {
  return (size_t)(((uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u) >> 32);
}

static struct slot *slot_of(struct arc_loaded *loaded, const char *key) {
  size_t i = hash_of(key) & (loaded->nslots - 1);
  while (loaded->slots[i].key && loaded->slots[i].key != key) i = (i + 1) & (loaded->nslots - 1);
  return &loaded->slots[i];
}

static void remember(struct arc_loaded *loaded, const char *key, struct arc_region *region) {
  if (2 * (loaded->used + 1) > loaded->nslots) {
    struct arc_loaded larger = *loaded;
    larger.nslots = loaded->nslots ? 2 * loaded->nslots : 32;
    larger.slots = arc_allocate(larger.nslots * sizeof *larger.slots);
    for (size_t i = 0; i < loaded->nslots; i++)
      if (loaded->slots[i].key) *slot_of(&larger, loaded->slots[i].key) = loaded->slots[i];
    free(loaded->slots);
    *loaded = larger;
  }
  struct slot *slot = slot_of(loaded, key);
  if (!slot->key) loaded->used++;
  *slot = (struct slot){key, region};
}

static _Noreturn void no_region(struct arc_device *device, const arc_site *site, const char *name) {
  struct arc_text text = {0};
  if (device->images)
    arc_text_add(&text, "the images of %s:%s (%s) do not hold it; ", device->images->target,
                 device->images->variant, device->images->backend);
  else
    arc_text_add(&text, "no image fits %s; ", device->name);
  arc_images_describe(&text);
  arc_device_fail(
      device, site, "no-image",
      "build the program again with 'arc build', or choose another set with ARC_TARGET=target:variant",
      "there is no code for region %s: %s", name, text.bytes);
}

static struct arc_loaded *loaded_on(struct arc_device *device) {
  if (!device->loaded) device->loaded = arc_allocate(sizeof *device->loaded);
  return device->loaded;
}

/* NULL with a reason: it cannot be loaded. */
static void *module_of(struct arc_device *device, const struct arc_image *image) {
  struct arc_loaded *loaded = loaded_on(device);
  for (struct module *module = loaded->modules; module; module = module->next)
    if (module->image == image) return module->handle;
  void *handle = device->backend->load(device, image);
  if (device->in_process) arc_crash_watch();
  if (!handle) return NULL;
  struct module *module = arc_allocate(sizeof *module);
  *module = (struct module){loaded->modules, image, handle};
  loaded->modules = module;
  return handle;
}

void arc_regions_open(struct arc_device *device) {
  const struct arc_image_set *images = device->images;
  if (images && images->count && device->backend->loads_at_once) module_of(device, images->images[0]);
}

static void *load_module(struct arc_device *device, const arc_site *site, const struct arc_image *image) {
  void *handle = module_of(device, image);
  if (!handle)
    arc_device_fail(device, site, "load",
                    "positions in kernel text are mapped to your sources by kernel.map.json beside the image",
                    "%s does not load on %s: %s", image->origin, device->name, arc_reason());
  return handle;
}

static bool same_backend(const char *backend, const void *wanted) { return strcmp(backend, wanted) == 0; }

static void find_globals(struct arc_device *device, const arc_site *site, struct arc_region *region) {
  const struct arc_region_record *record = region->record;
  region->globals = arc_allocate((record->nglobals + 1) * sizeof *region->globals);
  region->items = arc_allocate((record->nglobals + 1) * sizeof *region->items);
  for (size_t i = 0; i < record->nglobals; i++) {
    const struct arc_global_record *wanted = &record->globals[i];
    const struct arc_global *global = region->globals[i] = arc_global_find(wanted->key);
    if (!global)
      arc_device_fail(device, site, "mismatch", "build the program again",
                      "no file of the program registered the variable %s, which region %s uses",
                      wanted->key, record->name);
    if (wanted->map == ARC_PRESENT) continue;
    region->items[region->nitems++] = (arc_item){.name = global->name,
                                                 .host = global->host,
                                                 .size = global->size,
                                                 .map = (uint16_t)wanted->map,
                                                 .flags = ARC_IMPLICIT};
  }
}

static struct arc_region *load_region(struct arc_device *device, const arc_site *site, const char *name) {
  struct arc_loaded *loaded = device->loaded;
  for (struct arc_region *region = loaded->regions; region; region = region->next)
    if (strcmp(region->record->name, name) == 0) return region;
  /* A library loaded late may contain the first images. */
  if (!device->images) device->images = arc_images_choose(site, same_backend, device->backend->name);
  const struct arc_image *image;
  const struct arc_region_record *record = arc_images_region(device->images, name, &image);
  if (!record) no_region(device, site, name);
  void *module = load_module(device, site, image);
  struct arc_region *region = arc_allocate(sizeof *region);
  *region = (struct arc_region){.next = loaded->regions, .record = record, .image = image};
  region->kernels = arc_allocate(record->nkernels * sizeof *region->kernels);
  for (size_t k = 0; k < record->nkernels; k++) {
    region->kernels[k] = device->backend->kernel(device, module, record->kernels[k].name);
    if (!region->kernels[k])
      arc_device_fail(device, site, "load", "build the image again", "%s holds no kernel %s: %s",
                      image->origin, record->kernels[k].name, arc_reason());
  }
  region->signs = record->sign && device->backend->kernel(device, module, record->sign);
  find_globals(device, site, region);
  loaded->regions = region;
  return region;
}

struct arc_region *arc_region_find(struct arc_device *device, const arc_site *site, const char *name) {
  struct arc_loaded *loaded = loaded_on(device);
  if (loaded->nslots) {
    struct slot *slot = slot_of(loaded, name);
    if (slot->key && strcmp(slot->region->record->name, name) == 0) return slot->region;
  }
  struct arc_region *region = load_region(device, site, name);
  remember(loaded, name, region);
  return region;
}

void arc_regions_close(struct arc_device *device) {
  struct arc_loaded *loaded = device->loaded;
  if (!loaded) return;
  while (loaded->regions) {
    struct arc_region *region = loaded->regions;
    loaded->regions = region->next;
    while (region->free) {
      struct arc_scratch *scratch = region->free;
      region->free = scratch->next;
      for (size_t i = 0; i < region->record->nscratch; i++)
        if (scratch->buffers[i]) arc_memory_recycle(device, scratch->buffers[i]);
      free(scratch);
    }
    free(region->kernels);
    free(region->globals);
    free(region->items);
    free(region);
  }
  while (loaded->modules) {
    struct module *module = loaded->modules;
    loaded->modules = module->next;
    device->backend->unload(device, module->handle);
    free(module);
  }
  free(loaded->slots);
  free(loaded);
  device->loaded = NULL;
}
