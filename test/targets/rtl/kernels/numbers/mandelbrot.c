/* Mandelbrot's set in fixed point. */
void work(unsigned char *out) {
#pragma acc serial copyout(out[0:60])
  for (int py = 0; py < 6; py++)
    for (int px = 0; px < 10; px++) {
      int cx = (px - 7) * 1400, cy = (py - 3) * 1400, x = 0, y = 0, n;
      for (n = 0; n < 30; n++) {
        int xx = (x * x) >> 12, yy = (y * y) >> 12;
        if (xx + yy > 4 << 12) break;
        y = ((x * y) >> 11) + cy;
        x = xx - yy + cx;
      }
      out[py * 10 + px] = n;
    }
}
