/* A systolic array: cells in registers pass operands right and down. */
#define N 4
typedef struct { int a, b, sum; } cell;
void work(const int *a, const int *b, int *c) {
#pragma acc serial copyin(a[0:16], b[0:16]) copyout(c[0:16])
  {
    cell grid[N][N];
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) grid[i][j] = (cell){0, 0, 0};
    for (int t = 0; t < 3 * N - 2; t++)
      for (int i = N - 1; i >= 0; i--)
        for (int j = N - 1; j >= 0; j--) {
          int k = t - i - j;
          int x = j > 0 ? grid[i][j - 1].a : t - i >= 0 && t - i < N ? a[i * N + t - i] : 0;
          int y = i > 0 ? grid[i - 1][j].b : t - j >= 0 && t - j < N ? b[(t - j) * N + j] : 0;
          if (k >= 0 && k < N) grid[i][j].sum += x * y;
          grid[i][j].a = x;
          grid[i][j].b = y;
        }
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) c[i * N + j] = grid[i][j].sum;
  }
}
