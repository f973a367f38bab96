/*
 * profile.h: ARC_PROFILE: reports, at the end of the program, for each kernel and transfer how often it ran, how long
 * it took and how many bytes it moved. ARC_PROFILE=1 prints a table on standard error, ARC_PROFILE=FILE.json writes a
 * document for programs (`%p` in it becomes the process id). For GPUs that count their energy (energy.h), it has that, too.
 */
#ifndef ARC_PROFILE_H
#define ARC_PROFILE_H
#include "device/device.h"

bool arc_profiling(void);

/* A kernel at one location of the program, or a transfer of one variable there. */
struct arc_profile_row;
struct arc_profile_row *arc_profile_launch(const struct arc_device *, const arc_site *, const char *region,
                                           const char *kernel);
struct arc_profile_row *arc_profile_transfer(const struct arc_device *, const char *direction, const arc_site *,
                                             const char *action, const char *name);
/* Counts one more run. */
void arc_profile_count(struct arc_profile_row *, double seconds, size_t bytes, struct arc_operations);

/* At the end of the program, when devices are closed; `failed`: pending work is not included. */
void arc_profile_report(bool failed);

#endif
