// Complex numbers: operators, functions, conversions and reductions give what the C compiler computes.
// arc: items>1
#include <complex.h>
#include <math.h>
#include <stdio.h>

#define N 301

typedef struct {
  int tag;
  double complex z;
  float complex pair[2];
} Record;

static double complex a[N], b[N], c[N];
static float complex f[N], g[N];
static Record r[N];
static int equal[N];
static double parts[N][4];

#pragma acc routine seq
static double complex horner(const double complex *k, double complex z) {
  double complex v = 0;
  for (int i = 3; i >= 0; i--) v = v * z + k[i];
  return v;
}

#pragma acc declare create(a, b, c, f, g, r, equal, parts)

#pragma acc routine seq
static void compute(double complex w, const double complex *k, int i) {
  c[i] = a[i] * b[i] + 2 - w / (b[i] + 1);
  c[i] -= 3 * conj(a[i]);
  c[i] *= 0.5;
  c[i] /= 1 + I;
  g[i] = f[i] * (1 - 2.0f * I) / (3 + f[i]);
  r[i].z = (double complex)g[i] + r[i].tag;
  r[i].pair[1] = r[i].pair[0] * c[i];
  equal[i] = (a[i] == b[i]) + 2 * (a[i] != 0) + 4 * (c[i] && a[i]) + 8 * !b[i];
  if (a[i]) equal[i] += 16;
  parts[i][0] = cabs(a[i]) + creal(cexp(b[i] / 100)) + (double)(a[i] + 1);
  parts[i][1] = carg(b[i] + 1) + cimag(csqrt(a[i])) + cimagf(f[i]);
  __real__ c[i] += 1;
  __imag__ c[i] *= 2;
  parts[i][2] = creal(horner(k, a[i] / 100)) + cimag(cpow(a[i] + 1, 0.5 + 0.25 * I)) + creal(clog(a[i] + CMPLX(2, 0)));
  parts[i][3] = creal(i % 2 ? a[i] : -b[i]) + cimag(~a[i]) + cimag(csin(a[i] / 100) + ccos(a[i] / 200));
}


static int differ(double complex x, double complex y) { return cabs(x - y) > 1e-5 * (1 + cabs(y)); }

int main(void) {
  double complex w = 2 - 3 * I, k[4] = {1, I, 2 + I, -1};
  for (int i = 0; i < N; i++) {
    a[i] = i % 17 - 5 + (i % 5) * I;
    b[i] = i % 3 ? i % 7 - (i % 11) * 1.0i : a[i];
    f[i] = 0.25f * (i % 9) + 0.5f * I * (i % 4);
    r[i].tag = i;
    r[i].pair[0] = 1 - i * 0.125f * I;
  }
  double complex sum = 1, product = 1 + I, all = 0;
  float complex small = 0;
#pragma acc update device(a, b, f, r)
#pragma acc parallel loop copyin(k) reduction(+ : sum, all, small) reduction(* : product)
  for (int i = 0; i < N; i++) {
    compute(w, k, i);
    sum += a[i] * w;
    all += c[i];
    small += f[i];
    product *= 1 + 0.001 * b[i];
  }
#pragma acc update self(c, g, r, equal, parts)
  static double complex c1[N];
  static double parts1[N][4];
  static float complex g1[N];
  static Record r1[N];
  static int equal1[N];
  for (int i = 0; i < N; i++) {
    c1[i] = c[i], g1[i] = g[i], r1[i] = r[i], equal1[i] = equal[i];
    for (int p = 0; p < 4; p++) parts1[i][p] = parts[i][p];
  }
  double complex s = 1, p = 1 + I, t = 0;
  float complex u = 0;
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    compute(w, k, i);
    s += a[i] * w, t += c[i], u += f[i], p *= 1 + 0.001 * b[i];
    wrong += differ(c1[i], c[i]) || differ(g1[i], g[i]) || differ(r1[i].z, r[i].z) ||
             differ(r1[i].pair[1], r[i].pair[1]) || equal1[i] != equal[i];
    for (int q = 0; q < 4; q++) wrong += differ(parts1[i][q], parts[i][q]);
  }
  wrong += differ(sum, s) + differ(all, t) + differ(product, p) + differ(small, u);
  // Division by zero, and products of infinities.
  double complex special[6] = {0, INFINITY, 1 + INFINITY * I, 1e300 + 1e300 * I, 1e-310, -3 + 4 * I}, out[6][6][2];
#pragma acc parallel loop collapse(2) copyin(special) copyout(out)
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      out[i][j][0] = special[i] * special[j];
      out[i][j][1] = special[i] / special[j];
    }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      double complex x[2] = {special[i] * special[j], special[i] / special[j]};
      for (int q = 0; q < 2; q++) {
        int infinite = isinf(creal(x[q])) || isinf(cimag(x[q]));
        int here = isinf(creal(out[i][j][q])) || isinf(cimag(out[i][j][q]));
        if (infinite != here || (!infinite && !isnan(creal(x[q])) && differ(out[i][j][q], x[q])))
          wrong++, printf("%d %d %d: %g %g\n", i, j, q, creal(out[i][j][q]), cimag(out[i][j][q]));
      }
    }
  if (wrong) printf("%d are wrong\n", wrong);
  return wrong != 0;
}
