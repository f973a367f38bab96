// Clauses that OpenMP 6.0 extends.
// expect: 6:70 error[unsupported-clause]
// expect: 8:76 error[unsupported-clause]
int main(void) {
  int x = 0, a[8];
#pragma omp target teams distribute parallel for default(firstprivate: scalar) map(from: a)
  for (int i = 0; i < 8; i++) a[i] = x;
#pragma omp target teams distribute parallel for reduction(original(private), +: x) map(tofrom: x)
  for (int i = 0; i < 8; i++) x += i;
  return a[0] != 1;
}
