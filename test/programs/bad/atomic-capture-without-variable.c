// Atomic capture without anything that captures.
// expect: 7:5 error[atomic-form]
void f(int n, int *count) {
#pragma acc parallel loop copy(count[0:1])
  for (int i = 0; i < n; i++) {
#pragma acc atomic capture
    count[0]++;
  }
}
