/* Knuth-Morris-Pratt, and the plain search beside it. */
void work(const unsigned char *noise, int *found) {
#pragma acc serial copyin(noise[0:120]) copyout(found[0:40])
  {
    const char needle[] = "abab";
    int fail[5], n = 0;
    fail[0] = -1;
    for (int i = 1, k = -1; i <= 4; i++) {
      while (k >= 0 && needle[k] != needle[i - 1]) k = fail[k];
      fail[i] = ++k;
    }
    for (int i = 0; i < 40; i++) found[i] = -1;
    for (int i = 0, k = 0; i < 120; i++) {
      char c = 'a' + (noise[i] & 1);
      while (k >= 0 && needle[k] != c) k = fail[k];
      if (++k == 4) {
        found[n++ % 40] = i - 3;
        k = fail[k];
      }
    }
  }
}
