/* reference.c: runs a construct's statement on the host, with the device's data. */
#include "launch/reference.h"
#include "data/check.h"
#include "launch/region.h"
#include "launch/shape.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A present range. */
struct compared {
  struct arc_entry *entry;
  unsigned char *host;     /* what the host had */
  unsigned char *expected; /* what its own run has made */
};

struct arc_reference {
  struct arc_device *device;
  const arc_site *site;
  const char *region;
  const struct arc_region *found;
  size_t narguments;
  const arc_arg *arguments;
  const char *const *shapes;
  double tolerance; /* below 0: by the numbers' own type */
  size_t count;
  struct compared *entries;
};

/* The calling thread has reached a construct that will be compared, and has not launched it yet. */
static _Thread_local bool announced;

void arc_reference_launched(const arc_site *site) {
  if (!(arc_checks() & ARC_CHECKS_KERNELS)) return;
  if (!announced && arc_check_is_new("check", NULL, "program", 0))
    arc_warn(site, "check",
             "ARC_CHECK=kernels: the program was not built for it; say `check: true` in arc.yaml, or build it with "
             "arc cc -check");
  announced = false;
}

static double asked_tolerance(double own) {
  const char *text = getenv("ARC_CHECK_TOLERANCE");
  if (!text || !*text) return own;
  char *end;
  double value = strtod(text, &end);
  if (*end || !(value >= 0)) {
    if (arc_check_is_new("check", NULL, "tolerance", 0))
      arc_warn(NULL, "check", "ARC_CHECK_TOLERANCE=%s is no tolerance: a number such as 1e-4 is", text);
    return own;
  }
  return value;
}

/* Why the region's results cannot be compared; NULL: they can. */
static const char *obstacle(const struct arc_region *region, size_t n, const arc_arg *arguments) {
  if (region->record->together != ARC_ALONE) return "it starts together with others";
  for (size_t i = 0; i < n; i++)
    if (arguments[i].kind == ARC_ARG_DEVICEPTR && arguments[i].host)
      return "it is given addresses of device memory, where the host cannot go";
  return NULL;
}

static void *memory_of(const struct arc_entry *entry) { return (void *)(uintptr_t)entry->range.start; }

/* Constant data may be in read-only memory. */
static void set_host(const struct arc_entry *entry, const unsigned char *bytes) {
  if (memcmp(memory_of(entry), bytes, entry->range.size) != 0)
    memcpy(memory_of(entry), bytes, entry->range.size);
}

void *arc_reference_begin(const arc_site *site, const char *name, size_t n, const arc_arg *arguments,
                          const char *const *shapes, double tolerance) {
  if (!(arc_checks() & ARC_CHECKS_KERNELS)) return NULL;
  announced = true;
  struct arc_device *device = arc_device_current(site);
  arc_device_lock(device);
  struct arc_region *region = arc_region_find(device, site, name);
  arc_device_unlock(device);
  const char *why = obstacle(region, n, arguments);
  if (why) {
    if (arc_check_is_new("check", site, name, 0)) arc_warn(site, "check", "%s is not compared: %s", name, why);
    return NULL;
  }
  if (region->nitems) arc_data_begin(site, ARC_SYNC, region->nitems, region->items);
  arc_device_lock(device);
  struct arc_reference *reference = arc_allocate(sizeof *reference);
  *reference = (struct arc_reference){.device = device,
                                      .site = site,
                                      .region = name,
                                      .found = region,
                                      .narguments = n,
                                      .arguments = arguments,
                                      .shapes = shapes,
                                      .tolerance = asked_tolerance(tolerance > 0 ? tolerance : -1),
                                      .entries = arc_allocate((device->present->entries.count + 1) *
                                                              sizeof *reference->entries)};
  uint64_t at = 0;
  for (struct arc_range *range; (range = arc_range_after(&device->present->entries, at));
       at = range->start + range->size) {
    struct compared *one = &reference->entries[reference->count++];
    one->entry = (struct arc_entry *)range;
    one->host = memcpy(arc_allocate(range->size), memory_of(one->entry), range->size);
    unsigned char *now = arc_check_device_bytes(device, one->entry, memory_of(one->entry), range->size);
    set_host(one->entry, now);
    free(now);
  }
  arc_device_unlock(device);
  return reference;
}

void arc_reference_take(void *begun) {
  struct arc_reference *reference = begun;
  for (size_t i = 0; i < reference->count; i++) {
    struct compared *one = &reference->entries[i];
    one->expected = memcpy(arc_allocate(one->entry->range.size), memory_of(one->entry), one->entry->range.size);
    set_host(one->entry, one->host);
  }
}

/* ---- comparing ---- */

/* binary16: 5 bits of exponent, 10 of fraction. */
static double half_at(const unsigned char *bytes) {
  uint16_t bits;
  memcpy(&bits, bytes, sizeof bits);
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent == 31 && fraction) return NAN;
  /* Of subnormal numbers the exponent counts 1, and nothing stands in front of the fraction. */
  double size = exponent == 31 ? INFINITY : exponent ? 1024 + fraction : fraction;
  for (int e = exponent ? exponent : 1; e < 25; e++) size /= 2;
  for (int e = 25; e < exponent; e++) size *= 2;
  return bits >> 15 ? -size : size;
}

static double number_at(const struct arc_part *part, const unsigned char *bytes) {
  float narrow;
  double wide;
  long double widest = 0;
  switch (part->bits) {
  case 16:
    return half_at(bytes);
  case 32:
    memcpy(&narrow, bytes, sizeof narrow);
    return narrow;
  case 64:
    memcpy(&wide, bytes, sizeof wide);
    return wide;
  default:
    memcpy(&widest, bytes, 10);
    return (double)widest;
  }
}

/* The number's bits, sign-extended. */
static int64_t integer_at(const struct arc_part *part, const unsigned char *bytes) {
  uint64_t value = 0;
  memcpy(&value, bytes, part->bits / 8);
  unsigned unused = 64 - (unsigned)part->bits;
  return part->kind == 'i' && unused ? (int64_t)(value << unused) >> unused : (int64_t)value;
}

static void value_text(const struct arc_part *part, const unsigned char *bytes, char *out, size_t room) {
  if (part->kind == 'f')
    snprintf(out, room, part->bits == 16 ? "%.5g" : part->bits == 32 ? "%.9g" : "%.17g", number_at(part, bytes));
  else if (part->kind == 'u')
    snprintf(out, room, "%" PRIu64, (uint64_t)integer_at(part, bytes));
  else if (part->kind == 'i')
    snprintf(out, room, "%" PRId64, integer_at(part, bytes));
  else
    snprintf(out, room, "0x%02x", bytes[0]);
}

static double larger(double a, double b) { return a > b ? a : b; }

/*
 * Numbers are equal up to differences from another order of summation or from fused products. Up to a few units in the
 * last place of the largest number nearby, differences of large numbers are rounding errors, too.
 */
static bool close_enough(const struct arc_part *part, double tolerance, double device, double host, double greatest) {
  if (device == host || (isnan(device) && isnan(host))) return true;
  if (isnan(device) || isnan(host) || isinf(device) || isinf(host)) return false;
  const double unit = part->bits == 16 ? 0x1p-10 : part->bits == 32 ? 0x1p-23 : 0x1p-52;
  if (tolerance == 0) return false;
  if (tolerance < 0) tolerance = part->bits == 16 ? 4e-3 : part->bits == 32 ? 1e-4 : 1e-6;
  double apart = fabs(device - host);
  return apart <= tolerance * larger(fabs(device), fabs(host)) || apart <= 4 * unit * greatest;
}

static size_t width(const struct arc_part *part) { return part->bits == 80 ? 16 : part->bits / 8; }

static double greatest_of(const struct arc_part *part, const unsigned char *bytes, size_t n, size_t stride) {
  double greatest = 0;
  for (size_t i = 0; part->kind == 'f' && i < n; i++)
    for (size_t k = 0; k < part->count; k++) {
      double value = fabs(number_at(part, bytes + i * stride + part->offset + k * width(part)));
      if (isfinite(value)) greatest = larger(greatest, value);
    }
  return greatest;
}

struct difference {
  size_t count;
  size_t element, within; /* the first one's place */
  struct arc_part part;
  unsigned char device[16], host[16];
};

static void compare_part(struct difference *found, const struct arc_part *part, double tolerance,
                         const unsigned char *device, const unsigned char *host, size_t n, size_t stride) {
  if (part->kind == 'p' || !part->bits) return;
  const double greatest = larger(greatest_of(part, device, n, stride), greatest_of(part, host, n, stride));
  const size_t bytes = width(part), meant = part->bits / 8;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < part->count; k++) {
      const unsigned char *a = device + i * stride + part->offset + k * bytes,
                          *b = host + i * stride + part->offset + k * bytes;
      if (memcmp(a, b, meant) == 0 ||
          (part->kind == 'f' && close_enough(part, tolerance, number_at(part, a), number_at(part, b), greatest)))
        continue;
      if (!found->count++ || i < found->element) {
        found->element = i;
        found->within = k;
        found->part = *part;
        memcpy(found->device, a, meant);
        memcpy(found->host, b, meant);
      }
    }
}

/* The argument that points into the entry and describes its elements. */
static const arc_arg *argument_of(const struct arc_reference *reference, const struct arc_entry *entry,
                                  struct arc_shape *shape) {
  for (size_t i = 0; i < reference->narguments; i++) {
    const arc_arg *argument = &reference->arguments[i];
    const void *at = arc_arg_at(argument);
    if ((argument->kind == ARC_ARG_BUFFER || argument->kind == ARC_ARG_MAYBE) && argument->host &&
        arc_present_at(reference->device, at) == entry && arc_shape_open(shape, reference->shapes[i]))
      return argument;
  }
  return NULL;
}

static void tell(const struct arc_reference *reference, const char *name, const char *index,
                 const struct difference *found, size_t n) {
  char device[40], host[40], label[200];
  value_text(&found->part, found->device, device, sizeof device);
  value_text(&found->part, found->host, host, sizeof host);
  size_t used = (size_t)snprintf(label, sizeof label, "%s%s", name, index);
  if (found->part.length && used < sizeof label)
    used += (size_t)snprintf(label + used, sizeof label - used, ".%.*s", (int)found->part.length, found->part.name);
  if (found->part.count > 1 && used < sizeof label)
    snprintf(label + used, sizeof label - used, "[%zu]", found->within);
  if (arc_check_is_new("kernel-result", reference->site, name, 0))
    arc_warn(reference->site, "kernel-result", "%s: %s is %s on the device and %s on the host (%zu of %zu values differ)",
             reference->region, label, device, host, found->count, n);
}

static void compare_entry(const struct arc_reference *reference, const struct compared *one) {
  const struct arc_entry *entry = one->entry;
  unsigned char *now = arc_check_device_bytes(reference->device, one->entry, memory_of(entry), entry->range.size);
  struct arc_shape shape;
  struct difference found = {0};
  const arc_arg *argument = argument_of(reference, entry, &shape);
  if (memcmp(now, one->expected, entry->range.size) != 0) {
    if (argument) {
      /* Elements are counted from the argument, and the section may begin inside one. */
      const int64_t apart = (int64_t)(entry->range.start - (uintptr_t)argument->host), bytes = (int64_t)shape.bytes;
      const int64_t first = apart >= 0 ? (apart + bytes - 1) / bytes : -(-apart / bytes);
      const size_t skipped = (size_t)(first * bytes - apart);
      const size_t n = entry->range.size > skipped ? (entry->range.size - skipped) / shape.bytes : 0;
      struct arc_shape parts = shape;
      size_t values = 0;
      for (struct arc_part part; arc_shape_next(&parts, &part); values += part.count * n)
        compare_part(&found, &part, reference->tolerance, now + skipped, one->expected + skipped, n, shape.bytes);
      char index[160];
      arc_shape_index(&shape, first + (int64_t)found.element, index, sizeof index);
      const bool single = n == 1 && first == 0;
      if (found.count) tell(reference, argument->name, single ? "" : index, &found, values);
    } else {
      const struct arc_part byte = {.kind = 'x', .bits = 8, .count = 1, .name = ""};
      compare_part(&found, &byte, 0, now, one->expected, entry->range.size, 1);
      char index[48];
      snprintf(index, sizeof index, " byte %zu", found.element);
      tell(reference, entry->name, index, &found, entry->range.size);
    }
  }
  free(now);
}

void arc_reference_compare(void *begun) {
  struct arc_reference *reference = begun;
  arc_device_lock(reference->device);
  for (size_t i = 0; i < reference->count; i++) {
    struct compared *one = &reference->entries[i];
    compare_entry(reference, one);
    free(one->host);
    free(one->expected);
  }
  arc_device_unlock(reference->device);
  const struct arc_region *region = reference->found;
  if (region->nitems) arc_data_end(reference->site, ARC_SYNC, region->nitems, region->items);
  free(reference->entries);
  free(reference);
}
