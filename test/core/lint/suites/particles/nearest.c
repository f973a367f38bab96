#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 300 };
static float lat[n], lon[n], d[n];
int main(void) {
  for (int i = 0; i < n; i++) {
    lat[i] = i * 7 % 90;
    lon[i] = i * 13 % 180;
  }
#pragma acc parallel loop copyin(lat, lon) copyout(d)
  for (int i = 0; i < n; i++) d[i] = sqrtf((lat[i] - 30) * (lat[i] - 30) + (lon[i] - 90) * (lon[i] - 90));
  int best = 0;
  for (int i = 1; i < n; i++)
    if (d[i] < d[best]) best = i;
  printf("%d %.3f\n", best, d[best]);
  return 0;
}
