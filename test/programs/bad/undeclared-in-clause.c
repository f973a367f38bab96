// A data clause names a variable that does not exist.
// expect: 4:32 error[undeclared-identifier]
void f(int n, float *values) {
#pragma acc parallel loop copy(value[0:n])
  for (int i = 0; i < n; i++)
    values[i] = 0;
}
