// A directive in the middle of a statement.
// expect: 5:1 warning[misplaced-pragma]
void f(int n, float *a) {
  a[0] = n +
#pragma acc parallel
         1;
}
