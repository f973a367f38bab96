/* error.h: how the runtime reports failures, and how back ends give reasons. */
#ifndef ARC_ERROR_H
#define ARC_ERROR_H
#include "arcrt.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Prints `file:line: error[code]: directive: message`, then the reason and the remedy (NULL: none), and
 * ends the program through exit(1), so that its own exit handlers run and its output is flushed.
 */
_Noreturn void arc_fail(const arc_site *, const char *code, const char *remedy, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Tells tools which device the next arc_fail of this thread is about. */
struct arc_device;
void arc_fails(const struct arc_device *);
void arc_warn(const arc_site *, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Shown when ARC_VERBOSE is set to 1 or more. */
void arc_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* ARC_VERBOSE: 0 (unset) to 2. */
int arc_verbosity(void);
/* The program is ending because of an error: devices must not be touched again. */
bool arc_failing(void);
/* The program is in its exit handlers, where exit() must not be called again. */
void arc_exiting(void);

/* Records why the back-end call that returns false failed; per thread. Returns false. */
bool arc_because(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *arc_reason(void);

/* Versions of malloc that end the program if the host has no memory left. */
void *arc_allocate(size_t bytes); /* zeroed */
void *arc_resize(void *, size_t bytes);
char *arc_copy_string(const char *);
/* The bytes that an object takes in a row of objects of any type. */
static inline size_t arc_aligned(size_t bytes) {
  return (bytes + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

#endif
