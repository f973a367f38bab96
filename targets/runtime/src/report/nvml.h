/*
 * nvml.h: the energy that NVIDIA GPUs count since their driver was loaded (NVIDIA Management Library, from Volta on). The
 * library comes with the driver and is loaded at run time: $ARC_NVML_LIBRARY, else libnvidia-ml.so.1.
 */
#ifndef ARC_NVML_H
#define ARC_NVML_H
#include <stdbool.h>
#include <stdint.h>

typedef struct arc_nvml_gpu *arc_nvml_gpu;

/* The GPU at this place on PCI ("0000:1b:00.0"), if it counts; NULL, with arc_reason(). */
arc_nvml_gpu arc_nvml_open(const char *bus);
/* False, with arc_reason(). The counter is the whole GPU's, and moves in steps. Thread-safe. */
bool arc_nvml_energy(arc_nvml_gpu, uint64_t *millijoules);

#endif
