/* Functions in functions, early returns, structs by value and by pointer. */
struct range { int low, high; };
static struct range joined(struct range a, struct range b) {
  struct range r = {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
  return r;
}
static int clipped(struct range r, int v) {
  if (v < r.low) return r.low;
  if (v > r.high) return r.high;
  return v;
}
static int digits(int v) {
  int n = 1;
  if (v < 0) v = -v;
  while (v >= 10) { v /= 10; if (++n > 4) return 9; }
  return n;
}
static int graded(const struct range *r, int v) {
  for (int k = 0; k < 3; k++) {
    int d = digits(v >> k);
    if (d == 9) return -k;
    if (clipped(*r, v >> k) == v >> k) return d * 10 + k;
  }
  return 99;
}
void work(const int *in, int *out) {
#pragma acc serial copyin(in[0:30]) copyout(out[0:30])
  {
    struct range r = {-5, 5};
    for (int i = 0; i < 30; i++) {
      int v = in[i] % 3000;
      out[i] = graded(&r, v);
      if (i % 7 == 3) r = joined(r, (struct range){v / 8, v / 4});
    }
  }
}
