// A section of an array of pointers is not one piece of memory.
// expect: 4:44 error[non-contiguous-section]
void f(int n, float **m) {
#pragma acc parallel loop collapse(2) copy(m[0:n][0:n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = 0;
}
