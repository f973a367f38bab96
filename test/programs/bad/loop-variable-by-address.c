// Pointers lead the body to the loop's variable.
// expect: 11:14 error[loop-variable-assigned]
// expect: 16:10 error[loop-variable-assigned]
// remedy: take the address of a copy of 'i'
#pragma acc routine seq
static void skip(int *k) { *k += 1; }

void f(float *a) {
#pragma acc parallel loop copy(a[0:40])
  for (int i = 0; i < 40; i++) {
    int *p = &i;
    a[(*p)++] = 0;
  }
#pragma acc parallel loop copy(a[0:40])
  for (int i = 0; i < 40; i++) {
    skip(&i);
    a[i] = 0;
  }
}
