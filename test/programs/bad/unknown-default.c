// Default takes none or present.
// expect: 4:35 error[unexpected-word]
void f(int n, float *a) {
#pragma acc parallel loop default(shared)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
