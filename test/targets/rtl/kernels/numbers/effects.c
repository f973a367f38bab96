/* Conditions with side effects, chosen lvalues, commas, and loops left from inside. */
static int next(int *state) { return *state = *state * 1103515245 + 12345 & 0x7fffffff; }
void work(const int *in, int *out) {
#pragma acc serial copyin(in[0:30]) copyout(out[0:30])
  {
    int seed = in[0], hits = 0, misses = 0, i = 0;
    int *counter[2] = {&hits, &misses};
    do {
      int a = in[i], b = 0;
      if ((a & 1 && next(&seed) & 1) || (b = next(&seed)) > a) hits += 1 + (b & 3);
      else if (!(a & 2) && (b += 5, b & 4)) misses++;
      *(a & 4 ? &hits : &misses) += 2;
      ++*counter[(a >> 3) & 1];
      for (int k = 0, m = a & 15; k < 20; k += 3) {
        if (k == 9 && m) continue;
        if ((m -= 2) < 0) break;
        b += k ? k * m : m--;
      }
      out[i] = b ^ hits << 4 ^ misses << 12;
    } while (++i < 30);
  }
}
