// A loop directive in a function that is neither a routine nor inside a compute construct.
// expect: 5:13 error[loop-outside-region]
// remedy: parallel loop
void f(int n, float *a) {
#pragma acc loop gang
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
