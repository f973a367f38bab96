// A section that ends behind its array.
// expect: 6:35 error[section-out-of-bounds]
// remedy: a[0:10]
void f(void) {
  float a[10];
#pragma acc parallel loop copyout(a[0:20])
  for (int i = 0; i < 10; i++)
    a[i] = 0;
}
