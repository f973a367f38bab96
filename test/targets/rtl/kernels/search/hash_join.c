/* A hash join with linear probing. */
struct slot { unsigned key, value; _Bool used; };
void work(const unsigned *keys, const unsigned *values, const unsigned *probes, int *joined) {
#pragma acc serial copyin(keys[0:24], values[0:24], probes[0:30]) copyout(joined[0:30])
  {
    struct slot table[64] = {{0}};
    for (int i = 0; i < 24; i++) {
      unsigned key = keys[i] & 127, at = key * 7 & 63;
      while (table[at].used && table[at].key != key) at = (at + 1) & 63;
      table[at] = (struct slot){key, values[i], 1};
    }
    for (int i = 0; i < 30; i++) {
      unsigned key = probes[i] & 127, at = key * 7 & 63;
      int value = -1;
      for (; table[at].used; at = (at + 1) % 64)
        if (table[at].key == key) {
          value = table[at].value & 0xffff;
          break;
        }
      joined[i] = value;
    }
  }
}
