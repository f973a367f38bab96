// A clause of OpenMP on an OpenACC construct.
// expect: 4:40 error[unknown-clause]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n]) schedule(static)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
