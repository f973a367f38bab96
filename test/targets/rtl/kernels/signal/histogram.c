/* A histogram in a local array, its prefix sum, and equalisation. */
void work(const unsigned char *in, unsigned char *out) {
#pragma acc serial copyin(in[0:200]) copyout(out[0:200])
  {
    unsigned bins[256];
    for (int i = 0; i < 256; i++) bins[i] = 0;
    for (int i = 0; i < 200; i++) bins[in[i]]++;
    for (int i = 1; i < 256; i++) bins[i] += bins[i - 1];
    for (int i = 0; i < 200; i++) out[i] = bins[in[i]] * 255 / 200;
  }
}
