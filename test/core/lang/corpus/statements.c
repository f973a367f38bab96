/* Control flow, with and without braces. */
int puts(const char *);
int branches(int a, int b) {
  if (a) if (b) return 1; else return 2;
  if (a > 3) { if (b) return 3; } else return 4;
  if (a) ; else if (b) a++; else { b++; }
  if (a) do a--; while (a > 0); else while (b) b--;
  for (;;) if (a++ > 5) break; else continue;
  return a;
}
int switches(int x) {
  switch (x) { case 1: case 2: x++; case 3 ... 7: return 4; default: break; case 'a': { x = 2; break; } }
  switch (x) case 9: return 5;
  switch (x & 3) { int y; case 0: y = x; x += y; break; case 1: for (x = 0; x < 3; x++) { case 2: x += 2; } }
  return x;
}
void jumps(int i) { static void *labels[] = {&&a, &&b}; goto *labels[i]; a: puts("a"); b: __attribute__((unused)) puts("b"); if (i) goto end; c: goto a; end:; }
int loops(int n) { int s = 0, i; for (i = 0; i < n; i++) s += i; for (int j = n, *p = &j; j; --*p) s += j; while (n-- > 0) { if (n == 3) continue; s++; } do { s--; } while (0); return s; }
int local_labels(int n) { int r = ({ __label__ out; int q = n; if (q) goto out; q = 3; out: q + 1; }); { __label__ out; if (r) goto out; r = 4; out: r++; } return r; }
void assembly(int *p) { __asm__ volatile("" : "+m"(*p) : : "memory"); asm(""); }
int asserts(void) { _Static_assert(sizeof(int) == 4, "int"); int a = 1; _Static_assert(1, "mixed"); a++; int b = a; return a + b; }
int fallthrough(int x) { switch (x) { case 1: x++; __attribute__((fallthrough)); case 2: x--; } return x; }
