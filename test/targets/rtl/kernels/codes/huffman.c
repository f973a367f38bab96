/* Decoding canonical Huffman codes from a stream of bits. */
struct bits { unsigned hold; int count, next; };
static int bit(struct bits *s, const unsigned char *in) {
  if (s->count == 0) {
    s->hold = in[s->next++ & 31];
    s->count = 8;
  }
  int b = s->hold & 1;
  s->hold >>= 1;
  s->count--;
  return b;
}
void work(const unsigned char *in, unsigned char *out) {
#pragma acc serial copyin(in[0:32]) copyout(out[0:48])
  {
    static const unsigned char lengths[5] = {0, 1, 1, 1, 2}, symbols[5] = {'a', 'b', 'c', 'd', 'e'};
    struct bits s = {0};
    for (int n = 0; n < 48; n++) {
      int code = 0, first = 0, index = 0, symbol = -1;
      for (int len = 1; len <= 4; len++) {
        code |= bit(&s, in);
        int count = lengths[len];
        if (code - count < first) {
          symbol = symbols[index + (code - first)];
          break;
        }
        index += count;
        first = (first + count) << 1;
        code <<= 1;
      }
      out[n] = symbol < 0 ? '?' : symbol;
    }
  }
}
