// A launch size on a construct that launches nothing.
// expect: 5:31 error[misplaced-clause]
// remedy: copy
void f(int n, float *a) {
#pragma acc data copy(a[0:n]) num_gangs(4)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      a[i] = 0;
  }
}
