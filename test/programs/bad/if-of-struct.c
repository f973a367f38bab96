// The condition of a clause must be a scalar.
// expect: 7:43 error[clause-type]
struct mode {
  int fast;
};
void f(int n, float *a, struct mode m) {
#pragma acc parallel loop copy(a[0:n]) if(m)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
