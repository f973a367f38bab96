// Code behind a region reads the variable of the region's loop, which every lane has for itself.
// expect: 7:8 warning[lost-value]
// remedy: behind the region
int f(int n, int *a) {
  int i;
#pragma acc parallel loop copy(a[0:n])
  for (i = 0; i < n; i++)
    a[i]++;
  n = i;
#pragma acc parallel loop copy(a[0:n])
  for (i = 0; i < n; i++)
    a[i]++;
  for (i = 0; i < n; i++)
    n += a[i];
  return n;
}
