/* Which branch target_device selects: the arguments are the kinds that the default device has. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

static int anywhere(void) { return 0; }
static int on_gpu(void) { return 1; }
static int on_cpu(void) { return 2; }
#pragma omp declare variant(on_gpu) match(target_device={kind(gpu)})
#pragma omp declare variant(on_cpu) match(target_device={kind(cpu, nohost)})
static int chosen(void) { return anywhere(); }

/* 1: of a GPU, 2: of a CPU, 0: of neither, by directives in a region. */
static int in_region(void) {
  int kind = -1;
#pragma omp target map(tofrom: kind)
  {
    int gpu = 0;
#pragma omp metadirective when(target_device={kind(gpu)}: nothing) otherwise(parallel for)
    for (int i = 0; i < 1; i++) gpu = 1;
    kind = gpu ? chosen() : -1;
  }
  return kind;
}

int main(int argc, char **argv) {
  int found = 0, wrong = 0, a[100] = {0};
  const int device = omp_get_default_device();
#pragma omp metadirective when(target_device={kind(gpu)}: target teams distribute parallel for map(a)) \
    otherwise(simd)
  for (int i = 0; i < 100; i++) a[i] = omp_is_initial_device() ? 2 : 1;
  printf("metadirective %s\n", a[99] == 1 ? "gpu" : "no gpu");
  for (int i = 0; i < 100; i++) wrong += a[i] != a[99];

#pragma omp begin metadirective when(target_device={device_num(device), kind(nohost)}: nothing) otherwise(nothing)
  found = chosen();
#pragma omp end metadirective
  printf("variant %s\n", found == 1 ? "gpu" : found == 2 ? "cpu" : "host");
  for (int k = chosen(); k < chosen(); k++) wrong++;

  found = in_region();
  printf("region %s\n", found == 1 ? "gpu" : found == 2 ? "cpu" : "unknown");

  omp_set_default_device(omp_get_initial_device());
  int host = 0;
#pragma omp metadirective when(target_device={kind(host)}: nothing) otherwise(parallel num_threads(1))
  host = 1;
  printf("host %s %d\n", chosen() == 0 ? "host" : "device", host);
  return wrong + (argc > 2 && strcmp(argv[1], argv[2]) != 0);
}
