/* Pointers that change places on the host while what they lead to is on the device. */
#include <stdio.h>
#include <stdlib.h>

void step(double *b, const double *a, int n) {
#pragma acc parallel loop present(a[0:n], b[0:n])
  for (int i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i-1] + a[i+1]);
}

void odd(double *a, int n) {
  double *b = malloc(n * sizeof *b), *t;
#pragma acc data copy(a[0:n]) create(b[0:n])
  for (int k = 0; k < 3; k++) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) b[i] = a[i] + 1;
    t = a; a = b; b = t;
  }
  printf("%g\n", a[5]); /* expect: lost-result */
}

void even_good(double *a, int n) {
  double *b = malloc(n * sizeof *b), *t;
#pragma acc data copy(a[0:n]) create(b[0:n])
  for (int k = 0; k < 4; k++) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) b[i] = a[i] + 1;
    t = a; a = b; b = t;
  }
  printf("%g\n", a[5]);
}

/* Wrong after an odd number of steps, which the program does not tell. */
void unknown_steps(double *a, int n, int steps) {
  double *b = malloc(n * sizeof *b), *t;
#pragma acc data copy(a[0:n]) create(b[0:n])
  for (int k = 0; k < steps; k++) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) b[i] = a[i] + 1;
    t = a; a = b; b = t;
  }
  printf("%g\n", a[5]);
}

void updated_good(double *a, int n, int steps) {
  double *b = malloc(n * sizeof *b), *t;
#pragma acc data copyin(a[0:n]) create(b[0:n])
  {
  for (int k = 0; k < steps; k++) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) b[i] = a[i] + 1;
    t = a; a = b; b = t;
  }
#pragma acc update self(a[0:n])
  }
  printf("%g\n", a[5]);
}

void updated_other(double *a, int n, int steps) {
  double *b = malloc(n * sizeof *b), *t;
#pragma acc data copyin(a[0:n]) create(b[0:n])
  {
  for (int k = 0; k < steps; k++) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) b[i] = a[i] + 1;
    t = a; a = b; b = t;
#pragma acc update self(b[0:n])
    printf("%g\n", a[5]); /* expect: stale-host-read */
  }
  }
}

void both_good(double *a, int n, int steps) {
  double *b = malloc(n * sizeof *b), *t;
#pragma acc data copy(a[0:n], b[0:n])
  for (int k = 0; k < steps; k++) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) b[i] = a[i] + 1;
    t = a; a = b; b = t;
  }
  printf("%g\n", a[5]);
}

void entered_good(double *a, int n) {
  double *b = malloc(n * sizeof *b), *t;
#pragma acc enter data copyin(a[0:n]) create(b[0:n])
  for (int k = 0; k < 3; k++) {
    step(b, a, n);
    t = a; a = b; b = t;
  }
#pragma acc exit data copyout(a[0:n]) delete(b[0:n])
  printf("%g\n", a[5]);
}

void entered_wrong(double *a, int n) {
  double *b = malloc(n * sizeof *b), *t;
#pragma acc enter data copyin(a[0:n]) create(b[0:n])
  for (int k = 0; k < 3; k++) {
    step(b, a, n);
    t = a; a = b; b = t;
  }
#pragma acc exit data copyout(b[0:n]) delete(a[0:n])
  printf("%g\n", a[5]); /* expect: lost-result */
}

void once(double *a, int n) {
  double *b = malloc(n * sizeof *b);
#pragma acc data copy(a[0:n]) create(b[0:n])
  {
    step(b, a, n);
    double *t = a; a = b; b = t;
  }
  for (int i = 0; i < n; i++) printf("%g\n", a[i]); /* expect: lost-result */
}

void behind(double *x, double *y, int n) {
  double *a = x, *old = a;
  a = y;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    old[i] = a[i + 1];
}

void exchanged(double *x, double *y, int n) {
  double *t = x;
  x = y;
  y = t;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    y[i] = x[i + 1];
}

void afterwards(double *x, double *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    y[i] = x[i + 1];
  x = y;
}

void the_same(double *x, double *y, int n) {
  x = y;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    y[i] = x[i + 1]; /* expect: loop-carried-dependence */
}
