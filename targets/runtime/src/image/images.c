/* images.c: finds image sets: in $ARC_IMAGES, beside the executable, in the executable. */
#define _GNU_SOURCE
#include "image/images.h"
#include "report/crash.h"
#include "report/error.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { places = 3 };
static const char *const place_names[places] = {"$ARC_IMAGES", "beside the executable", "in the executable"};

struct registered {
  const void *bytes;
  size_t size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct registered *registered;
static size_t nregistered;
static bool found; /* the places were searched */
static struct arc_image_set **sets;
static size_t nsets;
/* User-written kernels, which belong to no target, in the order of their locations. */
static struct arc_image **authored;
static size_t nauthored;

/* ---- collecting ---- */

static struct arc_image_set *set_of(const char *place, const char *target, const char *variant,
                                    const char *backend) {
  for (size_t i = 0; i < nsets; i++) {
    struct arc_image_set *set = sets[i];
    if (set->place == place && strcmp(set->target, target) == 0 && strcmp(set->variant, variant) == 0 &&
        strcmp(set->backend, backend) == 0)
      return set;
  }
  struct arc_image_set *set = arc_allocate(sizeof *set);
  *set = (struct arc_image_set){.target = arc_copy_string(target),
                                .variant = arc_copy_string(variant),
                                .backend = arc_copy_string(backend),
                                .place = place};
  sets = arc_resize(sets, (nsets + 1) * sizeof *sets);
  sets[nsets++] = set;
  return set;
}

/* A payload that no back end of that name loads: from a newer compiler, or damaged. NULL: none. */
static char *foreign_payload(const struct arc_image *image) {
  const struct arc_backend *backend = arc_backend_named(image->backend);
  for (size_t i = 0; backend && i < image->npayloads; i++) {
    const char *kind = image->payloads[i].kind;
    size_t k = 0;
    while (backend->payloads[k] && strcmp(backend->payloads[k], kind) != 0) k++;
    if (backend->payloads[k]) continue;
    struct arc_text text = {0};
    arc_text_add(&text, "%s: the back end '%s' loads no payload of the kind '%s'", image->origin, image->backend, kind);
    return text.bytes;
  }
  return NULL;
}

static void add_image(const char *place, const char *origin, const void *bytes, size_t size) {
  char *why;
  struct arc_image *image = arc_image_parse(origin, bytes, size, &why);
  if (image && (why = foreign_payload(image))) {
    arc_image_free(image);
    image = NULL;
  }
  if (!image) {
    struct arc_image_set *set = set_of(place, "?", "?", "?");
    if (set->damage)
      free(why);
    else
      set->damage = why;
    return;
  }
  if (image->kernels) {
    authored = arc_resize(authored, (nauthored + 1) * sizeof *authored);
    authored[nauthored++] = image;
    return;
  }
  struct arc_image_set *set = set_of(place, image->target, image->variant, image->backend);
  set->images = arc_resize(set->images, (set->count + 1) * sizeof *set->images);
  set->images[set->count++] = image;
}

static void add_file(const char *place, const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0 || status.st_size == 0) {
    struct arc_image_set *set = set_of(place, "?", "?", "?");
    struct arc_text text = {0};
    arc_text_add(&text, "%s: %s", path, file < 0 ? strerror(errno) : "it is empty");
    if (set->damage)
      arc_text_free(&text);
    else
      set->damage = text.bytes;
    if (file >= 0) close(file);
    return;
  }
  void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (bytes == MAP_FAILED) arc_fail(NULL, "image", NULL, "%s cannot be read: %s", path, strerror(errno));
  add_image(place, path, bytes, (size_t)status.st_size);
}

static bool has_suffix(const char *name, const char *suffix) {
  size_t length = strlen(name), tail = strlen(suffix);
  return length > tail && strcmp(name + length - tail, suffix) == 0;
}

/* FOLDER/TARGET/VARIANT/NAME.arci, or less deep. */
static void add_folder(const char *place, const char *folder, int depth) {
  struct dirent **names;
  int count = scandir(folder, &names, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    const char *name = names[i]->d_name;
    struct arc_text path = {0};
    arc_text_add(&path, "%s/%s", folder, name);
    struct stat status;
    if (name[0] != '.' && stat(path.bytes, &status) == 0) {
      if (S_ISDIR(status.st_mode) && depth > 0)
        add_folder(place, path.bytes, depth - 1);
      else if (S_ISREG(status.st_mode) && has_suffix(name, ".arci"))
        add_file(place, path.bytes);
    }
    arc_text_free(&path);
    free(names[i]);
  }
  if (count >= 0) free(names);
}

static void search_listed(void) {
  const char *list = getenv("ARC_IMAGES");
  while (list && *list) {
    size_t length = strcspn(list, ":");
    char *path = arc_copy_string(list);
    path[length] = 0;
    struct stat status;
    if (length && stat(path, &status) != 0)
      arc_fail(NULL, "image", "ARC_IMAGES is a list of *.arci files and folders of them, separated by ':'",
               "ARC_IMAGES names %s: %s", path, strerror(errno));
    if (length && S_ISDIR(status.st_mode))
      add_folder(place_names[0], path, 2);
    else if (length)
      add_file(place_names[0], path);
    free(path);
    list += length + (list[length] == ':');
  }
}

static void search_beside(void) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof ".arc");
  if (length <= 0) return;
  memcpy(path + length, ".arc", sizeof ".arc");
  add_folder(place_names[1], path, 2);
}

static void search(void) {
  if (found) return;
  found = true;
  search_listed();
  search_beside();
  for (size_t i = 0; i < nregistered; i++)
    add_image(place_names[2], "the image in the executable", registered[i].bytes, registered[i].size);
}

void arc_register_image(const char *target, const char *variant, const void *bytes, size_t size) {
  (void)target; /* the manifest names both; they are arguments so that a list of symbols can be read */
  (void)variant;
  pthread_mutex_lock(&lock);
  registered = arc_resize(registered, (nregistered + 1) * sizeof *registered);
  registered[nregistered++] = (struct registered){bytes, size};
  if (found) add_image(place_names[2], "the image in the executable", bytes, size);
  pthread_mutex_unlock(&lock);
}

/* ---- choosing ---- */

static const char offload[] = "OMP_TARGET_OFFLOAD";

/* OpenMP 5.2, 21.8: with MANDATORY the host is not a device, with DISABLED it is the only one. */
static const char *offload_kind(const char *text) {
  if (strcasecmp(text, "mandatory") == 0) return "not_host";
  if (strcasecmp(text, "disabled") == 0) return "host";
  if (strcasecmp(text, "default") == 0) return "default";
  arc_fail(NULL, "no-device", "set it to mandatory, disabled or default", "OMP_TARGET_OFFLOAD=%s means nothing", text);
}

const char *arc_images_kind_variable(void) {
  const char *const variables[] = {"ARC_DEVICE", "ACC_DEVICE_TYPE", offload};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *text = getenv(variables[i]);
    if (text && *text) return variables[i];
  }
  return NULL;
}

const char *arc_images_kind(void) {
  static _Thread_local char kind[32];
  const char *variable = arc_images_kind_variable();
  if (!variable) return NULL;
  const char *text = getenv(variable);
  if (strcmp(variable, offload) == 0) return offload_kind(text);
  size_t i = 0;
  for (; text[i] && i + 1 < sizeof kind; i++) kind[i] = (char)tolower((unsigned char)text[i]);
  kind[i] = 0;
  return kind;
}

bool arc_images_kind_allows(const char *kind, const char *backend) {
  return !kind || arc_backend_serves(backend, kind);
}

/* $ARC_TARGET is `name` or `name:variant`. */
static bool target_allows(const char *wanted, const struct arc_image_set *set) {
  if (!wanted || !*wanted) return true;
  size_t length = strcspn(wanted, ":");
  if (strlen(set->target) != length || strncmp(wanted, set->target, length) != 0) return false;
  return !wanted[length] || strcmp(wanted + length + 1, set->variant) == 0;
}

static void describe_sets(struct arc_text *text) {
  if (!nsets) {
    arc_text_add(text,
                 "there are no images at all: none in $ARC_IMAGES, none beside the executable (its path "
                 "with '.arc' added), none in it");
    return;
  }
  arc_text_add(text, "there are:");
  for (size_t i = 0; i < nsets; i++) {
    const struct arc_image_set *set = sets[i];
    if (set->damage)
      arc_text_add(text, "\n    a damaged image (%s), %s", set->damage, set->place);
    else
      arc_text_add(text, "\n    %s:%s (%s), %s", set->target, set->variant, set->backend, set->place);
  }
}

static const char choosing[] = "set ARC_TARGET=target or ARC_TARGET=target:variant to one that exists, or "
                               "ARC_DEVICE to its kind; 'arc build' makes images";

static _Noreturn void none_matches(const arc_site *site) {
  struct arc_text text = {0};
  const char *target = getenv("ARC_TARGET"), *kind = arc_images_kind();
  arc_text_add(&text, "no image set fits");
  if (target && *target) arc_text_add(&text, " ARC_TARGET=%s", target);
  if (kind) arc_text_add(&text, " %s=%s", arc_images_kind_variable(), getenv(arc_images_kind_variable()));
  arc_text_add(&text, "; ");
  describe_sets(&text);
  pthread_mutex_unlock(&lock);
  arc_fail(site, "no-image", choosing, "%s", text.bytes);
}

static _Noreturn void several_match(const arc_site *site, const struct arc_image_set *a,
                                    const struct arc_image_set *b) {
  struct arc_text text = {0};
  describe_sets(&text);
  pthread_mutex_unlock(&lock);
  arc_fail(site, "which-image", choosing, "%s:%s (%s) and %s:%s (%s) could both run; %s", a->target,
           a->variant, a->backend, b->target, b->variant, b->backend, text.bytes);
}

static _Noreturn void damaged_image(const arc_site *site, const struct arc_image_set *set) {
  pthread_mutex_unlock(&lock);
  arc_fail(site, "image", "build it again with 'arc build'", "an image %s cannot be used: %s", set->place,
           set->damage);
}

/* If two sets fit: of the variants of one target, "default" is preferred. */
static const struct arc_image_set *preferred(const arc_site *site, const struct arc_image_set *a,
                                             const struct arc_image_set *b) {
  bool same = strcmp(a->target, b->target) == 0 && strcmp(a->backend, b->backend) == 0;
  if (same && strcmp(a->variant, "default") == 0) return a;
  if (same && strcmp(b->variant, "default") == 0) return b;
  several_match(site, a, b);
}

/* The criteria of a choice. */
struct choice {
  const char *target, *kind;
  bool (*fits)(const char *backend, const void *wanted);
  const void *wanted;
};

static bool allowed_by(const struct choice *choice, const struct arc_image_set *set) {
  return !set->damage && target_allows(choice->target, set) && arc_images_kind_allows(choice->kind, set->backend);
}

static bool candidate(const struct choice *choice, const struct arc_image_set *set, const char *place) {
  return set->place == place && allowed_by(choice, set) && choice->fits(set->backend, choice->wanted);
}

static bool any_for(const struct choice *choice, const char *place, const struct arc_backend *backend) {
  for (size_t i = 0; i < nsets; i++)
    if (strcmp(sets[i]->backend, backend->name) == 0 && candidate(choice, sets[i], place)) return true;
  return false;
}

/*
 * If several back ends could run the sets of one location: the first that has a device, or the first of all if none
 * has, so that its reason is reported. NULL: there are not several, and no driver is loaded.
 */
static const struct arc_backend *first_usable(const struct choice *choice, const char *place) {
  static bool told;
  const struct arc_backend *several[ARC_BACKENDS], *chosen = NULL;
  size_t count = 0;
  for (size_t i = 0; i < ARC_BACKENDS; i++)
    if (any_for(choice, place, arc_backends[i])) several[count++] = arc_backends[i];
  if (count < 2) return NULL;
  arc_crash_watch(); /* before a driver installs handlers of its own */
  for (size_t i = 0; i < count && !chosen; i++) {
    if (several[i]->devices() > 0)
      chosen = several[i];
    else if (!told)
      arc_note("the kernels for %s are left out: %s", several[i]->name, arc_reason());
  }
  if (!chosen) chosen = several[0];
  if (!told) {
    struct arc_text names = {0};
    arc_backend_names(&names, " and ");
    arc_note("the kernels for %s are taken: of %s the first that has kernels and a device; "
             "ARC_TARGET or ARC_DEVICE chooses another",
             chosen->name, names.bytes);
    arc_text_free(&names);
  }
  told = true;
  return chosen;
}

const struct arc_image_set *arc_images_choose(const arc_site *site,
                                              bool (*fits)(const char *backend, const void *wanted),
                                              const void *wanted) {
  const struct choice choice = {getenv("ARC_TARGET"), arc_images_kind(), fits, wanted};
  pthread_mutex_lock(&lock);
  search();
  const struct arc_image_set *best = NULL;
  bool allowed = false;
  for (size_t p = 0; p < places && !best; p++) {
    const struct arc_image_set *damaged = NULL;
    const struct arc_backend *backend = first_usable(&choice, place_names[p]);
    for (size_t i = 0; i < nsets; i++) {
      const struct arc_image_set *set = sets[i];
      if (set->place != place_names[p]) continue;
      if (set->damage) damaged = set;
      allowed = allowed || allowed_by(&choice, set);
      if (backend && strcmp(set->backend, backend->name) != 0) continue;
      if (candidate(&choice, set, place_names[p])) best = best ? preferred(site, best, set) : set;
    }
    if (!best && damaged) damaged_image(site, damaged); /* it may be what was meant */
  }
  if (!best && !allowed && nsets) none_matches(site);
  pthread_mutex_unlock(&lock);
  return best;
}

void arc_images_describe(struct arc_text *text) {
  pthread_mutex_lock(&lock);
  search();
  describe_sets(text);
  pthread_mutex_unlock(&lock);
}

const struct arc_region_record *arc_images_region(const struct arc_image_set *set, const char *name,
                                                  const struct arc_image **image) {
  const struct arc_region_record *record = NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; set && i < set->count && !record; i++) {
    for (size_t r = 0; r < set->images[i]->nregions && !record; r++) {
      if (strcmp(set->images[i]->regions[r].name, name) != 0) continue;
      record = &set->images[i]->regions[r];
      *image = set->images[i];
    }
  }
  pthread_mutex_unlock(&lock);
  return record;
}

const struct arc_image *arc_images_kernels(const char *backend, const char *name, size_t which) {
  const struct arc_image *image = NULL;
  pthread_mutex_lock(&lock);
  search();
  for (size_t i = 0; i < nauthored && !image; i++)
    if (strcmp(authored[i]->backend, backend) == 0 && strcmp(authored[i]->kernels, name) == 0 && which-- == 0)
      image = authored[i];
  pthread_mutex_unlock(&lock);
  return image;
}
