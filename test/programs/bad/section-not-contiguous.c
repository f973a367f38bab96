// Rows behind an array of arrays of pointers: there is no one table of them.
// expect: 4:44 error[non-contiguous-section]
void f(int n, float *(*m)[30]) {
#pragma acc parallel loop collapse(2) copy(m[0:n][0:5][0:n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 5; j++)
      m[i][j][0] = 0;
}
