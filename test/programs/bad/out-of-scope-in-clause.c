// A variable of an inner block is named after the block's end.
// expect: 8:36 error[undeclared-identifier]
void f(int n, float *a) {
  {
    int half = n / 2;
    a[0] = half;
  }
#pragma acc parallel loop copy(a[0:half])
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
