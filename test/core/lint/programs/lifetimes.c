/* Data between enter data and exit data, beside queues, in parts, and for the program's whole time. */
#include <stdio.h>
#include <stdlib.h>

void kept(void) {
  double a[100] = {0};
#pragma acc enter data copyin(a)
#pragma acc parallel loop present(a)
  for (int i = 0; i < 100; i++)
    a[i] += 1;
#pragma acc exit data copyout(a)
  printf("%f\n", a[3]);
}

void thrown_away(void) {
  double a[100] = {0};
#pragma acc enter data copyin(a)
#pragma acc parallel loop present(a)
  for (int i = 0; i < 100; i++)
    a[i] += 1;
#pragma acc exit data delete(a)
  printf("%f\n", a[3]); /* expect: lost-result */
}

double half_returned(void) {
  double a[100] = {0}, s = 0;
#pragma omp target enter data map(to: a[0:100])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 100; i++)
    a[i] += 1;
#pragma omp target exit data map(from: a[0:50])
  for (int i = 0; i < 100; i++)
    s += a[i]; /* expect: lost-result */
  return s;
}

double half_returned_and_read(void) {
  double a[100] = {0}, s = 0;
#pragma omp target enter data map(to: a[0:100])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 100; i++)
    a[i] += 1;
#pragma omp target exit data map(from: a[0:50])
  for (int i = 0; i < 50; i++)
    s += a[i];
  return s;
}

double half_returned_and_half_written(double *b) {
  double a[100] = {0}, s = 0;
#pragma acc enter data copyin(a)
#pragma acc parallel loop present(a)
  for (int i = 0; i < 50; i++)
    a[i] += 1;
#pragma acc exit data copyout(a[0:50])
  for (int i = 0; i < 100; i++)
    s += a[i];
  return s;
}

void never_filled(double *b) {
  double *a = malloc(800);
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma omp target enter data map(alloc: a[0:100])
#pragma omp target teams distribute parallel for map(tofrom: b[0:100])
  for (int i = 0; i < 100; i++)
    b[i] = a[i]; /* expect: read-before-copy */
#pragma omp target exit data map(delete: a[0:100])
  free(a);
}

void gone(void) {
  double *a = malloc(800);
#pragma omp target enter data map(to: a[0:100])
#pragma omp target exit data map(delete: a[0:100])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 100; i++)
    a[i] = i; /* expect: missing-map */
  free(a);
}

void gone_again(void) {
  double a[100] = {0};
#pragma acc enter data copyin(a)
#pragma acc exit data delete(a)
#pragma acc parallel loop present(a) /* expect: never-present */
  for (int i = 0; i < 100; i++)
    a[i] = i;
}

void perhaps(int on) {
  double a[100] = {0};
  if (on) {
#pragma acc enter data copyin(a)
  }
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 100; i++)
    a[i] += 1;
#pragma acc exit data delete(a)
  printf("%f\n", a[3]);
}

void members(struct { int n; double *p; } v) {
#pragma acc enter data copyin(v, v.p[0:100])
#pragma acc parallel loop present(v)
  for (int i = 0; i < 100; i++)
    v.p[i] = i;
#pragma acc exit data copyout(v.p[0:100]) delete(v)
  printf("%f\n", v.p[3]);
}

double too_early(void) {
  double a[100] = {0}, s = 0;
#pragma acc parallel loop copy(a) async(1)
  for (int i = 0; i < 100; i++)
    a[i] += 1;
  for (int i = 0; i < 100; i++)
    s += a[i]; /* expect: queue-race */
#pragma acc wait
  return s;
}

double in_time(void) {
  double a[100] = {0}, s = 0;
#pragma acc parallel loop copy(a) async(1)
  for (int i = 0; i < 100; i++)
    a[i] += 1;
#pragma acc wait(1)
  for (int i = 0; i < 100; i++)
    s += a[i];
  return s;
}

double both_read(void) {
  double a[100] = {0}, b[100], s = 0;
#pragma acc parallel loop copyin(a) copyout(b) async(1)
  for (int i = 0; i < 100; i++)
    b[i] = a[i] + 1;
  for (int i = 0; i < 100; i++)
    s += a[i];
#pragma acc wait(1)
  return s + b[1];
}

int scalar_too_early(void) {
  int x = 5;
#pragma omp target map(tofrom: x) nowait
  x += 1;
  int y = x; /* expect: queue-race */
#pragma omp taskwait
  return y;
}

int behind_a_barrier(void) {
  int x = 5;
#pragma omp parallel
#pragma omp single
  {
#pragma omp target map(tofrom: x) nowait
    x += 1;
  }
  return x;
}

double half(void) {
  double a[100] = {0}, s = 0;
#pragma omp target data map(tofrom: a)
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 100; i++)
      a[i] += 1;
#pragma omp target update from(a[0:50])
    for (int i = 0; i < 50; i++)
      s += a[i];
    for (int i = 0; i < 100; i++)
      s += a[i]; /* expect: stale-host-read */
  }
  return s;
}

double rows(void) {
  double a[10][10] = {{0}}, s = 0;
#pragma omp target teams distribute parallel for map(to: a[0:5][0:10]) reduction(+:s) map(tofrom: s)
  for (int i = 0; i < 10; i++)
    s += a[i][0]; /* expect: section-too-short */
  return s;
}

#pragma omp declare target
int table[100];
#pragma omp end declare target

int not_updated(void) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 100; i++)
    table[i] = i;
  return table[4]; /* expect: stale-host-read */
}

int updated(void) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 100; i++)
    table[i] = i;
#pragma omp target update from(table)
  return table[4];
}

double other_queue(void) {
  double a[100] = {0}, b[100] = {0};
#pragma acc parallel loop copy(a) async(1)
  for (int i = 0; i < 100; i++)
    a[i] += 1;
#pragma acc parallel loop copy(b) async(2)
  for (int i = 0; i < 100; i++)
    b[i] += 1;
#pragma acc wait(1)
  double x = b[1]; /* expect: queue-race */
#pragma acc wait(2)
  return x + a[1];
}

void updated_before_the_kernel(void) {
  double *a = malloc(800);
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma omp target enter data map(to: a[0:100])
#pragma omp target update from(a[0:100])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 100; i++)
    a[i] *= 2;
#pragma omp target exit data map(delete: a[0:100])
  printf("%f\n", a[3]); /* expect: lost-result */
}

double asserted(void) {
  double *a = malloc(800), s = 0;
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma acc parallel loop default(present) reduction(+:s)
  for (int i = 0; i < 100; i++)
    s += a[i]; /* expect: missing-map */
  return s;
}

double asserted_and_there(void) {
  double *a = malloc(800), s = 0;
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma acc data copyin(a[0:100])
  {
#pragma acc parallel loop default(present) reduction(+:s)
    for (int i = 0; i < 100; i++)
      s += a[i];
  }
  return s;
}

/* arc and nvc copy what the subscripts reach. */
double left_to_the_compiler(void) {
  double *a = malloc(800), s = 0;
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma acc parallel loop reduction(+:s)
  for (int i = 0; i < 100; i++)
    s += a[i];
  return s;
}

/* The device's number is no data, nor is the shape of an array; a declare may stand in a function. */
int by_number_good(void) {
  int a[3] = {1, 2, 3}, n = 0;
#pragma omp target enter data device(n) map(to : a)
#pragma omp target device(n)
  a[1] = 7;
#pragma omp target update device(n) from(a)
#pragma omp target exit data device(n) map(delete : a)
  return a[1];
}

int shaped_good(int n, int m) {
  int *p = malloc(n * m * sizeof *p), s;
  for (int i = 0; i < n * m; i++) p[i] = i;
#pragma omp target data map(alloc : p[0 : n * m])
  {
#pragma omp target update to(([n][m]p)[0 : n][0 : m])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n * m; i++) p[i] *= 2;
#pragma omp target update from(([n][m]p)[0 : n][0 : m])
    s = p[0];
  }
  free(p);
  return s;
}

int declared_inside_good(void) {
  int a[6], s = 0;
#pragma acc declare create(a)
#pragma acc parallel loop present(a)
  for (int i = 0; i < 6; i++) a[i] = i;
#pragma acc parallel loop present(a) reduction(+ : s)
  for (int i = 0; i < 6; i++) s += a[i];
  return s;
}
