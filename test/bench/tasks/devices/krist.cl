/* Structure factors of nr reflections h: each group keeps 128 atoms (weight, x, y, z) at a time. nr and na are multiples of 128. */
__kernel void krist(int na, int nr, __global const float *a, __local float *kept, __global const float *h,
                    __global float *e) {
  int i = get_global_id(0), l = get_local_id(0), group = get_local_size(0);
  float real = 0, imaginary = 0, x = h[3 * i], y = h[3 * i + 1], z = h[3 * i + 2];
  for (int at = 0; at < na; at += group) {
    for (int k = 0; k < 4; k++) kept[4 * l + k] = a[4 * (at + l) + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < group; k++) {
      float angle = 6.2831853f * (kept[4 * k + 1] * x + kept[4 * k + 2] * y + kept[4 * k + 3] * z);
      real += kept[4 * k] * native_cos(angle);
      imaginary += kept[4 * k] * native_sin(angle);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  e[i] = real * real + imaginary * imaginary;
}
