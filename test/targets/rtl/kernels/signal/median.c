/* The median of nine by exchanges in a local array, through a function with pointers. */
static void order(unsigned char *a, unsigned char *b) {
  if (*a > *b) { unsigned char t = *a; *a = *b; *b = t; }
}
static unsigned char median(unsigned char p[9]) {
  for (int i = 0; i < 5; i++)
    for (int j = 0; j + 1 < 9 - i; j++) order(&p[j], &p[j + 1]);
  return p[4];
}
void work(const unsigned char *in, unsigned char *out) {
#pragma acc serial copyin(in[0:80]) copy(out[0:80])
  for (int y = 1; y < 7; y++)
    for (int x = 1; x < 9; x++) {
      unsigned char p[9];
      int n = 0;
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) p[n++] = in[(y + j) * 10 + x + i];
      out[y * 10 + x] = median(p);
    }
}
