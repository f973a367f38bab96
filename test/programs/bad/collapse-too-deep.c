// More loops are to be collapsed than there are.
// expect: 7:7 error[imperfect-nest]
void f(int n, float *a) {
#pragma acc parallel loop collapse(3) copy(a[0:n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = 0;
}
