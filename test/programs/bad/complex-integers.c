// Complex integers, an extension of C compilers.
// expect: 5:3 error[complex-integer]
int f(int *a) {
  // They are read nowhere, so that no half of them is lost.
  static const _Complex int c = 2;
  int r = __real__ c;
#pragma acc serial copyout(a[0:1])
  a[0] = r;
  return r;
}
