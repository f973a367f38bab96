/* Groups of sizes that do not divide the number of work-items, and of more. */
enum { N = 1000 };

#pragma omp target device(cuda) ndrange(1, n, 128) file(saxpy.cu)
#pragma omp task in([n]x) inout([n]y)
void saxpy(int n, float a, float *x, float *y);

struct window {
  int columns, scale;
};
#pragma omp target device(cuda) ndrange(2, w.columns, rows, 16, 16) file(twice.cu) name(saxpy)
#pragma omp task inout([rows][w.columns]out)
void add(struct window w, int rows, int *out);

int main(void) {
  static float x[N], y[N];
  static int out[64][64];
  saxpy(N, 2, x, y);
#pragma omp taskwait
  saxpy(100, 2, x, y);
#pragma omp taskwait
  add((struct window){64, 1}, 64, &out[0][0]);
  return 0;
}
