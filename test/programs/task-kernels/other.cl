struct window {
  int columns, scale;
};
__kernel void saxpy_other(struct window w, int rows, __global int *out) {
  int column = get_global_id(0), row = get_global_id(1);
  out[row * w.columns + column] += row * 100 + column * w.scale;
}
__kernel void saxpy(int n, __global int *out) {
  if (get_global_id(0) < (size_t)n) out[get_global_id(0)]++;
}
