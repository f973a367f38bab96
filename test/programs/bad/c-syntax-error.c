// A semicolon is missing in a region.
// expect: 8:5 error[syntax]
// remedy: ;
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) {
    float t = a[i]
    a[i] = t * t;
  }
}
