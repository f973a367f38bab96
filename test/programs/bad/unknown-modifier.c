// The zero modifier is for data that is not copied in.
// expect: 4:34 error[unknown-modifier]
void f(int n, float *a) {
#pragma acc parallel loop copyin(zero: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
