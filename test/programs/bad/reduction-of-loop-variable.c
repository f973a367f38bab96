// The loop's own variable cannot be reduced.
// expect: 5:52 error[reduction-of-loop-variable]
void f(int n, float *a) {
  int i;
#pragma acc parallel loop copy(a[0:n]) reduction(+:i)
  for (i = 0; i < n; i++)
    a[i] = 0;
}
