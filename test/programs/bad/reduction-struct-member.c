// A list item is a variable, an array element or a section, and no member (OpenACC 3.3, 2.5.15).
// expect: 7:39 error[reduction-type]
// remedy: reduce the whole variable
struct sums { int n; double x; };
double f(int n) {
  struct sums s = {0, 0};
#pragma acc parallel loop reduction(+:s.x)
  for (int i = 0; i < n; i++)
    s.x += i;
  return s.x;
}
