// A number of gangs that turns out negative ends the program: no iteration would run.
// arc: aborts asks for -4 gangs
#include <stdio.h>

int main(int argc, char **argv) {
  int a[20] = {0}, gangs = argc - 5;
#pragma acc parallel loop num_gangs(gangs) copy(a)
  for (int i = 0; i < 20; i++)
    a[i] = i;
  printf("%d\n", a[19]);
  return 0;
}
