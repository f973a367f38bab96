// A clause that may appear once appears twice.
// expect: 4:53 error[repeated-clause]
void f(int n, float *a) {
#pragma acc parallel loop num_gangs(4) copy(a[0:n]) num_gangs(8)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
