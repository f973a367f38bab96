// Data of which only a part is on the device stops the program and names the variable.
// arc: aborts pressure, directives-needed
#include "check.h"
#include "separate.h"

int main(void) {
  static int pressure[100];
  if (!device_memory_is_separate()) {
    fprintf(stderr, "pressure: the device shares the host's memory\n");
    return 1;
  }
#pragma acc enter data copyin(pressure[0:60])
#pragma acc parallel loop copy(pressure)
  for (int i = 0; i < 100; i++)
    pressure[i] = i;
  return 0;
}
