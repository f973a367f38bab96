// The block of atomic capture has two statements.
// expect: 7:5 error[atomic-form]
void f(int n, int *count, int *seen) {
#pragma acc parallel loop copy(count[0:1]) copyout(seen[0:n])
  for (int i = 0; i < n; i++) {
#pragma acc atomic capture
    {
      seen[i] = count[0];
      count[0]++;
      count[0]++;
    }
  }
}
