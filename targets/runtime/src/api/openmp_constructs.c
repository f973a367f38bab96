/* openmp_constructs.c: what translated code asks for OpenMP's constructs, which serial programs never do. */
#include "arcrt.h"
#include "omp.h"
#include "report/error.h"

int arc_critical_0, arc_critical_1, arc_critical_2, arc_critical_3, arc_critical_4, arc_critical_5, arc_critical_6,
    arc_critical_7;

int arc_on_device(int number) {
  if (number == omp_get_default_device()) return 1;
  /* OpenMP 5.2 names the host omp_initial_device, which is -1, as well. */
  if (number == omp_get_initial_device() || number == -1) return 0;
  arc_fail(NULL, "device-number", "call omp_set_default_device(number) in front of the constructs for it",
           "a device clause asks for device %d, and device %d is in use, of %d", number, omp_get_default_device(),
           omp_get_num_devices());
}
