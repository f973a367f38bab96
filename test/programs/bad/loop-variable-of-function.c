// A function that the loop calls uses the variable of the file that the loop counts in.
// expect: 11:35 error[loop-variable-of-function]
// remedy: hand its value to 'element'
int i;

#pragma acc routine seq
static float element(const float *a) { return a[i]; }

void f(float *a, float *b) {
#pragma acc parallel loop copyin(a[0:40]) copyout(b[0:40])
  for (i = 0; i < 40; i++) b[i] = element(a);
}
