/* k-means of points in a plane. */
typedef struct { int x, y; } point;
void work(const int *x, const int *y, unsigned char *label) {
#pragma acc serial copyin(x[0:32], y[0:32]) copyout(label[0:32])
  {
    point centre[3] = {{0, 0}, {50, 200}, {200, 50}};
    for (int round = 0; round < 3; round++) {
      point sum[3] = {{0}};
      int members[3] = {0};
      for (int i = 0; i < 32; i++) {
        int best = 0, least = 0x7fffffff;
        for (int k = 0; k < 3; k++) {
          int dx = (x[i] & 255) - centre[k].x, dy = (y[i] & 255) - centre[k].y, d = dx * dx + dy * dy;
          if (d < least) { least = d; best = k; }
        }
        label[i] = best;
        sum[best].x += x[i] & 255;
        sum[best].y += y[i] & 255;
        members[best]++;
      }
      for (int k = 0; k < 3; k++)
        if (members[k]) centre[k] = (point){sum[k].x / members[k], sum[k].y / members[k]};
    }
  }
}
