/* The regions of regions.ts for OpenCL. */
__kernel void add(__global char *pm, long po, int value, int count) {
  __global int *p = (__global int *)(pm + po);
  int i = get_global_id(0);
  if (i < count) p[i] += value;
}
struct row { int factor; __global int *values; long sum; };
__kernel void scale(__global char *rm, long ro, int length) {
  __global struct row *row = (__global struct row *)(rm + ro) + get_group_id(0);
  row->sum = 0;
  for (int j = 0; j < length; j++) row->sum += row->values[j] *= row->factor;
}
