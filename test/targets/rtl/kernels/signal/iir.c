/* Two second-order sections of an IIR filter, whose state is an array of structs. */
struct section { int b0, b1, b2, a1, a2; };
struct state { long long w1, w2; };
static int step(const struct section *s, struct state *q, int x) {
  long long w = ((long long)x << 14) - s->a1 * (q->w1 >> 14) - s->a2 * (q->w2 >> 14);
  long long y = s->b0 * (w >> 14) + s->b1 * (q->w1 >> 14) + s->b2 * (q->w2 >> 14);
  q->w2 = q->w1;
  q->w1 = w;
  return (int)(y >> 14);
}
void work(const short *x, int *y) {
#pragma acc serial copyin(x[0:60]) copyout(y[0:60])
  {
    const struct section sections[2] = {{1000, 2000, 1000, -15000, 6000}, {900, -300, 900, -9000, 3000}};
    struct state states[2] = {{0, 0}, {0, 0}};
    for (int n = 0; n < 60; n++) {
      int v = x[n];
      for (int k = 0; k < 2; k++) v = step(&sections[k], &states[k], v);
      y[n] = v;
    }
  }
}
