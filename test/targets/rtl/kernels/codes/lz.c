/* LZ77: literals and copies out of the output itself. */
void work(const unsigned char *in, unsigned char *out, int *length) {
#pragma acc serial copyin(in[0:80]) copy(out[0:200], length[0:1])
  {
    int n = 0, i = 0;
    while (i < 78 && n < 180) {
      unsigned char token = in[i++];
      if (token < 160 || n < 8) {
        out[n++] = token;
        continue;
      }
      int back = (in[i++] & 7) + 1, run = (token & 15) + 3;
      const unsigned char *from = out + n - back;
      while (run-- > 0) out[n++] = *from++;
    }
    *length = n;
  }
}
