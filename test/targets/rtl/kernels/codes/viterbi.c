/* A Viterbi decoder of rate 1/2 and four states, with a traceback. */
void work(const unsigned char *in, unsigned char *out) {
#pragma acc serial copyin(in[0:40]) copyout(out[0:40])
  {
    unsigned char from[40][4];
    int metric[4] = {0, 100, 100, 100};
    for (int t = 0; t < 40; t++) {
      int next[4];
      for (int s = 0; s < 4; s++) {
        int best = 1 << 20;
        for (int b = 0; b < 2; b++) {
          int p = (s << 1 & 3) | b, input = s >> 1;
          int code = (input ^ p >> 1 ^ (p & 1)) << 1 | (input ^ (p & 1));
          int wrong = code ^ (in[t] & 3);
          int cost = metric[p] + (wrong >> 1) + (wrong & 1);
          if (cost < best) best = cost, from[t][s] = p;
        }
        next[s] = best;
      }
      for (int s = 0; s < 4; s++) metric[s] = next[s];
    }
    int s = 0;
    for (int k = 1; k < 4; k++)
      if (metric[k] < metric[s]) s = k;
    for (int t = 39; t >= 0; t--) {
      out[t] = s >> 1;
      s = from[t][s];
    }
  }
}
