/* G.711: mu-law of samples and back. */
static unsigned char to_mulaw(int v) {
  int sign = v < 0 ? 0x80 : 0, segment = 7;
  if (sign) v = -v;
  if (v > 32635) v = 32635;
  v += 0x84;
  for (int mask = 0x4000; !(v & mask) && segment > 0; mask >>= 1) segment--;
  return ~(sign | segment << 4 | (v >> (segment + 3) & 15));
}
static short from_mulaw(unsigned char u) {
  u = ~u;
  int t = ((u & 15) << 3) + 0x84;
  t <<= u >> 4 & 7;
  return u & 0x80 ? 0x84 - t : t - 0x84;
}
void work(const short *in, unsigned char *code, short *back) {
#pragma acc serial copyin(in[0:50]) copyout(code[0:50], back[0:50])
  for (int i = 0; i < 50; i++) {
    code[i] = to_mulaw(in[i]);
    back[i] = from_mulaw(code[i]);
  }
}
