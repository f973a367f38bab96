/* nanos_omp.h: runtime routines of OmpSs that programs call. */
#pragma GCC system_header
#ifndef NANOS_OMP_H
#define NANOS_OMP_H
#ifdef __cplusplus
extern "C" {
#endif

/* How many devices of OpenCL, CUDA and HIP there are on which tasks with kernels of their own can run. */
int nanos_get_total_num_devices(void);

#ifdef __cplusplus
}
#endif
#endif
