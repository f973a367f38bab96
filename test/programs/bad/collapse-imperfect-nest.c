// Loops with a statement between them are collapsed.
// expect: 5:31 error[imperfect-nest]
void f(int n, float *a) {
#pragma acc parallel loop collapse(2) copy(a[0:n])
  for (int i = 0; i < n; i++) {
    a[i] = 0;
    for (int j = 0; j < n; j++)
      a[i] += j;
  }
}
