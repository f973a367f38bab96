/*
 * profile.h: what ARC_PROFILE asks for: each kernel and each transfer with how often it ran, how long it took and how many
 * bytes it moved, told when the program ends. ARC_PROFILE=1 is a table on standard error, ARC_PROFILE=FILE.json a document
 * for programs (`%p` in it becomes the process id).
 */
#ifndef ARC_PROFILE_H
#define ARC_PROFILE_H
#include "device/device.h"

bool arc_profiling(void);

/* One kernel of one place of the program, or one transfer of one variable there. */
struct arc_profile_row;
struct arc_profile_row *arc_profile_launch(const struct arc_device *, const arc_site *, const char *region,
                                           const char *kernel);
struct arc_profile_row *arc_profile_transfer(const struct arc_device *, const char *direction, const arc_site *,
                                             const char *action, const char *name);
/* It ran once more. */
void arc_profile_count(struct arc_profile_row *, double seconds, size_t bytes, struct arc_operations);

/* At the end of the program, when devices are closed; `failed`: work that was under way is not in it. */
void arc_profile_report(bool failed);

#endif
