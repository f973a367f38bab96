// A sum over a parallel loop without a reduction clause: each lane adds to a variable of its own.
// expect: 7:5 warning[lost-value]
int f(int n) {
  int sum = 0;
#pragma acc parallel loop
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
