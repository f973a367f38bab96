// A pointer cannot be reduced.
// expect: 4:39 error[reduction-type]
void f(int n, int *p) {
#pragma acc parallel loop reduction(+:p)
  for (int i = 0; i < n; i++)
    *p += i;
}
