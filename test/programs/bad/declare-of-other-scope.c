// Declare names a variable of an outer scope.
// expect: 6:28 error[declare-scope]
void f(void) {
  float a[10];
  {
#pragma acc declare create(a)
    a[0] = 1;
  }
}
