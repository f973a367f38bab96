// A region calls a function of which only a declaration is known, without a routine directive.
// expect: 8:12 error[no-device-code]
// remedy: routine
float weight(int);
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = weight(i);
}
