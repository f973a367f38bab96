// Device functions take structs by value and by pointer, arrays and results through pointers, and return structs.
// arc: items>1
#include "check.h"

typedef struct {
  double re, im;
} Complex;

#define N 193

#pragma acc routine seq
static Complex multiply(Complex a, Complex b) {
  Complex c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return c;
}

#pragma acc routine seq
static void add_to(Complex *a, const Complex *b) {
  a->re += b->re;
  a->im += b->im;
}

#pragma acc routine seq
static double minmax(const double values[], int n, double *least) {
  double most = values[0];
  *least = values[0];
  for (int i = 1; i < n; i++) {
    most = values[i] > most ? values[i] : most;
    *least = values[i] < *least ? values[i] : *least;
  }
  return most;
}

int main(void) {
  static Complex z[N];
  static double spread[N];

#pragma acc parallel loop copyout(z, spread)
  for (int i = 0; i < N; i++) {
    Complex u = {i, 1}, v = {2, -i};
    z[i] = multiply(u, v);
    add_to(&z[i], &u);
    double t[4] = {z[i].re, z[i].im, i, 5}, least;
    spread[i] = minmax(t, 4, &least) - least;
  }

  for (int i = 0; i < N; i++) {
    double re = 2.0 * i + i + i, im = -(double)i * i + 2 + 1;
    NEAR_AT(i, z[i].re, re, 0);
    NEAR_AT(i, z[i].im, im, 0);
    double t[4] = {re, im, i, 5}, least, most = minmax(t, 4, &least);
    NEAR_AT(i, spread[i], most - least, 0);
  }
  return report();
}
