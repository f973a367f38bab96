// A parallel loop cannot be left early.
// expect: 8:7 error[branch-out-of-loop]
// remedy: seq
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) {
    if (a[i] < 0)
      break;
    a[i] = 0;
  }
}
