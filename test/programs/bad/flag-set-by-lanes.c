// Lanes that find something set the gang's 'found', which could have had any value; several of them may set it at once.
// expect: 9:13 warning[set-by-lanes]
// remedy: for a flag say reduction(max:found) if it is set and reduction(min:found) if it is cleared; else declare it inside the loop
void f(int n, int *restrict a, int *restrict q) {
#pragma acc parallel loop gang copyin(a[0:n * 64]) copyout(q[0:n])
  for (int i = 0; i < n; i++) {
    int found = a[i * 64];
    int other = 0;
#pragma acc loop vector
    for (int j = 0; j < 64; j++) {
      if (a[i * 64 + j] == 3) found = 1;
      other = a[i * 64 + j];
      a[i * 64 + j] = other + 1;
    }
    q[i] = found;
  }
}
