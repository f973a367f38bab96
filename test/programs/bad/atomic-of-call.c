// A call is no atomic update.
// expect: 10:5 error[atomic-form]
// remedy: x op= expr
#pragma acc routine seq
void g(int *);
void f(int n, int *count) {
#pragma acc parallel loop copy(count[0:1])
  for (int i = 0; i < n; i++) {
#pragma acc atomic update
    g(count);
  }
}
