/* Updates: in queues, beside regions and the host, and of data that is not on the device. */
#include <stdlib.h>

#define N 100

void map_elsewhere(double *);

double beside_a_region(int n, double *a) {
#pragma acc data create(a[0:n])
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < n; i++)
      a[i] = i;
#pragma acc update self(a[0:n]) async(2) /* expect: queue-race */
#pragma acc wait
  }
  return a[0];
}

double behind_a_region(int n, double *a) {
#pragma acc data create(a[0:n])
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < n; i++)
      a[i] = i;
#pragma acc update self(a[0:n]) async(2) wait(1)
#pragma acc wait
#pragma acc parallel loop async(1)
    for (int i = 0; i < n; i++)
      a[i] += 1;
#pragma acc update self(a[0:n]) async(1)
#pragma acc wait(1)
  }
  return a[0];
}

double of_the_host(int n, double *a) {
#pragma acc data create(a[0:n])
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < n; i++)
      a[i] = i;
#pragma acc update self(a[0:n]) /* expect: queue-race */
#pragma acc wait
  }
  return a[0];
}

void halves(double *a) {
#pragma acc data create(a[0:N])
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < N / 2; i++)
      a[i] = i;
#pragma acc parallel loop async(2)
    for (int i = N / 2; i < N; i++)
      a[i] = i;
#pragma acc update self(a[0:N / 2]) async(1)
#pragma acc update self(a[N / 2:N / 2]) async(2)
#pragma acc wait
#pragma acc parallel loop async(1)
    for (int i = 0; i < N / 2; i++)
      a[i] = i;
#pragma acc update device(a[N / 2:N / 2]) async(2)
#pragma acc update device(a[N / 4:N / 2]) async(3) /* expect: queue-race */
#pragma acc wait
  }
}

double read_too_early(int n, double *a) {
  double first;
#pragma acc data copyin(a[0:n])
  {
#pragma acc update self(a[0:n]) async(1)
    first = a[0]; /* expect: queue-race */
#pragma acc wait
  }
  return first;
}

double read_in_time(int n, double *a) {
  double first;
#pragma acc data copyin(a[0:n])
  {
#pragma acc update self(a[0:n]) async(1)
#pragma acc wait(1)
    first = a[0];
#pragma acc update device(a[0:n]) async(1)
    first += a[0];
#pragma acc wait(1)
    a[0] = 1;
#pragma acc update device(a[0:1])
  }
  return first;
}

void written_too_early(int n, double *a) {
#pragma acc data copyin(a[0:n])
  {
#pragma acc update device(a[0:n]) async(1)
    a[0] = 3; /* expect: queue-race */
#pragma acc wait
#pragma acc update device(a[0:n])
  }
}

void absent(void) {
  double b[N], c[N];
  b[1] = c[1] = 2;
#pragma acc update device(b) /* expect: never-present */
  c[2] = 3;
#pragma omp target update to(c) /* expect: never-present */
}

double too_late(void) {
  double b[N];
#pragma acc data copyout(b)
  {
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      b[i] = i;
#pragma acc update self(b)
  }
#pragma acc update self(b) /* expect: never-present */
  return b[1];
}

void perhaps_there(double *parameter, int some) {
  double b[N] = {0};
#pragma acc update device(b) if_present
#pragma acc update device(b) if(some)
#pragma acc update device(parameter[0:N])
  map_elsewhere(b);
#pragma acc update device(b)
#pragma acc parallel loop present(b)
  for (int i = 0; i < N; i++)
    b[i] = i;
}

void entered(void) {
  double b[N] = {0};
#pragma acc enter data create(b)
#pragma acc update device(b)
#pragma acc exit data delete(b)
}
