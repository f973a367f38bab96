// A clause that takes no argument has one.
// expect: 4:43 error[unexpected-argument]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n]) seq(4)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
