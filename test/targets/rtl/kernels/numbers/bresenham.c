/* Bresenham's lines into a frame of bits. */
static void line(unsigned char frame[16], int x0, int y0, int x1, int y1) {
  int dx = x1 > x0 ? x1 - x0 : x0 - x1, sx = x0 < x1 ? 1 : -1;
  int dy = -(y1 > y0 ? y1 - y0 : y0 - y1), sy = y0 < y1 ? 1 : -1, error = dx + dy;
  while (1) {
    frame[y0] |= 1 << x0;
    if (x0 == x1 && y0 == y1) break;
    int twice = 2 * error;
    if (twice >= dy) { error += dy; x0 += sx; }
    if (twice <= dx) { error += dx; y0 += sy; }
  }
}
void work(const unsigned char *ends, unsigned char *out) {
#pragma acc serial copyin(ends[0:24]) copyout(out[0:16])
  {
    unsigned char frame[16] = {0};
    for (int i = 0; i < 6; i++) line(frame, ends[4 * i] & 7, ends[4 * i + 1] & 15, ends[4 * i + 2] & 7, ends[4 * i + 3] & 15);
    for (int y = 0; y < 16; y++) out[y] = frame[y];
  }
}
