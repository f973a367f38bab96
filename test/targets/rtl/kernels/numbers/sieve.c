/* The sieve of Eratosthenes in bits. */
void work(int *primes, int *count) {
#pragma acc serial copy(primes[0:60], count[0:1])
  {
    unsigned char composite[32] = {0};
    int n = 0;
    for (int i = 2; i < 250; i++) {
      if (composite[i >> 3] >> (i & 7) & 1) continue;
      primes[n++] = i;
      for (int k = i * i; k < 250; k += i) composite[k >> 3] |= 1 << (k & 7);
    }
    *count = n;
  }
}
