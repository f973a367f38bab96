// A length where a subscript stands: the clause names one element, of all that the loop writes.
// expect: 5:41 warning[one-element]
// remedy: say copyout(p[0:n])
void f(int n, int k, double *p, double *q) {
#pragma acc data create(q[k:n]) copyout(p[n])
  {
#pragma acc parallel loop present(p, q)
    for (int i = 0; i < n; i++)
      p[i] = i;
#pragma acc parallel loop copy(q[k])
    for (int i = k; i < k + 1; i++)
      q[i] = 1;
  }
}
