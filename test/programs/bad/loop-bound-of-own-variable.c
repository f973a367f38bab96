// The loop's bound, start and step must not change with its variable.
// expect: 8:3 error[not-a-counted-loop]
// expect: 10:3 error[not-a-counted-loop]
// expect: 12:3 error[not-a-counted-loop]
void f(float *a) {
  int i = 3;
#pragma acc parallel loop copy(a[0:40])
  for (i = 0; i < 40 - i; i++) a[i] = 0;
#pragma acc parallel loop copy(a[0:40])
  for (i = i + 1; i < 40; i++) a[i] = 0;
#pragma acc parallel loop copy(a[0:40])
  for (i = 1; i < 40; i += i) a[i] = 0;
}
