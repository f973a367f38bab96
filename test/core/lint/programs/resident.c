/* Variables that live on the device for the whole run. */
#include <stdio.h>

#pragma omp declare target
int scale = 1;
int counter = 0;
#pragma omp end declare target
int never = 3;
#pragma omp declare target to(never)

void set_before_use(void) {
  int r = 0;
  scale = 5;
#pragma omp target map(tofrom: r)
  r = scale; /* expect: stale-device-read */
  printf("%d\n", r);
}

void updated_good(void) {
  int r = 0;
  scale = 5;
#pragma omp target update to(scale)
#pragma omp target map(tofrom: r)
  r = scale;
  printf("%d\n", r);
}

void own_copy_good(void) {
  int r = 0;
  never = 5;
#pragma omp target map(tofrom: r) firstprivate(never)
  r = never;
  printf("%d\n", r);
}

void counted(void) {
#pragma omp target
  counter++;
  printf("%d\n", counter); /* expect: stale-host-read */
}

void counted_good(void) {
#pragma omp target
  counter++;
#pragma omp target update from(counter)
  printf("%d\n", counter);
}
