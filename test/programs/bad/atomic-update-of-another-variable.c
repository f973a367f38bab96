// What is updated does not appear on the right.
// expect: 7:5 error[atomic-form]
void f(int n, int *count, int *other) {
#pragma acc parallel loop copy(count[0:1], other[0:1])
  for (int i = 0; i < n; i++) {
#pragma acc atomic update
    count[0] = other[0] + 1;
  }
}
