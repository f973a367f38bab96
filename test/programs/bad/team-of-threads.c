// Code for a fixed number of threads that wait for each other, where a team has one.
// expect: 6:13 error[parallel-block]
// remedy: share work out by loops
void f(int *a);
void f(int *a) {
#pragma omp target teams thread_limit(64) map(tofrom: a[0:64])
  {
    int next = 0, near[64];
#pragma omp parallel
    {
      int mine;
#pragma omp atomic capture
      mine = next++;
      near[mine] = a[mine];
#pragma omp barrier
      a[mine] = near[63 - mine];
    }
  }
}
