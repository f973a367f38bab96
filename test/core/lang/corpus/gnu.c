/* GNU C: statement expressions, typeof, vectors, builtins, _Generic, 128-bit integers, atomics. */
#include <stdatomic.h>
#include <stddef.h>
#include <tgmath.h>
#define MAX(a, b) ({ __typeof__(a) left = (a); __auto_type right = (b); left > right ? left : right; })
typedef float v4 __attribute__((vector_size(16))); typedef int i4 __attribute__((vector_size(16)));
v4 vectors(v4 a, v4 b, i4 m) { v4 r = a * b + (v4){1, 2, 3, 4}; i4 c = a > b; r += (v4)(c & m); r[1] = r[0] + 2; return r + __builtin_shuffle(a, b, m) * 2.0f - -a; }
int generics(float f, char *s, const int *p, int a[3]) { return _Generic(f, int: 1, float: 2, default: 3) + _Generic(s, char *: 4, default: 5) + _Generic(p, const int *: 6, int *: 7) + _Generic(a, int *: 8) + _Generic((char)1, char: 9) + _Generic("x", char *: 10) + _Generic(1 ? f : 1, float: 11); }
int maximum(int a, int b) { return MAX(a, MAX(b, 3)) + MAX(1.5, a) + __extension__(a + 1); }
unsigned __int128 wide(unsigned __int128 a, __int128_t b, unsigned long c) { return a * c + b + (a >> 64) + (__int128)c; }
double tg(double d, float f, int i, long double l, double _Complex z) { return sqrt(d) + sin(f) + pow(i, d) + fabs(l) + creal(exp(z)) + fma(f, f, d) + cabs(z); }
int builtins(int x, int *p, double d, void *v) { int r = __builtin_expect(x > 1, 0) + __builtin_popcount(x) + __builtin_clzl(x | 1) + __builtin_constant_p(x) + __builtin_types_compatible_p(int, __typeof__(x)) + __builtin_choose_expr(1, x, d) + __builtin_isnan(d) + (__builtin_object_size(v, 0) > 1); r += __builtin_add_overflow(x, 1, p); __builtin_memcpy(p, &x, sizeof x); if (__builtin_bswap32(x) > 5) __builtin_unreachable(); return r + __builtin_offsetof(struct { int a; int b[4]; }, b[2]) + __builtin_fabs(d) + __builtin_huge_val() + __builtin_nanf(""); }
int atomics(_Atomic int *a, atomic_long *l, int *p) { int expected = 2; atomic_fetch_add(a, 3); atomic_store(l, 4); *a += 2; int r = atomic_load(a) + *l + atomic_compare_exchange_strong(a, &expected, 5); r += __sync_fetch_and_add(p, 1) + __atomic_load_n(p, __ATOMIC_SEQ_CST); return r; }
int elvis(int a, int b) { return (a ?: b) + (a++ ?: 3); } const char *where(void) { return __func__ + sizeof(__FUNCTION__) - sizeof __PRETTY_FUNCTION__; }
void *label_difference(int i) { static const int offsets[] = {&&one - &&one, &&two - &&one}; goto *(&&one + offsets[i]); one: return &&two; two: return 0; }
int zero_length(void) { struct { int n; int data[0]; } z = {3}; struct {} nothing; return z.n + sizeof nothing + sizeof z; } int case_ranges(int c) { switch (c) { case 'a' ... 'z': return 1; case 0 ... 9: return 2; } return 0; }
long void_arithmetic(void *p, int (*f)(void)) { return (char *)(p + 3) - (char *)p + sizeof(void) + sizeof(*f) + (long)(f + 1); } int unicode(void) { int caf\u00e9 = 1, größe = 2; return café + größe + sizeof "ü\u00fc" + L'ü'; } 
typedef short s4 __attribute__((vector_size(8))); typedef int i4s __attribute__((vector_size(16))); i4s converted(s4 v) { return __builtin_convertvector(v, i4s) + __builtin_convertvector(v, i4s); }
__float80 x87(__float80 a) { return a * 2 + __real__ __builtin_complex(1.0f, 2.0f); } const char *names(void) { const char *a = __func__; return a == __func__ ? __FUNCTION__ : __PRETTY_FUNCTION__; }
