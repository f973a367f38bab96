static int offset = 2;

static int helper(int i) { return i * 20; }

static int fill(int *a, int n) {
#pragma acc parallel loop copyout(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = helper(i) + offset;
  return a[n - 1];
}

int other(int *a, int n) { return fill(a, n); }
