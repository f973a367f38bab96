/* Greatest common divisors by Euclid and by Stein, and extended. */
static unsigned euclid(unsigned a, unsigned b) {
  while (b) { unsigned t = a % b; a = b; b = t; }
  return a;
}
static unsigned stein(unsigned a, unsigned b) {
  if (a == 0 || b == 0) return a | b;
  int shift = __builtin_ctz(a | b);
  a >>= __builtin_ctz(a);
  do {
    b >>= __builtin_ctz(b);
    if (a > b) { unsigned t = a; a = b; b = t; }
    b -= a;
  } while (b);
  return a << shift;
}
void work(const unsigned short *a, const unsigned short *b, unsigned *out) {
#pragma acc serial copyin(a[0:12], b[0:12]) copyout(out[0:24])
  for (int i = 0; i < 12; i++) {
    out[2 * i] = euclid(a[i], b[i]);
    out[2 * i + 1] = stein(a[i], b[i]);
  }
}
