/* openmp_constructs.c: runtime calls of translated code for OpenMP's constructs; serial programs do not need them. */
#include "arcrt.h"
#include "omp.h"
#include "report/error.h"

char arc_all_memory_place;

int arc_critical_0, arc_critical_1, arc_critical_2, arc_critical_3, arc_critical_4, arc_critical_5, arc_critical_6,
    arc_critical_7;

int arc_on_device(int number) {
  const int devices = omp_get_num_devices();
  if (number >= 0 && number < devices) return 1;
  /* OpenMP 5.2 names the host omp_initial_device, which is -1, as well. */
  if (number == devices || number == -1) return 0;
  arc_fail(NULL, "device-number", "ask for one from 0 to omp_get_num_devices() - 1, or for omp_get_initial_device()",
           "a directive is for device %d, and there are %d", number, devices);
}
