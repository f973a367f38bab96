// A struct cannot be reduced.
// expect: 8:39 error[reduction-type]
struct sums {
  int a, b;
};
void f(int n, struct sums *result) {
  struct sums s = {0, 0};
#pragma acc parallel loop reduction(+:s)
  for (int i = 0; i < n; i++)
    s.a += i;
  *result = s;
}
