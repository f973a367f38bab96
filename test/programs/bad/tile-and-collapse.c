// A loop is both tiled and collapsed.
// expect: 4:39 error[tile-with-collapse]
void f(int n, float *a) {
#pragma acc parallel loop collapse(2) tile(4, 4) copy(a[0:n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = 0;
}
