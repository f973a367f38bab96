// A scalar has no sections.
// expect: 4:25 error[not-an-array]
void f(float x) {
#pragma acc serial copy(x[0:1])
  x = 1;
}
