// A variable is both private and reduced.
// expect: 5:50 error[conflicting-sharing]
int f(int n) {
  int s = 0;
#pragma acc parallel loop private(s) reduction(+:s)
  for (int i = 0; i < n; i++)
    s += i;
  return s;
}
