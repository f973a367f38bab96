/* What one function leaves on the device, and another one reads on the host: main, which calls both, shows it. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 200 };

static double *kept, *half, *back, *refreshed, *copied;

static void discard(void) {
#pragma omp target enter data map(to: kept[0:N])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    kept[i] *= 2;
#pragma omp target exit data map(release: kept[0:N])
}

static void give_half(void) {
#pragma acc enter data copyin(half[0:N])
#pragma acc parallel loop present(half[0:N])
  for (int i = 0; i < N; i++)
    half[i] *= 2;
#pragma acc exit data copyout(half[0:N/2])
}

static void give_back(void) {
#pragma acc enter data copyin(back[0:N])
#pragma acc parallel loop present(back[0:N])
  for (int i = 0; i < N; i++)
    back[i] *= 2;
#pragma acc exit data copyout(back[0:N])
}

static void copy_in_only(void) {
#pragma omp target teams distribute parallel for map(to: copied[0:N])
  for (int i = 0; i < N; i++)
    copied[i] += 1;
}

static void leave_there(void) {
#pragma acc enter data copyin(refreshed[0:N])
#pragma acc parallel loop present(refreshed[0:N])
  for (int i = 0; i < N; i++)
    refreshed[i] *= 2;
}

static void refresh(void) {
#pragma acc update self(refreshed[0:N])
}

static double sum_of_kept(void) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s += kept[i]; /* expect: lost-result */
  return s;
}

static double sum_of_half(void) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s += half[i]; /* expect: lost-result */
  return s;
}

static double sum_of_first_half(void) {
  double s = 0;
  for (int i = 0; i < N / 2; i++)
    s += half[i];
  return s;
}

static double sum_of_back(void) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s += back[i];
  return s;
}

static double sum_of_copied(void) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s += copied[i]; /* expect: lost-result */
  return s;
}

static double sum_of_refreshed(void) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s += refreshed[i];
  return s;
}

int main(void) {
  double s = 0;
  kept = malloc(N * sizeof(double));
  half = malloc(N * sizeof(double));
  back = malloc(N * sizeof(double));
  refreshed = malloc(N * sizeof(double));
  copied = malloc(N * sizeof(double));
  for (int i = 0; i < N; i++)
    kept[i] = half[i] = back[i] = refreshed[i] = copied[i] = i;
  discard();
  s += sum_of_kept();
  give_half();
  s += sum_of_half();
  s += sum_of_first_half();
  give_back();
  s += sum_of_back();
  copy_in_only();
  s += sum_of_copied();
  leave_there();
  refresh();
  s += sum_of_refreshed();
  printf("%f\n", s);
  return 0;
}
