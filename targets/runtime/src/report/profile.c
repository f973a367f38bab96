/* profile.c: rows by source location, and the table or document made of them. */
#define _POSIX_C_SOURCE 200809L
#include "report/profile.h"
#include "report/energy.h"
#include "report/text.h"
#include "report/trace.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arc_profile_row {
  struct arc_profile_row *next;
  char *device;
  bool is_launch;
  char *name;      /* a kernel, "x[0:n]" */
  char *how;       /* a transfer: "copyin"; a kernel: its region */
  char *direction; /* of a transfer: "host to device" */
  char *file, *what;
  int line;
  uint64_t count, bytes;
  double seconds, least, most;
  struct arc_operations operations;
  double memory_rate;                 /* of the device, bytes a second; 0: unknown */
  struct arc_operations compute_rate; /* likewise, operations a second */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct arc_profile_row *rows; /* what was asked for last first */
static FILE *document;               /* NULL: a table */
static bool wanted; /* until it is told; who began to count before may go on, so rows stay */
static double opened;

static void open_profile(void) {
  const char *text = getenv("ARC_PROFILE");
  if (!text || !*text || strcmp(text, "0") == 0) return;
  size_t length = strlen(text);
  const bool is_file = length > 5 && strcmp(text + length - 5, ".json") == 0;
  if (!is_file && strcmp(text, "1") != 0)
    arc_fail(NULL, "profile", "write ARC_PROFILE=1 for a table on standard error, or a name that ends in .json",
             "ARC_PROFILE=%s is neither 1 nor a file for JSON", text);
  if (is_file) {
    char *name = arc_trace_file_name(text);
    document = fopen(name, "we");
    if (!document)
      arc_fail(NULL, "profile", "ARC_PROFILE is the file to write", "ARC_PROFILE=%s cannot be written: %s", name,
               strerror(errno));
    free(name);
  }
  opened = arc_trace_now();
  wanted = true;
}

bool arc_profiling(void) {
  pthread_once(&once, open_profile);
  return wanted;
}

/* ---- counting ---- */

static char *copy(const char *string) { return string ? arc_copy_string(string) : NULL; }
static bool same(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool is(const struct arc_profile_row *row, const struct arc_profile_row *other) {
  return row->is_launch == other->is_launch && row->line == other->line && same(row->name, other->name) &&
         same(row->how, other->how) && same(row->direction, other->direction) && same(row->file, other->file) &&
         same(row->what, other->what) && same(row->device, other->device);
}

/* The existing row that equals this one. */
static struct arc_profile_row *row_of(struct arc_profile_row key) {
  pthread_mutex_lock(&lock);
  struct arc_profile_row **place = &rows;
  while (*place && !is(*place, &key)) place = &(*place)->next;
  struct arc_profile_row *row = *place;
  if (row) {
    *place = row->next;
  } else {
    row = arc_allocate(sizeof *row);
    *row = key;
    row->device = copy(key.device);
    row->name = copy(key.name);
    row->how = copy(key.how);
    row->direction = copy(key.direction);
    row->file = copy(key.file);
    row->what = copy(key.what);
  }
  row->next = rows;
  rows = row;
  pthread_mutex_unlock(&lock);
  return row;
}

static struct arc_profile_row at(const struct arc_device *device, const arc_site *site) {
  struct arc_profile_row key = {.device = device->name, .memory_rate = device->memory_rate, .compute_rate = device->compute_rate};
  if (!site || !site->file) return key;
  key.file = (char *)site->file;
  key.what = (char *)site->what;
  key.line = site->line;
  return key;
}

struct arc_profile_row *arc_profile_launch(const struct arc_device *device, const arc_site *site,
                                           const char *region, const char *kernel) {
  struct arc_profile_row key = at(device, site);
  key.is_launch = true;
  key.name = (char *)kernel;
  key.how = (char *)region;
  return row_of(key);
}

struct arc_profile_row *arc_profile_transfer(const struct arc_device *device, const char *direction,
                                             const arc_site *site, const char *action, const char *name) {
  struct arc_profile_row key = at(device, site);
  key.name = (char *)name;
  key.how = (char *)action;
  key.direction = (char *)direction;
  return row_of(key);
}

void arc_profile_count(struct arc_profile_row *row, double seconds, size_t bytes, struct arc_operations operations) {
  pthread_mutex_lock(&lock);
  if (row->count == 0 || seconds < row->least) row->least = seconds;
  if (seconds > row->most) row->most = seconds;
  row->seconds += seconds;
  row->bytes += bytes;
  row->operations.single += operations.single;
  row->operations.wide += operations.wide;
  row->count++;
  pthread_mutex_unlock(&lock);
}

/* ---- report ---- */

/* A region's name is its function and a digest: main_1a2b3c4d. */
static int function_length(const char *region) {
  const size_t length = strlen(region), digest = 8;
  if (length <= digest + 1 || region[length - digest - 1] != '_') return (int)length;
  for (size_t i = length - digest; i < length; i++)
    if (!strchr("0123456789abcdef", region[i])) return (int)length;
  return (int)(length - digest - 1);
}

static int by_time(const void *a, const void *b) {
  const struct arc_profile_row *one = *(struct arc_profile_row *const *)a;
  const struct arc_profile_row *other = *(struct arc_profile_row *const *)b;
  int device = strcmp(one->device, other->device);
  return device ? device : (one->seconds < other->seconds) - (one->seconds > other->seconds);
}

/* All rows, by device, those that took longest first; the caller frees it. */
static struct arc_profile_row **sorted(size_t *count) {
  size_t n = 0;
  for (struct arc_profile_row *row = rows; row; row = row->next) n++;
  struct arc_profile_row **all = arc_allocate((n + 1) * sizeof *all);
  *count = n;
  for (struct arc_profile_row *row = rows; row; row = row->next) all[--n] = row;
  qsort(all, *count, sizeof *all, by_time);
  return all;
}

static void add_scaled(struct arc_text *text, double value, double factor, const char *const *units, size_t n) {
  size_t unit = 0;
  while (unit + 1 < n && value >= 999.95) {
    value /= factor;
    unit++;
  }
  arc_text_add(text, "%8.*f %-4s", unit == 0 && factor > 1 && value == (double)(long)value ? 0 : 2, value, units[unit]);
}

static void add_time(struct arc_text *text, double seconds) {
  add_scaled(text, seconds * 1e6, 1000, (const char *const[]){"us", "ms", "s"}, 3);
}

static void add_bytes(struct arc_text *text, double bytes) {
  add_scaled(text, bytes, 1000, (const char *const[]){"B", "kB", "MB", "GB", "TB"}, 5);
}

static void add_rate(struct arc_text *text, const struct arc_profile_row *row) {
  if (row->bytes && row->seconds > 0)
    arc_text_add(text, "%8.2f GB/s", (double)row->bytes / row->seconds * 1e-9);
  else
    arc_text_add(text, "%13s", "");
  if (row->is_launch && row->bytes && row->seconds > 0 && row->memory_rate > 0)
    arc_text_add(text, "%6.1f %%", 100 * (double)row->bytes / row->seconds / row->memory_rate);
  else
    arc_text_add(text, "%8s", "");
}

static double operations_of(const struct arc_profile_row *row) { return row->operations.single + row->operations.wide; }

/* Peak operations per second of the device for numbers of these sizes; 0: unknown. */
static double compute_rate(const struct arc_profile_row *row) {
  const struct arc_operations all = row->operations, most = row->compute_rate;
  if ((all.single > 0 && most.single <= 0) || (all.wide > 0 && most.wide <= 0)) return 0;
  double seconds = 0;
  if (all.single > 0) seconds += all.single / most.single;
  if (all.wide > 0) seconds += all.wide / most.wide;
  return seconds > 0 ? operations_of(row) / seconds : 0;
}

static void add_operations(struct arc_text *text, const struct arc_profile_row *row) {
  const double rate = row->seconds > 0 ? operations_of(row) / row->seconds : 0, most = compute_rate(row);
  if (rate > 0)
    add_scaled(text, rate * 1e-6, 1000, (const char *const[]){"MF/s", "GF/s", "TF/s"}, 3);
  else
    arc_text_add(text, "%13s", "");
  if (rate > 0 && most > 0)
    arc_text_add(text, "%6.1f %%", 100 * rate / most);
  else
    arc_text_add(text, "%8s", "");
}

static void add_place(struct arc_text *text, const struct arc_profile_row *row) {
  if (row->is_launch)
    arc_text_add(text, "  kernel %s", row->name);
  else
    arc_text_add(text, "  %s %s, %s", row->how, row->name ? row->name : "", row->direction);
  if (row->file) arc_text_add(text, ", %s:%d", row->file, row->line);
  if (row->file && row->what) arc_text_add(text, " (%s)", row->what);
  if (row->is_launch) arc_text_add(text, " in %.*s", function_length(row->how), row->how);
  arc_text_add(text, "\n");
}

/* The rows of one device. */
static void add_device(struct arc_text *text, struct arc_profile_row *const *all, size_t n) {
  double launches = 0, transfers = 0;
  for (size_t i = 0; i < n; i++) *(all[i]->is_launch ? &launches : &transfers) += all[i]->seconds;
  arc_text_add(text, "arc: profile of %s: %.3f ms in launches and %.3f ms in transfers, %.3f ms since it was opened\n",
               all[0]->device, launches * 1e3, transfers * 1e3, (arc_trace_now() - opened) * 1e-3);
  arc_text_add(text, "%13s%8s%9s%13s%13s%13s%13s%13s%8s%13s%8s  what\n", "time    ", "share", "count", "average    ",
               "least    ", "most    ", "bytes    ", "rate    ", "of peak", "FLOP/s  ", "of peak");
  for (size_t i = 0; i < n; i++) {
    const struct arc_profile_row *row = all[i];
    const double total = launches + transfers;
    add_time(text, row->seconds);
    arc_text_add(text, "%6.1f %%%9llu", total > 0 ? 100 * row->seconds / total : 0, (unsigned long long)row->count);
    add_time(text, row->count ? row->seconds / (double)row->count : 0);
    add_time(text, row->least);
    add_time(text, row->most);
    if (row->bytes)
      add_bytes(text, (double)row->bytes);
    else
      arc_text_add(text, "%13s", "");
    add_rate(text, row);
    add_operations(text, row);
    add_place(text, row);
  }
}

static void add_string(struct arc_text *text, const char *key, const char *value) {
  if (!value) return;
  arc_text_add(text, ",\"%s\":", key);
  arc_trace_add_string(text, value);
}

static void add_object(struct arc_text *text, const struct arc_profile_row *row) {
  arc_text_add(text, "{\"kind\":\"%s\"", row->is_launch ? "launch" : "transfer");
  add_string(text, "device", row->device);
  add_string(text, row->is_launch ? "kernel" : "variable", row->name);
  add_string(text, row->is_launch ? "region" : "action", row->how);
  add_string(text, "direction", row->direction);
  add_string(text, "file", row->file);
  if (row->file) arc_text_add(text, ",\"line\":%d", row->line);
  add_string(text, "directive", row->what);
  if (row->is_launch) {
    arc_text_add(text, ",\"function\":\"%.*s\"", function_length(row->how), row->how);
    if (row->memory_rate > 0) arc_text_add(text, ",\"peak\":%.9g", row->memory_rate);
    if (operations_of(row) > 0) arc_text_add(text, ",\"operations\":%.9g", operations_of(row));
    if (compute_rate(row) > 0) arc_text_add(text, ",\"compute\":%.9g", compute_rate(row));
  }
  if (row->bytes) arc_text_add(text, ",\"bytes\":%llu", (unsigned long long)row->bytes);
  arc_text_add(text, ",\"count\":%llu,\"seconds\":%.9g,\"least\":%.9g,\"most\":%.9g}",
               (unsigned long long)row->count, row->seconds, row->least, row->most);
}

static void add_energies(struct arc_text *text, const struct arc_energy *energies, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const struct arc_energy *energy = &energies[i];
    arc_text_add(text, i ? ",\n{" : ",\"energy\":[\n{");
    arc_text_add(text, "\"device\":");
    arc_trace_add_string(text, energy->device);
    add_string(text, "missing", energy->missing);
    if (!energy->missing)
      arc_text_add(text, ",\"joules\":%.9g,\"seconds\":%.9g,\"step\":%.9g", energy->joules, energy->seconds, energy->step);
    arc_text_add(text, i + 1 < n ? "}" : "}]");
  }
}

static void add_document(struct arc_text *text, struct arc_profile_row *const *all, size_t n, const struct arc_energy *energies,
                         size_t nenergies, bool failed) {
  arc_text_add(text, "{\"type\":\"profile\",\"failed\":%s,\"seconds\":%.9g,\"rows\":[", failed ? "true" : "false",
               (arc_trace_now() - opened) * 1e-6);
  for (size_t i = 0; i < n; i++) {
    arc_text_add(text, i ? ",\n" : "\n");
    add_object(text, all[i]);
  }
  arc_text_add(text, "\n]");
  add_energies(text, energies, nenergies);
  arc_text_add(text, "}\n");
}

static void add_energy_line(struct arc_text *text, const struct arc_energy *energy) {
  if (energy->missing)
    arc_text_add(text, "arc: the energy of %s is not known: %s\n", energy->device, energy->missing);
  else
    arc_text_add(text,
                 "arc: energy of %s: %.4g J in %.3f s, from the first launch to the end of the last one, as NVML counts it in "
                 "steps of %.0f ms\n",
                 energy->device, energy->joules, energy->seconds, energy->step * 1e3);
}

static void add_table(struct arc_text *text, struct arc_profile_row *const *all, size_t n, const struct arc_energy *energies,
                      size_t nenergies, bool failed) {
  if (n == 0) arc_text_add(text, "arc: profile: nothing was launched or transferred\n");
  for (size_t from = 0, to; from < n; from = to) {
    for (to = from; to < n && same(all[to]->device, all[from]->device);) to++;
    add_device(text, all + from, to - from);
  }
  if (n > 0)
    arc_text_add(text,
                 "arc: bytes of a kernel are those of the arrays that it was passed, as if each were touched once\n");
  for (size_t i = 0; i < nenergies; i++) add_energy_line(text, &energies[i]);
  if (failed) arc_text_add(text, "arc: the program failed: what was under way then is not in the profile\n");
}

void arc_profile_report(bool failed) {
  pthread_mutex_lock(&lock);
  if (!wanted) {
    pthread_mutex_unlock(&lock);
    return;
  }
  wanted = false;
  size_t n = 0, nenergies = 0;
  struct arc_profile_row **all = sorted(&n);
  struct arc_energy *energies = failed ? NULL : arc_energy_stop(&nenergies);
  struct arc_text text = {0};
  if (document)
    add_document(&text, all, n, energies, nenergies, failed);
  else
    add_table(&text, all, n, energies, nenergies, failed);
  FILE *out = document ? document : stderr;
  fflush(stdout);
  fwrite(text.bytes, 1, text.length, out);
  if (document ? fclose(document) : fflush(stderr))
    arc_warn(NULL, "profile", "ARC_PROFILE's file was not written: %s", strerror(errno));
  arc_text_free(&text);
  free(energies);
  free(all);
  pthread_mutex_unlock(&lock);
}
