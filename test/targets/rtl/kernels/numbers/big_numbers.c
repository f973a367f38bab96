/* Numbers of 256 bits: a sum, a product, a comparison. */
typedef struct { unsigned d[8]; } big;
static big added(big a, const big *b) {
  unsigned long long carry = 0;
  for (int i = 0; i < 8; i++) {
    carry += (unsigned long long)a.d[i] + b->d[i];
    a.d[i] = (unsigned)carry;
    carry >>= 32;
  }
  return a;
}
static int compared(const big *a, const big *b) {
  for (int i = 7; i >= 0; i--)
    if (a->d[i] != b->d[i]) return a->d[i] < b->d[i] ? -1 : 1;
  return 0;
}
void work(const unsigned *a, const unsigned *b, unsigned *sum, unsigned *product, int *order) {
#pragma acc serial copyin(a[0:8], b[0:8]) copyout(sum[0:8], product[0:16], order[0:1])
  {
    big x, y;
    for (int i = 0; i < 8; i++) { x.d[i] = a[i]; y.d[i] = b[i]; }
    big z = added(x, &y);
    for (int i = 0; i < 8; i++) sum[i] = z.d[i];
    unsigned p[16] = {0};
    for (int i = 0; i < 8; i++) {
      unsigned long long carry = 0;
      for (int j = 0; j < 8; j++) {
        carry += (unsigned long long)x.d[i] * y.d[j] + p[i + j];
        p[i + j] = (unsigned)carry;
        carry >>= 32;
      }
      p[i + 8] = (unsigned)carry;
    }
    for (int i = 0; i < 16; i++) product[i] = p[i];
    *order = compared(&x, &y) * 10 + compared(&z, &z);
  }
}
