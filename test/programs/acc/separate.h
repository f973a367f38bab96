/* Whether the device has memory of its own: some programs can show more then. */
#ifndef SEPARATE_H
#define SEPARATE_H
#include <openacc.h>

static inline int device_memory_is_separate(void) {
  int probe = 1;
  acc_copyin(&probe, sizeof probe);
  probe = 2;
  acc_update_self(&probe, sizeof probe);
  acc_delete(&probe, sizeof probe);
  return probe == 1;
}
#endif
