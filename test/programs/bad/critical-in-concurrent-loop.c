// The standard lets no construct but loop, parallel and simd stand in a loop whose iterations are concurrent.
// expect: 9:13 warning[construct-nesting]
// expect: 15:13 warning[construct-nesting]
// remedy: worksharing loop
int count(int n, const int *a) {
  int found = 0, other = 0;
#pragma omp target teams loop map(to : a[0 : n]) map(tofrom : found)
  for (int i = 0; i < n; i++)
#pragma omp critical
    found += a[i];
#pragma omp target teams distribute parallel for order(concurrent) map(to : a[0 : n]) map(tofrom : other)
  for (int i = 0; i < n; i++)
#pragma omp simd
    for (int k = 0; k < 4; k++)
#pragma omp atomic
      other += a[i];
  return found + other;
}
