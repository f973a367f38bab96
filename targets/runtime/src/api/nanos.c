/* nanos.c: nanos_omp.h. */
#include "nanos_omp.h"
#include "tasks/devices/station.h"

int nanos_get_total_num_devices(void) {
  return arc_task_devices("opencl") + arc_task_devices("cuda") + arc_task_devices("hip");
}
