/* A packet's header in bit-fields, read, changed and written. */
struct header {
  unsigned version : 4, length : 4;
  unsigned ecn : 2, dscp : 6;
  unsigned total : 16;
  unsigned short id;
  unsigned short flags : 3, offset : 13;
  unsigned char ttl, protocol;
  unsigned short check;
  unsigned source, destination;
};
static unsigned folded(unsigned long sum) {
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return ~sum & 0xffff;
}
void work(const unsigned *in, unsigned *out) {
#pragma acc serial copyin(in[0:20]) copyout(out[0:20])
  for (int n = 0; n < 4; n++) {
    const unsigned *p = in + 5 * n;
    struct header h;
    h.version = p[0];
    h.length = p[0] >> 4;
    h.dscp = p[0] >> 8;
    h.ecn = p[0] >> 14;
    h.total = p[0] >> 16;
    h.id = p[1];
    h.flags = p[1] >> 16;
    h.offset = p[1] >> 19;
    h.ttl = p[2] ? p[2] - 1 : 0;
    h.protocol = p[2] >> 8;
    h.source = p[3];
    h.destination = p[4];
    struct header g = h;
    g.ttl--;
    g.flags++;
    g.offset -= 5;
    g.check = folded((unsigned long)g.source + g.destination + g.ttl + g.total);
    out[5 * n] = g.version | g.length << 4 | g.ecn << 8 | g.dscp << 10 | g.total << 16;
    out[5 * n + 1] = g.id | g.flags << 16 | g.offset << 19;
    out[5 * n + 2] = g.ttl | g.protocol << 8 | g.check << 16;
    out[5 * n + 3] = g.source ^ h.ttl;
    out[5 * n + 4] = g.destination;
  }
}
