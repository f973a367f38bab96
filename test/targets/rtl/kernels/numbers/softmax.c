/* Softmax by powers of two and a division, in integers. */
static unsigned power(int x) { /* 2^(x / 256), x <= 0 */
  int whole = -(x >> 8), part = x & 255;
  unsigned f = 65536 + part * 178 + (part * part * 78 >> 8);
  return whole > 30 ? 0 : f >> whole;
}
void work(const short *x, unsigned short *y) {
#pragma acc serial copyin(x[0:12]) copyout(y[0:12])
  {
    unsigned e[12], sum = 0;
    short most = x[0];
    for (int i = 1; i < 12; i++) most = x[i] > most ? x[i] : most;
    for (int i = 0; i < 12; i++) sum += e[i] = power(x[i] - most);
    for (int i = 0; i < 12; i++) y[i] = (unsigned short)(((unsigned long long)e[i] << 16) / (sum + 1ull));
  }
}
