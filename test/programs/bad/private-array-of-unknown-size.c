// A private pointer's target cannot be made private.
// expect: 4:48 error[private-behind-pointer]
void f(int n, float *a, float *line) {
#pragma acc parallel loop copy(a[0:n]) private(line[0:n])
  for (int i = 0; i < n; i++)
    a[i] = line[i];
}
