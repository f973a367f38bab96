// A loop that gangs share reduces a variable of which each of them has a copy, and nothing takes the result.
// expect: 7:37 error[reduction-of-copies]
// remedy: outside of the construct
int f(int n) {
  int sum = 3;
#pragma acc parallel firstprivate(sum)
#pragma acc loop gang reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += i;
  return sum;
}
