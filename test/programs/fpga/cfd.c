/* Fluxes of an unstructured grid: four faces per cell, neighbours by index, edges that reflect or let through, five sums per cell. */
#include <math.h>
#include <stdio.h>
#ifndef CELLS
#define CELLS 47
#endif
#define FACES 4
#define VARS 5
#define GAMMA 1.4f
static float state[VARS * CELLS], old[VARS * CELLS], flux[VARS * CELLS], step[CELLS], area[CELLS];
static float normal[3 * FACES * CELLS];
static int neighbour[FACES * CELLS];

static float pressure(float density, float energy, float speed2) {
  return (GAMMA - 1) * (energy - 0.5f * density * speed2);
}

static void step_lengths(void) {
#pragma acc parallel loop present(state, area, step)
  for (int i = 0; i < CELLS; i++) {
    float density = state[i], u = state[CELLS + i] / density, v = state[2 * CELLS + i] / density;
    float w = state[3 * CELLS + i] / density, speed2 = u * u + v * v + w * w;
    float p = pressure(density, state[4 * CELLS + i], speed2);
    step[i] = 0.5f / (sqrtf(area[i]) * (sqrtf(speed2) + sqrtf(GAMMA * p / density)));
  }
}

static void fluxes(void) {
#pragma acc parallel loop present(state, flux, normal, neighbour)
  for (int i = 0; i < CELLS; i++) {
    float density = state[i], mx = state[CELLS + i], my = state[2 * CELLS + i], mz = state[3 * CELLS + i];
    float energy = state[4 * CELLS + i];
    float u = mx / density, v = my / density, w = mz / density, speed2 = u * u + v * v + w * w;
    float p = pressure(density, energy, speed2), sound = sqrtf(GAMMA * p / density);
    float f0 = 0, f1 = 0, f2 = 0, f3 = 0, f4 = 0;
    for (int j = 0; j < FACES; j++) {
      int other = neighbour[j * CELLS + i];
      float nx = normal[(j * 3 + 0) * CELLS + i], ny = normal[(j * 3 + 1) * CELLS + i];
      float nz = normal[(j * 3 + 2) * CELLS + i], length = sqrtf(nx * nx + ny * ny + nz * nz);
      if (other >= 0) {
        float d = state[other], x = state[CELLS + other], y = state[2 * CELLS + other], z = state[3 * CELLS + other];
        float e = state[4 * CELLS + other], ou = x / d, ov = y / d, ow = z / d, s2 = ou * ou + ov * ov + ow * ow;
        float q = pressure(d, e, s2);
        float factor = -length * 0.1f * (sqrtf(speed2) + sqrtf(s2) + sound + sqrtf(GAMMA * q / d));
        f0 += factor * (density - d) + 0.5f * (nx * (mx + x) + ny * (my + y) + nz * (mz + z));
        f1 += factor * (mx - x) + 0.5f * (nx * (mx * u + x * ou + p + q) + ny * (mx * v + x * ov) + nz * (mx * w + x * ow));
        f2 += factor * (my - y) + 0.5f * (nx * (my * u + y * ou) + ny * (my * v + y * ov + p + q) + nz * (my * w + y * ow));
        f3 += factor * (mz - z) + 0.5f * (nx * (mz * u + z * ou) + ny * (mz * v + z * ov) + nz * (mz * w + z * ow + p + q));
        f4 += factor * (energy - e) + 0.5f * (nx * u + ny * v + nz * w) * (energy + p);
      } else if (other == -1) {
        f1 += nx * p;
        f2 += ny * p;
        f3 += nz * p;
      } else {
        f0 += 0.5f * (nx * mx + ny * my + nz * mz);
        f4 += 0.25f * nx * (energy + p);
      }
    }
    flux[i] = f0;
    flux[CELLS + i] = f1;
    flux[2 * CELLS + i] = f2;
    flux[3 * CELLS + i] = f3;
    flux[4 * CELLS + i] = f4;
  }
}

static void advance(int stages) {
#pragma acc parallel loop collapse(2) present(state, old, flux, step)
  for (int k = 0; k < VARS; k++)
    for (int i = 0; i < CELLS; i++)
      state[k * CELLS + i] = old[k * CELLS + i] + step[i] / stages * flux[k * CELLS + i] * 0.01f;
}

int main(void) {
  for (int i = 0; i < CELLS; i++) {
    area[i] = 1 + i % 7 * 0.125f;
    state[i] = 1.2f + i % 5 * 0.05f;
    for (int k = 1; k < 4; k++) state[k * CELLS + i] = (i * (k + 3) % 9 - 4) * 0.03f;
    state[4 * CELLS + i] = 2.5f + i % 3 * 0.1f;
    for (int j = 0; j < FACES; j++) {
      neighbour[j * CELLS + i] = (i + j) % 11 == 0 ? -1 - (i + j) % 2 : (i * 7 + j * 13 + 1) % CELLS;
      for (int k = 0; k < 3; k++) normal[(j * 3 + k) * CELLS + i] = ((i + 2 * j + 3 * k) % 5 - 2) * 0.2f;
    }
  }
  for (int k = 0; k < VARS * CELLS; k++) old[k] = state[k];
#pragma acc data copy(state) copyin(old, normal, neighbour, area) create(flux, step)
  for (int n = 0; n < 2; n++) {
    step_lengths();
    fluxes();
    advance(2 - n);
  }
  for (int k = 0; k < VARS * CELLS; k++) printf("%.5g%c", state[k], k % 10 == 9 ? '\n' : ' ');
}
