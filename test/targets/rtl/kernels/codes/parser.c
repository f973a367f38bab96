/* Numbers out of text: signs, decimals and hexadecimals, and what is no number. */
static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int value_of(char c) {
  if (is_digit(c)) return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
void work(const unsigned char *noise, int *out) {
#pragma acc serial copyin(noise[0:20]) copy(out[0:20])
  {
    const char text[] = "12, -7;0x1f, +44 zz 0XabC;  9999-1";
    int n = 0;
    for (const char *p = text; *p;) {
      int sign = 1, base = 10, value = 0;
      if (*p == '-' || *p == '+') sign = *p++ == '-' ? -1 : 1;
      if (!is_digit(*p)) { p++; continue; }
      if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) { base = 16; p += 2; }
      for (int d; (d = value_of(*p)) >= 0 && d < base; ++p) value = value * base + d;
      out[n] = sign * value + noise[n];
      n++;
    }
  }
}
