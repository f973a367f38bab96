/*
 * What `arc` starts where it could be compiled. It answers a build with nothing to do in the time needed to compare its
 * stamps; Node alone would need ten times that to start. Everything else is left to Node: `launcher SCRIPT ARGUMENT...`
 * becomes `node SCRIPT ARGUMENT...`. As soon as one stamp differs Node starts, while the remaining stamps are compared
 * in parallel; ARC_CHECKED=PIPE,STAMPS names the descriptors from which Node reads what was found. If the change leaves
 * the graph as it is, Node starts from a snapshot of its memory beside the script, which already contains arc, and so
 * does each `arc check`, and each `arc cc` that no resident compiler runs (scripts/startup-snapshot.mjs, resident.c).
 *
 * Does the same as lookForChanges (no-op.ts) and checkUpToDate (up-to-date.ts), and where it is not sure, nothing.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include "../../core/build/native/stat-row.h"
#include "../../core/build/native/word-sum.h"
#include "resident.h"

/* From up-to-date.ts. */
#define MAGIC 0x6172630b
enum { ROWS = 1, DEPENDS = 2, TEXT_BYTES = 3, COLD_BYTES = 6, BOOT = 9, SUM = 10, HEADER_DOUBLES = 11, ROW_DOUBLES = 4 };
#define ABSENT -1
#define ANY -1

/* From stamp-patch.ts. */
#define PATCH_MAGIC 0x61726370
struct patch {
  uint32_t magic, bytes, checksum, zero;
};
struct patched_row {
  uint32_t row, flags;
  double stamp[ROW_DOUBLES];
  unsigned char digest[32];
};

struct stamps {
  int file, folder;
  size_t count;
  /* The first `depends` paths decide what there is to build. */
  size_t depends;
  double *rows;
  const char *summary, *paths;
};

/* The same as in no-op.ts. */
static const char *const decisive[] = {"PATH", "HOME", "CC", "ARC_CC", "ARC_STORE", "XDG_CACHE_HOME"};

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/* Whether a call may be answered from memory, and by this program. */
static bool is_plain_build(char **arguments) {
  if (*arguments == NULL || strcmp(*arguments, "build") != 0) return false;
  for (char **at = arguments; *at != NULL; at++) {
    if (starts_with(*at, "-C") || starts_with(*at, "--directory")) return false;
    if (strcmp(*at, "--json") == 0 || strcmp(*at, "--force") == 0) return false;
    if (strcmp(*at, "-n") == 0 || strcmp(*at, "--dry-run") == 0 || starts_with(*at, "--trace") || starts_with(*at, "--sarif") ||
        starts_with(*at, "--code-quality")) return false;
  }
  return true;
}

/* Whether it is a call of `arc cc` or `arc check`, but not for its help, which arc.cjs prints. */
static bool is_compilation(char **arguments) {
  if (*arguments == NULL) return false;
  if (strcmp(*arguments, "cc") == 0)
    return arguments[1] == NULL || arguments[2] != NULL || strcmp(arguments[1], "--help") != 0;
  if (strcmp(*arguments, "check") != 0) return false;
  for (char **at = arguments + 1; *at != NULL; at++)
    if (strcmp(*at, "--help") == 0 || strcmp(*at, "-h") == 0) return false;
  return true;
}

/*
 * The kind of call, as contextOf makes it. Node replaces invalid UTF-8 by U+FFFD, so a call with such bytes never
 * matches a kind that Node wrote stamps for.
 */
static char *context_of(char **arguments, const char *cwd) {
  char *context = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&context, &size);
  if (out == NULL) return NULL;
  fputs(ARC_BUILD, out);
  for (char **at = arguments; *at != NULL; at++) fprintf(out, "\n%s", *at);
  fprintf(out, "\n%s", cwd);
  for (size_t at = 0; at < sizeof decisive / sizeof *decisive; at++) {
    const char *value = getenv(decisive[at]);
    fprintf(out, "\n%s=%s", decisive[at], value == NULL ? "" : value);
  }
  return fclose(out) == 0 ? context : NULL;
}

/* Opens the nearest folder upwards with an arc.yaml. */
static int open_project(const char *cwd) {
  char folder[PATH_MAX], file[PATH_MAX + sizeof "/arc.yaml"];
  strcpy(folder, cwd);
  for (;;) {
    snprintf(file, sizeof file, "%s/arc.yaml", folder);
    if (access(file, F_OK) == 0) return open(*folder == '\0' ? "/" : folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (*folder == '\0') return -1;
    *strrchr(folder, '/') = '\0';
  }
}

/* The text after the next NUL in a text that ends at `end`; NULL if there is none. */
static const char *after(const char *word, const char *end) {
  const char *nul = memchr(word, '\0', (size_t)(end - word));
  return nul == NULL ? NULL : nul + 1;
}

static size_t aligned_to_8(size_t bytes) { return (bytes + 7) / 8 * 8; }

/* Applies the changes at the end of the file as far as they are intact. */
static void apply_patches(struct stamps *stamps, char *memory, size_t at, size_t size) {
  if (at >= size || mprotect(memory, size, PROT_READ | PROT_WRITE) != 0) return;
  while (at + sizeof(struct patch) <= size) {
    const struct patch *patch = (const struct patch *)(const void *)(memory + at);
    if (patch->magic != PATCH_MAGIC || patch->zero != 0 || patch->bytes < sizeof *patch || patch->bytes > size - at) return;
    size_t rows = (patch->bytes - sizeof *patch) / sizeof(struct patched_row);
    if (patch->bytes != sizeof *patch + rows * sizeof(struct patched_row)) return;
    if (word_sum(patch + 1, patch->bytes - sizeof *patch, SUM_SEED) != patch->checksum) return;
    const struct patched_row *changed = (const struct patched_row *)(patch + 1);
    for (size_t row = 0; row < rows; row++)
      if (changed[row].row < stamps->count) memcpy(stamps->rows + ROW_DOUBLES * changed[row].row, changed[row].stamp, sizeof changed->stamp);
    at += patch->bytes;
  }
}

/* Identity of the machine's current boot, as in boot.ts. */
static double boot_identity(void) {
  char name[14] = "";
  unsigned high = 0, low = 0;
  int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t size = read(file, name, sizeof name - 1);
  close(file);
  return size > 0 && sscanf(name, "%8x-%4x", &high, &low) == 2 ? (double)high * 65536 + low : 0;
}

/* Whether the environment has the values of lines `NAME=value` or, for one that was not set, `NAME` (graph-variables.ts). */
static bool have_values(const char *lines) {
  while (*lines != '\0') {
    size_t size = strcspn(lines, "\n"), name = strcspn(lines, "=\n");
    char *key = strndup(lines, name);
    const char *value = key == NULL ? NULL : getenv(key);
    free(key);
    bool is_set = name < size;
    if (key == NULL || is_set != (value != NULL)) return false;
    if (is_set && (strlen(value) != size - name - 1 || strncmp(value, lines + name + 1, size - name - 1) != 0)) return false;
    lines += size;
    if (*lines == '\n') lines++;
  }
  return true;
}

static bool open_stamps(struct stamps *stamps, const char *context) {
  uint32_t hash = 0x811c9dc5;
  for (const char *at = context; *at != '\0'; at++) hash = (hash ^ (unsigned char)*at) * 0x01000193;
  char name[sizeof ".arc/stamps/00000000.bin"];
  snprintf(name, sizeof name, ".arc/stamps/%08x.bin", hash);
  /* O_NONBLOCK: opening a named pipe would wait for a writer. */
  stamps->file = openat(stamps->folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat found;
  if (stamps->file < 0 || fstat(stamps->file, &found) != 0 || found.st_size < (off_t)(HEADER_DOUBLES * 8)) return false;
  size_t size = (size_t)found.st_size;
  /* The mapping stays valid: the file is only replaced by rename or appended to. */
  double *header = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, stamps->file, 0);
  if (header == MAP_FAILED || header[0] != MAGIC || header[BOOT] != boot_identity()) return false;
  double rows = header[ROWS], bytes = header[TEXT_BYTES], cold = header[COLD_BYTES];
  if (!(rows >= 0 && rows < 1 << 28 && bytes > 0 && bytes < INT_MAX && cold >= 0 && cold < (double)size)) return false;
  stamps->count = (size_t)rows;
  stamps->depends = (size_t)header[DEPENDS];
  stamps->rows = header + HEADER_DOUBLES;
  const char *text = (const char *)(stamps->rows + ROW_DOUBLES * stamps->count), *end = text + (size_t)bytes;
  if (end > (const char *)header + size || end[-1] != '\0' || strcmp(text, context) != 0) return false;
  size_t hot = aligned_to_8((size_t)(end - (const char *)header)), written = aligned_to_8(hot + (size_t)cold);
  if (written > size) return false;
  uint32_t sum = word_sum(stamps->rows, hot - HEADER_DOUBLES * 8, word_sum(header, SUM * 8, SUM_SEED));
  if (sum != header[SUM]) return false;
  apply_patches(stamps, (char *)header, written, size);
  stamps->summary = after(text, end);
  const char *carry = stamps->summary == NULL ? NULL : after(stamps->summary, end);
  const char *variables = carry == NULL ? NULL : after(carry, end);
  stamps->paths = variables == NULL ? NULL : after(variables, end);
  if (stamps->paths == NULL || !have_values(variables)) return false;
  size_t paths = 0;
  for (const char *at = stamps->paths; at < end; at = after(at, end)) paths++;
  return paths == stamps->count;
}

static bool is_same(const double *stamp, const double *now) {
  if (stamp[0] == ANY) return now[3] != ABSENT && (stamp[2] == ANY || now[2] == stamp[2]);
  return now[0] == stamp[0] && now[1] == stamp[1] && now[2] == stamp[2] && now[3] == stamp[3];
}

static void tell(FILE *out, double value) { fwrite(&value, sizeof value, 1, out); }

/* Compares the rest beside Node and writes what differs to the pipe: the time, rows with their numbers, and -1 at the
 * end. */
static void compare_rest(const struct stamps *stamps, size_t row, const char *path, double time, int pipe) {
  FILE *out = fdopen(pipe, "w");
  if (out == NULL) return;
  tell(out, time);
  for (; row < stamps->count; row++, path += strlen(path) + 1) {
    double now[ROW_DOUBLES];
    stat_row(stamps->folder, path, now);
    if (is_same(stamps->rows + row * ROW_DOUBLES, now)) continue;
    tell(out, (double)row);
    fwrite(now, sizeof now, 1, out);
  }
  tell(out, -1);
  fflush(out);
}

/* Lets another process compare the rest. Neither Node nor whoever waits for Node has to wait for it. */
static void hand_over(const struct stamps *stamps, size_t row, const char *path, double time) {
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0) return;
  /* Like fork(), but its end sends no signal: it is not one of the children that native/strays.c asks about. */
  if (syscall(SYS_clone, 0, NULL, NULL, NULL, NULL) == 0) {
    /* Closed so that whoever reads Node's output does not wait for this process, either. */
    for (int descriptor = 0; descriptor <= 2; descriptor++) close(descriptor);
    close(pipe[0]);
    compare_rest(stamps, row, path, time, pipe[1]);
    _exit(0);
  }
  char names[32];
  snprintf(names, sizeof names, "%d,%d", pipe[0], stamps->file);
  fcntl(pipe[0], F_SETFD, 0);
  fcntl(stamps->file, F_SETFD, 0);
  setenv("ARC_CHECKED", names, 1);
}

/* UNCHANGED: everything is as the last call of this kind left it, and that was printed. CHANGED: something changed, but
 * nothing that decides the graph. */
enum answer { UNCHANGED, CHANGED, UNKNOWN };

static enum answer answer(char **arguments) {
  char cwd[PATH_MAX];
  struct stamps stamps;
  if (!is_plain_build(arguments) || getcwd(cwd, sizeof cwd) == NULL || *cwd != '/') return UNKNOWN;
  if (strcmp(cwd, "/") == 0) return UNKNOWN;
  const char *context = context_of(arguments, cwd);
  stamps.folder = context == NULL ? -1 : open_project(cwd);
  if (stamps.folder < 0 || !open_stamps(&stamps, context)) return UNKNOWN;
  struct timespec clock;
  clock_gettime(CLOCK_REALTIME, &clock);
  double time = (double)(int64_t)milliseconds(clock);
  const char *path = stamps.paths;
  for (size_t row = 0; row < stamps.count; row++, path += strlen(path) + 1) {
    double now[ROW_DOUBLES];
    stat_row(stamps.folder, path, now);
    if (is_same(stamps.rows + row * ROW_DOUBLES, now)) continue;
    hand_over(&stamps, row, path, time);
    return row < stamps.depends ? UNKNOWN : CHANGED;
  }
  size_t size = strlen(stamps.summary);
  return size == 0 || write(STDERR_FILENO, stamps.summary, size) == (ssize_t)size ? UNCHANGED : UNKNOWN;
}

/* Finds node on PATH. */
static bool find_node(char found[PATH_MAX]) {
  const char *path = getenv("PATH");
  for (const char *at = path; at != NULL; at = strchr(at, ':') == NULL ? NULL : strchr(at, ':') + 1) {
    struct stat state;
    int size = snprintf(found, PATH_MAX, "%.*s/node", (int)strcspn(at, ":"), at);
    if (*found != '/' || size >= PATH_MAX || access(found, X_OK) != 0) continue;
    if (stat(found, &state) == 0 && S_ISREG(state.st_mode)) return true;
  }
  return false;
}

/*
 * Identifies, in a line, what can start a snapshot: this Node, this kind of processor, and the script at its path. Any
 * other Node or processor would refuse the snapshot and exit.
 */
static char *snapshot_identity(const char *node, const char *script) {
  struct stat state;
  char *where = realpath(script, NULL), *identity = NULL;
  size_t size;
  FILE *out = open_memstream(&identity, &size);
  if (out == NULL || where == NULL || stat(node, &state) != 0) return NULL;
  fprintf(out, "%s %s %s", ARC_BUILD, SNAPSHOT_FLAGS, COMPILER_FLAGS);
  fprintf(out, " %lld %lld.%09ld", (long long)state.st_size, (long long)state.st_mtim.tv_sec, state.st_mtim.tv_nsec);
  fprintf(out, " %lx %lx", getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
#if defined(__x86_64__)
  static const unsigned leaves[] = {1, 7, 0x80000001};
  for (size_t at = 0; at < sizeof leaves / sizeof *leaves; at++) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __get_cpuid_count(leaves[at], 0, &a, &b, &c, &d);
    /* The second word of the first leaf names the core that happens to run this. */
    fprintf(out, " %x.%x.%x.%x", a, leaves[at] == 1 ? 0 : b, c, d);
  }
#endif
  fprintf(out, " %s\n", where);
  return fclose(out) == 0 ? identity : NULL;
}

/* Becomes Node with arc already in its memory, as in the snapshot of this name, which was made under these flags; returns
 * if that is impossible. */
static void start_from_snapshot(const char *name, char *flags, int count, char **arguments) {
  /* Variables that Node itself or parts of arc read while loading. */
  static const char *const early[] = {"NODE_OPTIONS", "NODE_V8_COVERAGE", "ARC_NATIVE"};
  for (size_t at = 0; at < sizeof early / sizeof *early; at++) if (getenv(early[at]) != NULL) return;
  char node[PATH_MAX], snapshot[PATH_MAX], about[PATH_MAX], kept[2 * PATH_MAX];
  const char *script = arguments[1], *end = strrchr(script, '/');
  int folder = end == NULL ? -1 : (int)(end - script);
  if (folder < 0 || snprintf(about, PATH_MAX, "%.*s/%s.snapshot.id", folder, script, name) >= PATH_MAX) return;
  snprintf(snapshot, PATH_MAX, "%.*s/%s.snapshot", folder, script, name);
  int file = open(about, O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? -1 : read(file, kept, sizeof kept - 1);
  if (size <= 0 || !find_node(node)) return;
  kept[size] = '\0';
  const char *identity = snapshot_identity(node, script);
  if (identity == NULL || strcmp(identity, kept) != 0) return;
  char *all[count + 32], **at = all;
  *at++ = "node";
  for (char *flag = strtok(flags, " "); flag != NULL && at < all + 16; flag = strtok(NULL, " ")) *at++ = flag;
  *at++ = "--snapshot-blob";
  *at++ = snapshot;
  /* Includes the terminating NULL. */
  memcpy(at, arguments + 1, (size_t)count * sizeof *at);
  execv(node, all);
}

/* Becomes a resident compiler. */
static void become_resident(char *script) {
  char flags[] = COMPILER_FLAGS, *arguments[] = {"node", script, "cc", NULL};
  start_from_snapshot("cc", flags, 3, arguments);
  execvp("node", arguments);
}

/* Else the next files and pipes would take their numbers, and receive what is meant for the user. */
static void open_standard_streams(void) {
  for (int stream = 0; stream <= 2; stream += 1)
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDWR);
}

int main(int count, char **arguments) {
  open_standard_streams();
  if (count < 2) return 2;
  if (count == 3 && strcmp(arguments[1], "--identify") == 0) {
    char node[PATH_MAX];
    const char *identity = find_node(node) ? snapshot_identity(node, arguments[2]) : NULL;
    return identity == NULL || fputs(identity, stdout) < 0;
  }
  unsetenv("ARC_CHECKED");
  enum answer found = answer(arguments + 2);
  if (found == UNCHANGED) return 0;
  char after_change[] = SNAPSHOT_FLAGS, compiling[] = COMPILER_FLAGS;
  if (found == CHANGED) start_from_snapshot("arc", after_change, count, arguments);
  if (is_compilation(arguments + 2)) {
    int status = ask_resident(arguments[1], arguments + 2, become_resident);
    if (status != UNANSWERED) return status;
    start_from_snapshot("cc", compiling, count, arguments);
  }
  arguments[0] = "node";
  execvp("node", arguments);
  perror("arc: `node` cannot be started");
  fputs("  try: install Node 20.11 or later, or add the folder that has it to PATH\n", stderr);
  return 127;
}
