// A loop without a condition has no trip count.
// expect: 5:3 error[not-a-counted-loop]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0;; i++)
    a[i] = 0;
}
