// A present clause on data that is not on the device stops the program and names the variable.
// arc: aborts temperature, directives-needed
#include "check.h"
#include "separate.h"

#define N 32

int main(void) {
  int temperature[N] = {0};
  if (!device_memory_is_separate()) {
    fprintf(stderr, "temperature: the device shares the host's memory\n");
    return 1;
  }
#pragma acc parallel loop present(temperature)
  for (int i = 0; i < N; i++)
    temperature[i] = i;
  return 0;
}
