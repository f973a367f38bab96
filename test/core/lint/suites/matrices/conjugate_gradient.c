#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 128 };
static double x[n], r[n], p[n], q[n];
int main(void) {
  for (int i = 0; i < n; i++) r[i] = p[i] = 1;
  double rho = n;
#pragma acc data copy(x) copyin(r, p) create(q)
  for (int t = 0; t < 40; t++) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
      double left = i > 0 ? p[i - 1] : 0, right = i < n - 1 ? p[i + 1] : 0;
      q[i] = 2.5 * p[i] - left - right;
    }
    double pq = 0;
#pragma acc parallel loop reduction(+ : pq)
    for (int i = 0; i < n; i++) pq += p[i] * q[i];
    double alpha = rho / pq, next = 0;
#pragma acc parallel loop reduction(+ : next)
    for (int i = 0; i < n; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      next += r[i] * r[i];
    }
    double beta = next / rho;
    rho = next;
    if (rho < 1e-20) break;
#pragma acc parallel loop
    for (int i = 0; i < n; i++) p[i] = r[i] + beta * p[i];
  }
  printf("%.6f %.6f\n", x[0], x[64]);
  return 0;
}
