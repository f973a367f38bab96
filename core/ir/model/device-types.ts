/** Values of OpenACC's acc_device_t in arc's openacc.h and its runtime. */
export const deviceTypes = {
  none: 0,
  default: 1,
  host: 2,
  not_host: 3,
  nvidia: 4,
  radeon: 5,
  current: 6,
  opencl: 7,
} as const;
