/* The same in OpenMP's words, with what is the host's own. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N 256

struct particle {
  float position[3];
  uint32_t cell;
  union {
    int number;
    float weight;
  } of;
};

#pragma omp declare target
static int bucket(float value, int buckets) {
  int found = (int)(value * buckets);
  while (found >= buckets) found--;
  return found < 0 ? 0 : found;
}
#pragma omp end declare target

static void histogram(const float *values, int *counts, int n, int buckets) {
#pragma omp target teams distribute parallel for map(to : values[0 : n]) map(tofrom : counts[0 : buckets])
  for (int k = 0; k < n; k++) {
    int at = bucket(values[k], buckets);
#pragma omp atomic update
    counts[at]++;
  }
}

static float largest(const struct particle *particles, int n) {
  float most = 0;
#pragma omp target teams distribute parallel for simd reduction(max : most) map(to : particles[0 : n])
  for (int k = 0; k < n; k++) {
    float sum = 0;
    for (int axis = 0; axis < 3; axis++) sum += particles[k].position[axis] * particles[k].position[axis];
    if (sum > most) most = sum;
  }
  return most;
}

static long host(const int *counts, int n) {
  long sum = 0;
  int steps = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) firstprivate(steps)
  for (int k = 0; k < n; k++) {
    do steps++;
    while (steps < 3);
    sum += counts[k] << (steps & 1);
  }
  return sum;
}

int main(void) {
  static float values[N];
  int counts[16] = {0};
  struct particle *particles = calloc(N, sizeof(struct particle));
  bool odd = false;
  for (int k = 0; k < N; k++, odd = !odd) {
    values[k] = (k * 37 % N) / (float)N;
    for (int axis = 0; axis < 3; axis++) particles[k].position[axis] = odd ? values[k] : -values[k];
  }
#pragma omp target data map(to : values) map(tofrom : counts)
  histogram(values, counts, N, 16);
  printf("%d %g %ld\n", counts[3], largest(particles, N), host(counts, 16));
  free(particles);
  return 0;
}
