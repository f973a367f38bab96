// A region calls a function with a variable number of arguments.
// expect: 5:1 error[variadic-routine]
// remedy: array
#include <stdarg.h>
static int sum(int n, ...) {
  va_list v;
  va_start(v, n);
  int s = 0;
  while (n--) s += va_arg(v, int);
  va_end(v);
  return s;
}
void f(int n, int *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) a[i] = sum(2, i, 5);
}
