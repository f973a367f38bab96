// A static variable of a function that device code calls would need memory on the device.
// expect: 6:14 error[static-local]
// remedy: move it to file scope
#pragma acc routine seq
static int next(void) {
  static int last;
  return ++last;
}

void fill(int *a, int n) {
#pragma acc parallel loop copyout(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = next();
}
