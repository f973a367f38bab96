// A function of the user's has the name of one that translated code calls.
// expect: 4:1 error[reserved-name]
// remedy: another name
static int arc_wait(int *a, int n) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i]++;
  return n;
}

int wait(int *a, int n) { return arc_wait(a, n); }
