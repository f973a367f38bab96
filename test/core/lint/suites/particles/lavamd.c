#include <stdio.h>
#include <stdlib.h>
#include <math.h>

typedef struct { float x, y, z, q; } particle;
enum { boxes = 16, each = 10 };
static particle p[boxes * each];
static float force[boxes * each][3];
static int neighbours[boxes][3];
int main(void) {
  for (int i = 0; i < boxes * each; i++) {
    p[i].x = i % 7;
    p[i].y = i % 11;
    p[i].z = i % 13;
    p[i].q = 0.1f * (i % 3);
  }
  for (int b = 0; b < boxes; b++)
    for (int k = 0; k < 3; k++) neighbours[b][k] = (b + k) % boxes;
#pragma acc parallel loop gang copyin(p, neighbours) copyout(force)
  for (int b = 0; b < boxes; b++) {
#pragma acc loop vector
    for (int i = 0; i < each; i++) {
      float fx = 0, fy = 0, fz = 0;
      for (int k = 0; k < 3; k++)
        for (int j = 0; j < each; j++) {
          particle a = p[b * each + i], o = p[neighbours[b][k] * each + j];
          float dx = a.x - o.x, dy = a.y - o.y, dz = a.z - o.z;
          float w = expf(-(dx * dx + dy * dy + dz * dz)) * o.q;
          fx += w * dx;
          fy += w * dy;
          fz += w * dz;
        }
      force[b * each + i][0] = fx;
      force[b * each + i][1] = fy;
      force[b * each + i][2] = fz;
    }
  }
  float s = 0;
  for (int i = 0; i < boxes * each; i++) s += fabsf(force[i][0]) + fabsf(force[i][1]) + fabsf(force[i][2]);
  printf("%.3f\n", s);
  return 0;
}
