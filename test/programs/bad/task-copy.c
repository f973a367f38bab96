// A task outside of 'parallel' has a copy of what target maps: gcc and clang lose the change, too, but say nothing.
// expect: 9:5 warning[task-copy]
// remedy: shared(sum)
int sum_of(int *a) {
  int sum = 0;
#pragma omp target map(tofrom : sum) map(to : a[0 : 8])
  {
#pragma omp task
    sum += a[0];
#pragma omp taskwait
#pragma omp task shared(sum)
    sum += a[1];
#pragma omp taskwait
  }
  return sum;
}
