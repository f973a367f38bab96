/* IMA ADPCM: a state machine of predictions with tables. */
static const short steps[89] = {7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767};
static const signed char moves[8] = {-1, -1, -1, -1, 2, 4, 6, 8};
struct coder { int predicted, index; };
static unsigned char encode(struct coder *c, short sample) {
  int step = steps[c->index], diff = sample - c->predicted, code = 0, delta = step >> 3;
  if (diff < 0) { code = 8; diff = -diff; }
  if (diff >= step) { code |= 4; diff -= step; delta += step; }
  if (diff >= (step >>= 1)) { code |= 2; diff -= step; delta += step; }
  if (diff >= (step >>= 1)) { code |= 1; delta += step; }
  c->predicted += code & 8 ? -delta : delta;
  if (c->predicted > 32767) c->predicted = 32767;
  else if (c->predicted < -32768) c->predicted = -32768;
  c->index += moves[code & 7];
  c->index = c->index < 0 ? 0 : c->index > 88 ? 88 : c->index;
  return code;
}
void work(const short *in, unsigned char *out) {
#pragma acc serial copyin(in[0:80]) copyout(out[0:40])
  {
    struct coder c = {0, 0};
    for (int i = 0; i < 80; i += 2) {
      unsigned char low = encode(&c, in[i]);
      out[i / 2] = low | encode(&c, in[i + 1]) << 4;
    }
  }
}
