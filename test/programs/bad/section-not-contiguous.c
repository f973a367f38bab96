// A block of columns of a matrix is not one piece of memory.
// expect: 4:44 error[non-contiguous-section]
void f(float m[20][30]) {
#pragma acc parallel loop collapse(2) copy(m[0:20][5:10])
  for (int i = 0; i < 20; i++)
    for (int j = 5; j < 15; j++)
      m[i][j] = 0;
}
