// Clauses that OpenMP 6.0 extends.
// expect: 7:26 error[unsupported-clause]
// expect: 9:70 error[unsupported-clause]
// expect: 11:60 error[unsupported-clause]
int main(void) {
  int x = 0, later = 1, a[8];
#pragma omp target nowait(later) map(tofrom: x)
  x = 1;
#pragma omp target teams distribute parallel for default(firstprivate: scalar) map(from: a)
  for (int i = 0; i < 8; i++) a[i] = x;
#pragma omp target teams distribute parallel for reduction(original(shared), +: x) map(tofrom: x)
  for (int i = 0; i < 8; i++) x += i;
  return a[0] != 1;
}
