// Pragmas that are no directives, though they look meant as some: the loops would run on the host without a word.
// expect: 11:9 warning[misspelled-directive]
// expect: 14:9 warning[misspelled-directive]
// expect: 17:9 warning[misspelled-directive]
// expect: 20:9 warning[misspelled-directive]
// expect: 24:11 warning[misspelled-directive]
// expect: 27:9 warning[misspelled-directive]
// remedy: #pragma acc parallel
void f(int n, int *a) {
#pragma GCC unroll 4
#pragma ACC parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma accparallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma openacc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma acc_
  for (int i = 0; i < n; i++)
    a[i]++;
  if (n > 3)
  #pragma parallel loop
    for (int i = 0; i < n; i++)
      a[i]++;
#pragma OMP target
}
