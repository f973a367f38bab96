/* Floats seen as bits, with a tag and a union without a name. */
struct value {
  unsigned char tag;
  union { float f; unsigned u; int i; };
};
static struct value made(unsigned raw) {
  struct value v;
  v.tag = raw & 3;
  switch (v.tag) {
  case 0: v.f = (int)(raw >> 20) * 0.25f; break;
  case 1: v.i = -(int)(raw >> 8); break;
  default: v.u = raw ^ 0x3f800000u;
  }
  return v;
}
void work(const unsigned *in, unsigned *out) {
#pragma acc serial copyin(in[0:24]) copyout(out[0:24])
  for (int i = 0; i < 24; i++) {
    struct value v = made(in[i]), w = v;
    if (v.tag == 0) w.f = v.f * 2 - 1;
    else w.u += v.tag;
    out[i] = w.u ^ (v.i >> 1);
  }
}
