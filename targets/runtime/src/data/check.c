/* check.c: coherence of host data and its device copies. */
#include "data/check.h"
#include "data/attach.h"
#include "launch/queue.h"
#include "launch/steps.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Information about an entry. */
struct arc_check {
  unsigned char *common; /* what both sides held after the last transfer; bytes that `known` marks */
  unsigned char *known;  /* per byte: a transfer has moved it */
  bool launched;         /* a kernel got it since it was created */
  /*
   * The contents of each side after the last transfer, or when the entry was created: host reads are checked against
   * these.
   */
  unsigned char *host_then, *device_then;
  unsigned char *device_now; /* NULL: a kernel may have changed it since anybody looked */
  arc_site kernel;           /* directive of the last kernel that got it */
  arc_site last;         /* directive of the last transfer */
};

/* The device's contents when an entry was removed: a later copyin of the same bytes is unnecessary. */
struct remembered {
  struct arc_range range;
  unsigned char *bytes;
  arc_site site;
};

struct finding {
  struct finding *next;
  const char *code;
  char *name;
  arc_site site;
  size_t count, bytes;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned checks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct finding *findings;

static void read_environment(void) {
  static const struct {
    const char *word;
    unsigned check;
  } known[] = {{"transfers", ARC_CHECKS_TRANSFERS}, {"kernels", ARC_CHECKS_KERNELS}, {"tasks", ARC_CHECKS_TASKS}};
  const size_t words = sizeof known / sizeof known[0];
  const char *text = getenv("ARC_CHECK");
  while (text && *text) {
    size_t length = strcspn(text, ","), i = 0;
    while (i < words && (strlen(known[i].word) != length || strncmp(text, known[i].word, length) != 0)) i++;
    if (i < words) checks |= known[i].check;
    else if (length)
      arc_warn(NULL, "check",
               "ARC_CHECK=%.*s is not known; transfers checks data movement, kernels what kernels compute, "
               "tasks what tasks do to memory",
               (int)length, text);
    text += length + (text[length] == ',');
  }
}

unsigned arc_checks(void) {
  pthread_once(&once, read_environment);
  return checks;
}

bool arc_check_is_new(const char *code, const arc_site *site, const char *name, size_t bytes) {
  arc_site place = site ? *site : (arc_site){0};
  pthread_mutex_lock(&lock);
  struct finding **end = &findings;
  while (*end && (strcmp((*end)->code, code) != 0 || (*end)->site.line != place.line ||
                  strcmp((*end)->site.file ? (*end)->site.file : "", place.file ? place.file : "") != 0 ||
                  strcmp((*end)->name, name) != 0))
    end = &(*end)->next;
  bool new = !*end;
  if (new) {
    *end = arc_allocate(sizeof **end);
    **end = (struct finding){.code = code, .name = arc_copy_string(name), .site = place};
  }
  (*end)->count++;
  (*end)->bytes += bytes;
  pthread_mutex_unlock(&lock);
  return new;
}

void arc_check_summary(void) {
  while (findings) {
    struct finding *finding = findings;
    findings = finding->next;
    if (finding->count > 1 && finding->bytes)
      arc_warn(&finding->site, finding->code, "%s: %zu times in all, %zu bytes", finding->name, finding->count,
               finding->bytes);
    else if (finding->count > 1)
      arc_warn(&finding->site, finding->code, "%s: %zu times in all", finding->name, finding->count);
    free(finding->name);
    free(finding);
  }
}

/* ---- comparing ---- */

static size_t offset_of(const struct arc_entry *entry, const void *host) {
  return (size_t)((uintptr_t)host - entry->range.start);
}

/* Number of known bytes that differ from the common state; *first is the index of the first. */
static size_t changed(const struct arc_entry *entry, size_t offset, const unsigned char *now, size_t bytes,
                      size_t *first) {
  size_t count = 0;
  const struct arc_check *check = entry->check;
  for (size_t i = 0; i < bytes; i++) {
    if (!check->known[offset + i] || now[i] == check->common[offset + i]) continue;
    if (!count++) *first = i;
  }
  return count;
}

static bool all_known(const struct arc_entry *entry, size_t offset, size_t bytes) {
  return !memchr(entry->check->known + offset, 0, bytes);
}

static void finish_queues(struct arc_device *device) {
  arc_steps_make(device);
  device->backend->finish(device, device->sync);
  for (int i = 0; i <= arc_queue_numbers; i++)
    if (device->queues[i]) device->backend->finish(device, device->queues[i]);
}

unsigned char *arc_check_device_bytes(struct arc_device *device, struct arc_entry *entry, const void *host,
                                      size_t bytes) {
  unsigned char *copy = arc_allocate(bytes);
  finish_queues(device);
  device->backend->read(device, device->sync, copy, arc_present_place(device, device->sync, entry, host), bytes);
  device->backend->finish(device, device->sync);
  arc_attach_mask(device, copy, host, bytes);
  return copy;
}

/* ---- events ---- */

void arc_check_created(struct arc_device *device, struct arc_entry *entry) {
  if (!arc_checking() || entry->unified) return;
  entry->check = arc_allocate(sizeof *entry->check);
  entry->check->common = arc_allocate(entry->range.size);
  entry->check->known = arc_allocate(entry->range.size);
  entry->check->last = entry->site;
  const void *host = (const void *)(uintptr_t)entry->range.start;
  entry->check->host_then = memcpy(arc_allocate(entry->range.size), host, entry->range.size);
  entry->check->device_then = arc_check_device_bytes(device, entry, host, entry->range.size);
}

static void check_first(struct arc_device *device, const struct arc_transfer *transfer, const void *host,
                        size_t bytes) {
  const struct remembered *was =
      (struct remembered *)arc_range_at(&device->present->remembered, (uintptr_t)host);
  if (!was || transfer->implicit || was->range.start != (uintptr_t)host || was->range.size < bytes ||
      memcmp(was->bytes, host, bytes) != 0)
    return;
  if (arc_check_is_new("redundant-transfer", transfer->site, transfer->name, bytes))
    arc_warn(
        transfer->site, "redundant-transfer",
        "%s of %s: the device held these %zu bytes already, until %s:%d; enclose both in one data region",
        transfer->action, transfer->name, bytes, was->site.file ? was->site.file : "?", was->site.line);
}

void arc_check_write(struct arc_device *device, const struct arc_transfer *transfer, struct arc_entry *entry,
                     const void *host, size_t bytes, bool first) {
  if (!entry->check) return;
  if (first) {
    check_first(device, transfer, host, bytes);
    return;
  }
  size_t offset = offset_of(entry, host), at = 0;
  unsigned char *now = arc_check_device_bytes(device, entry, host, bytes);
  size_t newer = changed(entry, offset, now, bytes, &at);
  if (newer && arc_check_is_new("incorrect-transfer", transfer->site, transfer->name, newer))
    arc_warn(transfer->site, "incorrect-transfer",
             "%s of %s: overwrites %zu bytes (the first is byte %zu) that kernels changed on the device "
             "since %s:%d "
             "with older data of the host; update self first",
             transfer->action, transfer->name, newer, at,
             entry->check->last.file ? entry->check->last.file : "?", entry->check->last.line);
  if (!newer && all_known(entry, offset, bytes) && memcmp(now, host, bytes) == 0 && !transfer->implicit &&
      arc_check_is_new("redundant-transfer", transfer->site, transfer->name, bytes))
    arc_warn(transfer->site, "redundant-transfer", "%s of %s: the device holds these %zu bytes already",
             transfer->action, transfer->name, bytes);
  free(now);
}

void arc_check_read(struct arc_device *device, const struct arc_transfer *transfer, struct arc_entry *entry,
                    const void *host, size_t bytes) {
  if (!entry->check) return;
  const struct arc_check *check = entry->check;
  size_t offset = offset_of(entry, host), at = 0;
  size_t newer = changed(entry, offset, host, bytes, &at);
  if (newer && arc_check_is_new("incorrect-transfer", transfer->site, transfer->name, newer))
    arc_warn(transfer->site, "incorrect-transfer",
             "%s of %s: overwrites %zu bytes (the first is byte %zu) that the host changed since %s:%d with "
             "what the "
             "device has; update device first",
             transfer->action, transfer->name, newer, at, check->last.file ? check->last.file : "?",
             check->last.line);
  if (!check->launched && !all_known(entry, offset, bytes) &&
      arc_check_is_new("incorrect-transfer", transfer->site, transfer->name, bytes))
    arc_warn(transfer->site, "incorrect-transfer", "%s of %s: nothing has set the device's copy",
             transfer->action, transfer->name);
  if (newer || !all_known(entry, offset, bytes)) return;
  unsigned char *now = arc_check_device_bytes(device, entry, host, bytes);
  if (memcmp(now, host, bytes) == 0 && !transfer->implicit &&
      arc_check_is_new("redundant-transfer", transfer->site, transfer->name, bytes))
    arc_warn(transfer->site, "redundant-transfer", "%s of %s: the host holds these %zu bytes already",
             transfer->action, transfer->name, bytes);
  free(now);
}

void arc_check_moved(struct arc_device *device, struct arc_entry *entry, const void *host, size_t bytes) {
  if (!entry->check) return;
  finish_queues(device);
  size_t offset = offset_of(entry, host);
  memcpy(entry->check->common + offset, host, bytes);
  memset(entry->check->known + offset, 1, bytes);
  memcpy(entry->check->host_then + offset, host, bytes);
  memcpy(entry->check->device_then + offset, host, bytes);
  free(entry->check->device_now);
  entry->check->device_now = NULL;
}

void arc_check_kernel(struct arc_device *device, const arc_site *site, struct arc_entry *entry) {
  struct arc_check *check = entry->check;
  (void)device;
  if (!check) return;
  free(check->device_now);
  check->device_now = NULL;
  if (site) check->kernel = *site;
  size_t at = 0;
  size_t newer =
      changed(entry, 0, (const unsigned char *)(uintptr_t)entry->range.start, entry->range.size, &at);
  if (newer && arc_check_is_new("missing-transfer", site, entry->name, newer))
    arc_warn(site, "missing-transfer",
             "%s: the host changed %zu bytes (the first is byte %zu) after their last transfer; the kernel "
             "sees the "
             "older ones unless it sets them all: update device first",
             entry->name, newer, at);
  check->launched = true;
}

/* Number of bytes that a kernel has changed while the host still holds the old values. */
static size_t stale_bytes(const struct arc_check *check, size_t offset, const unsigned char *host, size_t bytes) {
  size_t count = 0;
  for (size_t i = offset; i < offset + bytes; i++)
    count += check->device_now[i] != check->device_then[i] && host[i - offset] == check->host_then[i];
  return count;
}

static void host_reads(struct arc_device *device, struct arc_entry *entry, void *host, size_t bytes,
                       const arc_site *site) {
  struct arc_check *check = entry->check;
  const size_t offset = offset_of(entry, host), left = entry->range.size - offset;
  if (bytes > left) bytes = left;
  if (!check->device_now)
    check->device_now = arc_check_device_bytes(device, entry, (const void *)(uintptr_t)entry->range.start,
                                               entry->range.size);
  if (!stale_bytes(check, offset, host, bytes) || !arc_check_is_new("stale-host-read", site, entry->name, bytes))
    return;
  arc_warn(site, "stale-host-read",
           "byte %zu of %s: the host reads what a kernel has changed on the device (%s:%d); update self first",
           offset, entry->name, check->kernel.file ? check->kernel.file : "?", check->kernel.line);
}

void *arc_host_read(void *host, size_t bytes, const char *file, int line, const char *text) {
  if (!arc_checking()) return host;
  struct arc_device *device = arc_device_selection().device;
  if (!device || arc_failing()) return host;
  const arc_site site = {file, line, text};
  arc_device_lock(device);
  struct arc_entry *entry = device->present ? arc_present_at(device, host) : NULL;
  if (entry && entry->check && entry->check->launched) host_reads(device, entry, host, bytes, &site);
  arc_device_unlock(device);
  return host;
}

static void forget(struct arc_device *device, struct remembered *was) {
  arc_range_remove(&device->present->remembered, &was->range);
  free(was->bytes);
  free(was);
}

static void remember(struct arc_device *device, const arc_site *site, const struct arc_entry *entry,
                     unsigned char *bytes) {
  struct arc_range *old;
  while ((old = arc_range_touching(&device->present->remembered, entry->range.start, entry->range.size)))
    forget(device, (struct remembered *)old);
  struct remembered *was = arc_allocate(sizeof *was);
  was->range = (struct arc_range){.start = entry->range.start, .size = entry->range.size};
  was->bytes = bytes;
  if (site) was->site = *site;
  arc_range_insert(&device->present->remembered, &was->range);
}

void arc_check_removed(struct arc_device *device, const struct arc_transfer *transfer,
                       struct arc_entry *entry, bool kept) {
  struct arc_check *check = entry->check;
  if (!check) return;
  const void *host = (const void *)(uintptr_t)entry->range.start;
  unsigned char *now = arc_check_device_bytes(device, entry, host, entry->range.size);
  size_t at = 0;
  size_t lost = kept ? 0 : changed(entry, 0, now, entry->range.size, &at);
  if (lost && arc_check_is_new("dropped-result", transfer->site, transfer->name, lost))
    arc_warn(transfer->site, "dropped-result",
             "%s: kernels changed %zu bytes (the first is byte %zu) that %s does not bring back to the host",
             transfer->name, lost, at, transfer->action);
  remember(device, transfer->site, entry, now);
}

void arc_check_free(struct arc_entry *entry) {
  if (!entry->check) return;
  free(entry->check->host_then);
  free(entry->check->device_then);
  free(entry->check->device_now);
  free(entry->check->common);
  free(entry->check->known);
  free(entry->check);
  entry->check = NULL;
}

void arc_check_close(struct arc_device *device) {
  while (device->present->remembered.root)
    forget(device, (struct remembered *)device->present->remembered.root);
}
