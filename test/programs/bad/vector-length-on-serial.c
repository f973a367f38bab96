// A serial construct has one lane: it takes no sizes.
// expect: 4:33 error[misplaced-clause]
void f(int n, float *a) {
#pragma acc serial copy(a[0:n]) vector_length(32)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
