// A pointer that is null on the host is null in the region: arrays that a caller may leave out.
// arc: items>1
#include "check.h"
#include <stddef.h>

#define N 1009

struct field {
  int n;
  float *weight;
};

static void scaled(int n, const float *weight, float *y) {
#pragma acc parallel loop copyin(weight[0:n]) copy(y[0:n])
  for (int i = 0; i < n; i++)
    y[i] = weight == NULL ? y[i] + 1 : y[i] * weight[i];
}

static void without_section(int n, const float *weight, float *y) {
#pragma acc parallel loop copy(y[0:n])
  for (int i = 0; i < n; i++) {
    if (weight)
      y[i] *= weight[i];
    else
      y[i] += 1;
  }
}

static void member(struct field f, float *y) {
#pragma acc parallel loop copy(y[0:f.n])
  for (int i = 0; i < f.n; i++)
    y[i] += !f.weight ? 1 : f.weight[i];
}

/* Null pointers meet pointers into memory of every kind. */
static float first(const float *p) { return p == NULL ? 10 : p != (const float *)0 ? *p : -1; }

static void chosen(int n, const float *weight, float *y) {
#pragma acc parallel loop copyin(weight[0:n]) copy(y[0:n])
  for (int i = 0; i < n; i++) {
    float own[2] = {1, 2}, *near = i % 2 ? own : NULL;
    const float *far = i % 3 ? weight : NULL;
    y[i] = first(near) + first(far) + (far == NULL) + (near ? *(near ? near : NULL) : 0) + first(i % 5 ? own : NULL);
  }
}

/* The last of several expressions, which is no null pointer constant. */
static void counted(int n, const float *weight, float *y) {
#pragma acc parallel loop copyin(weight[0:n]) copy(y[0:n])
  for (int i = 0; i < n; i++) {
    int seen = 0;
    float own[2] = {1, 2}, *near = own;
    const float *far = weight;
    if (i % 2) near = (seen++, (void *)0);
    far = i % 3 ? (seen++, far) : (seen += 2, (const float *)NULL);
    y[i] = first(near) + first(far) + 100 * seen;
  }
}

int main(void) {
  static float weight[N], y[N];
  for (int i = 0; i < N; i++) weight[i] = 2, y[i] = i;
  scaled(N, NULL, y);
  scaled(N, weight, y);
  for (int i = 0; i < N; i++) EXPECT_AT(i, y[i], 2 * (i + 1));
#pragma acc data copyin(weight)
  {
    without_section(N, NULL, y);
    without_section(N, weight, y);
  }
  for (int i = 0; i < N; i++) EXPECT_AT(i, y[i], 4 * i + 6);
  member((struct field){N, NULL}, y);
  for (int i = 0; i < N; i++) EXPECT_AT(i, y[i], 4 * i + 7);
  chosen(N, weight, y);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, y[i], (i % 2 ? 2 : 10) + (i % 3 ? 2 : 11) + (i % 5 ? 1 : 10));
  counted(N, weight, y);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, y[i], (i % 2 ? 110 : 1) + (i % 3 ? 102 : 210));
  return report();
}
