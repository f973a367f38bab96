// What "C" \ it is: é
__kernel void saxpy(int n, float a, __global const float *x, __global float *y) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}

__kernel void block_sums(int n, __global const float *values, __local float *scratch, __global float *sums) {
  int i = get_global_id(0), l = get_local_id(0);
  scratch[l] = i < n ? values[i] : 0;
  for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) scratch[l] += scratch[l + step];
  }
  if (l == 0) sums[get_group_id(0)] = scratch[0];
}
