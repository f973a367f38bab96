// A region takes the address of a register variable.
// expect: 8:15 error[register-address]
// remedy: declare 's' without register
void f(int *a) {
  register int s = 0;
#pragma acc parallel copy(a[0:1])
  {
    int *p = &s;
    a[0] = *p;
  }
}
