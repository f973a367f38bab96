/* Sobel's gradient with its pixels read from memory. */
static int absolute(int v) { return v < 0 ? -v : v; }
void work(const unsigned char (*restrict in)[12], unsigned char (*restrict out)[12]) {
#pragma acc serial copyin(in[0:10][0:12]) copy(out[0:10][0:12])
  for (int y = 1; y < 9; y++)
    for (int x = 1; x < 11; x++) {
      int gx = in[y - 1][x + 1] + 2 * in[y][x + 1] + in[y + 1][x + 1] - in[y - 1][x - 1] - 2 * in[y][x - 1] - in[y + 1][x - 1];
      int gy = in[y + 1][x - 1] + 2 * in[y + 1][x] + in[y + 1][x + 1] - in[y - 1][x - 1] - 2 * in[y - 1][x] - in[y - 1][x + 1];
      int g = absolute(gx) + absolute(gy);
      out[y][x] = g > 255 ? 255 : g;
    }
}
