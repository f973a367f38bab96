// A bitwise reduction of a floating variable.
// expect: 5:39 error[reduction-type]
void f(int n, double *d) {
  double all = 0;
#pragma acc parallel loop reduction(|:all)
  for (int i = 0; i < n; i++)
    all += i;
  *d = all;
}
