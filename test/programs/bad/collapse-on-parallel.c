// A loop clause on a construct that is no loop.
// expect: 4:35 error[misplaced-clause]
void f(int n, float *a) {
#pragma acc parallel copy(a[0:n]) collapse(2)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
