// A length of two dimensions where a subscript stands: the loops inside end at its factors.
// expect: 6:34 warning[one-element]
// remedy: say create(image[0:20 * n])
#define W 20
void f(int n, float *image, float *out) {
#pragma acc parallel loop create(image[W * n]) copyout(out[0:n])
  for (int y = 0; y < n; y++) {
    for (int x = 0; x < W; x++)
      image[y * W + x] = x * y;
    out[y] = image[y * W];
  }
}
