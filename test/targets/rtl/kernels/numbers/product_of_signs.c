/* A product through partial results, whose loop has another one of unknown length in it. */
void work(const int *restrict p, float *restrict r, short *restrict q) {
#pragma acc parallel copyin(p[0:8]) copy(r[0:1], q[0:1])
  {
    float x = r[0];
#pragma acc loop reduction(*:x)
    for (int i = 0; i < 20; i++) {
      if (p[i & 7] & 4)
        for (int k = -3; k <= (p[2] & 7); k += 2) q[0] = (q[0] + k + i) & 1023;
      x *= p[i & 3] & 1 ? -1 : 1;
    }
    r[0] = x;
  }
}
