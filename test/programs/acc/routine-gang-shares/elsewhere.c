#pragma acc routine gang
void elsewhere(int n, int *a) {
#pragma acc loop
  for (int i = 0; i < n; i++)
    a[i] += 1000;
}
