// The standard lets no atomic stand in a loop whose iterations are concurrent; in a parallel construct inside it may.
// expect: 8:13 warning[construct-nesting]
// remedy: worksharing loop
int count(int n, const int *a) {
  int found = 0, other = 0;
#pragma omp target teams loop map(to : a[0 : n]) map(tofrom : found)
  for (int i = 0; i < n; i++)
#pragma omp atomic
    found += a[i];
#pragma omp target teams distribute parallel for map(to : a[0 : n]) map(tofrom : other)
  for (int i = 0; i < n; i++)
#pragma omp atomic
    other += a[i];
  return found + other;
}
