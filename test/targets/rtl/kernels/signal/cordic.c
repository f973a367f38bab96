/* CORDIC rotation: shifts and adds, with a table of angles. */
static const int angles[14] = {12868, 7596, 4014, 2037, 1023, 512, 256, 128, 64, 32, 16, 8, 4, 2};
static void rotate(int angle, int *cosine, int *sine) {
  int x = 9949, y = 0, z = angle;
  for (int k = 0; k < 14; k++) {
    int dx = y >> k, dy = x >> k;
    if (z >= 0) { x -= dx; y += dy; z -= angles[k]; }
    else { x += dx; y -= dy; z += angles[k]; }
  }
  *cosine = x;
  *sine = y;
}
void work(const short *a, int *c, int *s) {
#pragma acc serial copyin(a[0:24]) copyout(c[0:24], s[0:24])
  for (int i = 0; i < 24; i++) rotate(a[i] % 25000, &c[i], &s[i]);
}
