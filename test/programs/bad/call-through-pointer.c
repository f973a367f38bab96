// A region calls through a pointer, and no function of its type has its address taken.
// expect: 6:12 error[indirect-call]
void f(int n, float *a, float (*g)(int)) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = g(i);
}
