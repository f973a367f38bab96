/* Every operator, with operands whose types exercise promotions and conversions. */
#include <complex.h>
#include <stddef.h>
#include <stdint.h>

struct bits { unsigned a : 5; int b : 7; unsigned c : 32; _Bool d : 1; };
struct point { int x, y; };
enum color { RED, GREEN = 5, BLUE = GREEN + 2 };

int integers(char c, signed char sc, unsigned char uc, short s, unsigned short us, int i, unsigned u, long l, unsigned long ul, long long ll, _Bool b) {
  int r = 0;
  r += c + sc; r += uc * us; r += s - i; r += i / (u | 1); r += (int)(l % (ul | 1));
  r += c << 3; r += uc >> l; r += ~uc; r += -us; r += +sc; r += !ll; r += ll ^ ul; r |= u & l;
  r += i < u; r += l >= u; r += c == b; r += ul != ll; r += b && i || u; r += b + b;
  r <<= 2; r >>= (char)1; r ^= uc; r -= b; r *= s; r /= (i | 1); r %= 7u;
  return r + (i++ - --i) + (- -i) + (+ +i) - (-i) + (i, l, c);
}

double reals(float f, double d, long double ld, int i, uint64_t u, _Float128 q) {
  double r = f + 1; r += f * f; r += d / i; r += ld - u; r += i ? f : d; r += i ?: 2; r = -r; r += f++; r += (float)d + 1.0f;
  r += 0x1.8p3 + 1e-3f + 1.L + .5 + 5. + 1.5f16; r += q + 1; f += d; i += f; u *= d; i = r;
  return r > f && d <= i || !ld ? r : f + i;
}

double complex waves(double complex z, float complex w, double x, int n) {
  return z * x + w / n - x * I + __real__ z * __imag__ w + ~z + conj(z) + (n ? z : x) + (z == x) + 2.0i + n * 1.0fi;
}

long pointers(int *p, const int *q, void *v, const struct point *s, int (*f)(int), int a[4], int n) {
  long r = p - q; r += p == v; r += !p; r += p && q; r += *p + p[1] + 2[p] + *(p + 3) + s->x + (*s).y + (&s[1])->x;
  r += f(1) + (*f)(2) + (&*f)(3); r += n ? *p : 0; const void *w = n ? v : (void *)s; r += w != 0; p = n ? p : 0; q = n ? p : q;
  r += sizeof a + sizeof(int[3]) + sizeof *p + sizeof(struct point) + _Alignof(double) + __alignof__(short);
  p++; --q; p += n; q -= 2; r += &p[n] - &p[0]; r += (uintptr_t)p & 7; r += p > q; a = p; r += a == p;
  return r + offsetof(struct point, y) + (char *)q - (char *)p;
}

int bitfields(struct bits *b, enum color e) {
  b->a += 3; b->b = b->a - 40; b->c = ~b->c; b->d = b->a; int r = (b->a << 2) - b->b > -1; r += b->c - 1 < 0; r += (b->a = 9) - 10 < 0;
  r += b->a++ - 40 < 0; r += (0, b->a) - 33 < 0; r += 1 ? b->a : b->b; r += e + BLUE - RED; r += e > -1; e = r; e++; return r + e;
}

int constants(void) {
  int r = sizeof("abc" "de") + sizeof(L"ab") + sizeof(u8"x") + sizeof(u"ab") + sizeof(U"abc");
  r += 'a' + '\n' + '\x41' + '\101' + '\'' + L'\u20ac' + u'x' + U'y' + 'ab';
  r += 0x7fffffff + 0 + 017 + 0b1011 + 1u + 1l + 1ul + 1ll + 1ull; r += 0xffffffff > -1; r += 4294967296 > 0; r += -2147483647 - 1 < 0; r += 1 << 4 | 1;
  r += (unsigned char)300 + (signed char)200 + (_Bool)7 + (int)3.9 + (1 ? 2 : 3.0 > 2) + (2 > 1 && 0 || 5) + -7 / 2 + -7 % 3 + (-8 >> 1) + (5 & ~1);
  return r + 18446744073709551615ul % 10 + sizeof(char[sizeof(int) * 3]) + (3, 4);
}

int calls(int (*variadic)(const char *, ...), float f, char c, short s) {
  extern int unprototyped(); extern double proto(float, char, double);
  int r = variadic("%f %c", f, c, s, 1 ? c : s); r += unprototyped(f, c); r += proto(c, f, s); return r;
}
