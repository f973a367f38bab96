/* Run lengths of bytes, encoded and decoded again. */
void work(const unsigned char *in, unsigned char *code, unsigned char *back, int *n) {
#pragma acc serial copyin(in[0:60]) copy(code[0:120], back[0:60], n[0:1])
  {
    int at = 0;
    for (int i = 0; i < 60;) {
      unsigned char v = in[i] & 3, run = 1;
      while (i + run < 60 && run < 255 && (in[i + run] & 3) == v) run++;
      code[at++] = run;
      code[at++] = v;
      i += run;
    }
    *n = at;
    for (int i = 0, to = 0; i < at; i += 2)
      for (int k = code[i]; k; --k) back[to++] = code[i + 1];
  }
}
