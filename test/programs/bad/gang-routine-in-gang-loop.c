// A gang routine is called where the gangs are already in use.
// expect: 12:5 error[level-nesting]
#pragma acc routine gang
void fill(int n, float *a) {
#pragma acc loop gang
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
void f(int n, float *a) {
#pragma acc parallel loop gang copy(a[0:n * n])
  for (int i = 0; i < n; i++)
    fill(n, a + i * n);
}
