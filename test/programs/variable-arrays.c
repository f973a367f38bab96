// Copies of arrays whose size is known when the program runs, of OpenMP and, with -acc, of OpenACC: argc is 1.
#include <stdio.h>

static int half(int k) { return k / 2; }
static int halves(int k) { return half(k) + half(k + 1); }

static int omp(int n) {
  int m = n + 2;
  double w[n], g[n][m], out[100], most = 0;
  for (int i = 0; i < n; i++) w[i] = i;
  for (int i = 0; i < n * m; i++) g[i / m][i % m] = i;
#pragma omp target teams distribute parallel for private(w) map(from: out)
  for (int i = 0; i < 100; i++) {
    for (int k = 0; k < n; k++) w[k] = i + k;
    out[i] = w[0] + w[n - 1];
  }
  for (int i = 0; i < 100; i++)
    if (out[i] != 2 * i + n - 1) return __LINE__;
#pragma omp target teams distribute parallel for firstprivate(g) map(from: out)
  for (int i = 0; i < 100; i++) {
    g[0][0] += i;
    out[i] = g[0][0] + g[n - 1][m - 1];
  }
  for (int i = 0; i < 100; i++)
    if (out[i] != i + n * m - 1) return __LINE__;
#pragma omp target firstprivate(w) map(from: out)
#pragma omp parallel for firstprivate(w) lastprivate(w)
  for (int i = 0; i < 100; i++) {
    out[i] = w[n - 1];
    w[n - 1] = 100;
  }
  for (int i = 0; i < 100; i++)
    if (out[i] != n - 1) return __LINE__;
#pragma omp target map(tofrom: most)
#pragma omp parallel private(w) reduction(max: most)
  {
    for (int k = 0; k < n; k++) w[k] = k;
    most = w[n - 1];
  }
  if (most != n - 1) return __LINE__;
#pragma omp target teams num_teams(3) map(from: out)
  {
    double t[100], u[half(n) + 1][halves(n)];
#pragma omp parallel num_threads(4)
    {
      int own[halves(n) + 1];
      for (int k = 0; k <= n; k++) own[k] = k;
#pragma omp for
      for (int k = 0; k < 100; k++) t[k] = own[n] + k;
#pragma omp for
      for (int k = 0; k < n; k++) u[half(n)][k] = k + sizeof u / sizeof u[0];
    }
    if (t[half(n)] == n + half(n) && u[half(n)][2] == half(n) + 3) out[half(n)] = n;
  }
  if (out[half(n)] != n) return __LINE__;
#pragma omp target map(from: out)
  {
    double t[half(n) + 1][halves(n)];
    for (int k = 0; k < n; k++) t[half(n)][k] = k;
    out[0] = t[half(n)][n - 1] + sizeof t / sizeof t[0];
  }
  if (out[0] != n + half(n)) return __LINE__;
  for (int i = 0; i < n; i++)
    if (w[i] != i) return __LINE__;
  return 0;
}

static int acc(int n) {
  int w[n], f[n], out[100];
  for (int i = 0; i < n; i++) w[i] = f[i] = i;
#pragma acc parallel loop private(w) copyout(out)
  for (int i = 0; i < 100; i++) {
    for (int k = 0; k < n; k++) w[k] = i + k;
    out[i] = w[0] + w[n - 1];
  }
  for (int i = 0; i < 100; i++)
    if (out[i] != 2 * i + n - 1) return __LINE__;
#pragma acc parallel num_gangs(4) private(w) firstprivate(f) copyout(out)
  {
    w[0] = f[n - 1]++;
#pragma acc loop gang
    for (int i = 0; i < 100; i++) out[i] = i + w[0];
  }
  for (int i = 0; i < 100; i++)
    if (out[i] != i + n - 1) return __LINE__;
  for (int i = 0; i < n; i++)
    if (w[i] != i || f[i] != i) return __LINE__;
  return 0;
}

int main(int argc, char **argv) {
  (void)argv;
  printf("%d %d\n", omp(6 + argc), acc(6 + argc));
}
