/* Pressure and energy of a material in a chain of twenty loops over its elements, all in one region: one kernel. */
#include <math.h>
#include <stdio.h>
#ifndef N
#define N 61
#endif
static float e_old[N], p_old[N], q_old[N], delvc[N], compression[N], half[N], work[N], vnewc[N];
static float p_new[N], e_new[N], q_new[N], bvc[N], pbvc[N], p_half[N], sound[N];
static int list[N];

static void evaluate(float p_min, float e_min, float e_cut, float q_cut, float rho) {
#pragma acc parallel num_gangs(1) num_workers(1) vector_length(1) copy(e_old, p_old, q_old, delvc, vnewc, work) \
    copyin(list) create(compression, half, bvc, pbvc, p_half) copyout(p_new, e_new, q_new, sound)
  {
#pragma acc loop
    for (int i = 0; i < N; i++) compression[i] = 1 / vnewc[list[i]] - 1;
#pragma acc loop
    for (int i = 0; i < N; i++) half[i] = 1 / (vnewc[list[i]] - delvc[i] * 0.5f) - 1;
#pragma acc loop
    for (int i = 0; i < N; i++)
      if (vnewc[i] <= 0.5f) half[i] = compression[i];
#pragma acc loop
    for (int i = 0; i < N; i++)
      if (vnewc[i] >= 1.5f) p_old[i] = compression[i] = half[i] = 0;
#pragma acc loop
    for (int i = 0; i < N; i++) work[i] = 0;
#pragma acc loop
    for (int i = 0; i < N; i++) e_new[i] = e_old[i] - 0.5f * delvc[i] * (p_old[i] + q_old[i]) + 0.5f * work[i];
#pragma acc loop
    for (int i = 0; i < N; i++) e_new[i] = e_new[i] < e_min ? e_min : e_new[i];
#pragma acc loop
    for (int i = 0; i < N; i++) bvc[i] = 2.0f / 3 * (half[i] + 1);
#pragma acc loop
    for (int i = 0; i < N; i++) pbvc[i] = 2.0f / 3;
#pragma acc loop
    for (int i = 0; i < N; i++) p_half[i] = bvc[i] * e_new[i];
#pragma acc loop
    for (int i = 0; i < N; i++) {
      if (fabsf(p_half[i]) < e_cut) p_half[i] = 0;
      if (p_half[i] < p_min) p_half[i] = p_min;
    }
#pragma acc loop
    for (int i = 0; i < N; i++) {
      float v = 1 / (1 + half[i]);
      if (delvc[i] > 0) q_new[i] = 0;
      else {
        float s = (pbvc[i] * e_new[i] + v * v * bvc[i] * p_half[i]) / rho;
        s = s <= 0.1111111e-36f ? 0.3333333e-18f : sqrtf(s);
        q_new[i] = s * q_old[i] + q_old[i];
      }
    }
#pragma acc loop
    for (int i = 0; i < N; i++)
      e_new[i] += 0.5f * delvc[i] * (3 * (p_old[i] + q_old[i]) - 4 * (p_half[i] + q_new[i]));
#pragma acc loop
    for (int i = 0; i < N; i++) e_new[i] += 0.5f * work[i];
#pragma acc loop
    for (int i = 0; i < N; i++) {
      if (fabsf(e_new[i]) < e_cut) e_new[i] = 0;
      if (e_new[i] < e_min) e_new[i] = e_min;
    }
#pragma acc loop
    for (int i = 0; i < N; i++) bvc[i] = 2.0f / 3 * (compression[i] + 1);
#pragma acc loop
    for (int i = 0; i < N; i++) p_new[i] = fmaxf(bvc[i] * e_new[i], p_min);
#pragma acc loop
    for (int i = 0; i < N; i++) {
      float s = delvc[i] > 0 ? 0 : (pbvc[i] * e_new[i] + bvc[i] * p_new[i]) / rho;
      e_new[i] -= (7 * (p_old[i] + q_old[i]) - 8 * (p_half[i] + q_new[i]) + p_new[i] + s) * delvc[i] / 6;
    }
#pragma acc loop
    for (int i = 0; i < N; i++) p_new[i] = fmaxf(bvc[i] * e_new[i], p_min);
#pragma acc loop
    for (int i = 0; i < N; i++) {
      if (delvc[i] <= 0 && fabsf(q_new[i]) < q_cut) q_new[i] = 0;
      float s = (pbvc[i] * e_new[i] + vnewc[list[i]] * vnewc[list[i]] * bvc[i] * p_new[i]) / rho;
      sound[i] = s <= 0.1111111e-36f ? 0.3333333e-18f : sqrtf(s);
    }
  }
}

int main(void) {
  for (int i = 0; i < N; i++) {
    list[i] = i * 17 % N;
    vnewc[i] = 0.3f + i * 11 % 19 * 0.075f;
    delvc[i] = (i * 5 % 13 - 6) * 0.02f;
    e_old[i] = i % 6 * 0.4f - 0.3f;
    p_old[i] = i % 7 * 0.2f;
    q_old[i] = i % 4 * 0.1f;
  }
  evaluate(-0.1f, -0.2f, 1e-6f, 1e-6f, 1.25f);
  for (int i = 0; i < N; i++) printf("%.5g %.5g %.5g %.5g\n", p_new[i], e_new[i], q_new[i], sound[i]);
}
