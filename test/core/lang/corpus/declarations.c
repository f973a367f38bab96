/* Declarators, storage classes, structs, enums, typedefs, attributes, redeclarations. */
#include <stdio.h>
#include <stdlib.h>
#include <stdarg.h>

typedef int T, *PT, A3[3], F(int, char *);
typedef struct node { struct node *next; union { int i; float f; struct { char a, b; }; }; unsigned bits : 3, : 2, more : 5; int : 0; char tail[]; } node;
extern int (*table[3])(int, ...);
int (*select_function(int n, F *f))(double);
int (*(*nested)(int (*)[3]))[4];
F declared_by_typedef;
char *const *volatile pointer_chain; const T const_typedef = 3; PT const const_pointer; const A3 const_array = {1, 2, 3};
static int tentative; static int tentative; extern int redeclared; int redeclared = 4; extern int redeclared;
static inline int early(int); int uses_early(void) { return early(3); } static inline int early(int a) { return a + 1; }
_Thread_local int per_thread; static __thread int per_thread_gnu = 2; _Alignas(32) char aligned_buffer[64]; _Alignas(double) char aligned_as_double;
extern int renamed __asm__("other_name"); int attributed __attribute__((aligned(64), unused)) = 1, plain = 2; _Noreturn void leave(void) { exit(1); }
struct __attribute__((packed)) tight { char c; int i; double d; }; struct loose { char c; int i; } __attribute__((aligned(32)));
struct { int unnamed_a, unnamed_b; } first_unnamed = {1, 2}, second_unnamed, *to_unnamed = &first_unnamed;
enum { ONE = 1, TWO, BIG = 1u << 31 } of_unnamed_enum = TWO; enum wide { HUGE_VALUE = 0x100000000 }; enum negative { MINUS = -1 };
volatile _Atomic int atomic_int; _Atomic(long) atomic_long; struct incomplete; struct incomplete *to_incomplete; union either { int i; double d; };
typedef int mode_int __attribute__((mode(DI))); typedef unsigned mode_byte __attribute__((mode(QI))); unsigned __int128 very_wide;
long unsigned int long reordered; short signed int also; const unsigned volatile char mixed = 3; double long extended; int restrict_param(int *restrict a, int *__restrict__ b) { return *a + *b; }
__extension__ typedef long long extension_type; __typeof__(first_unnamed.unnamed_a) typeof_expression; __typeof__(int[3]) typeof_type; 

int old_style(a, b, c, d) int a; char *b; float c; { return a + (b ? 1 : 0) + (int)c + d; }
int old_style_array(v) int v[]; { return v[1]; }
int variable(int n, int m, double a[n][m], double b[static 4], int c[restrict const], int f(int), int (*rows)[m]) {
  double t[n + 1][m], (*p)[m] = a; typedef int V[n]; V local; int q = sizeof(V) + sizeof t + sizeof t[0] + sizeof local;
  for (int i = 0, j = n; i < j; i++, --j) t[i][0] = p[i][0] + b[i];
  return f(c[0]) + (int)t[0][0] + q + rows[1][0];
}
int prototype_with_star(int n, int a[*], int b[n][*]);
int sum(int n, ...) { va_list ap, copy; va_start(ap, n); va_copy(copy, ap); int s = 0; while (n--) s += va_arg(ap, int); double d = va_arg(copy, double); va_end(ap); va_end(copy); return s + d; }
int shadowing(int T) { typedef char PT; { int PT = T; struct node { int other; } n = {PT}; T += n.other; enum { RED = 40 } e = RED; T += e; } PT c = 3; return T + c + sizeof(node); }
int block_declarations(void) { extern int redeclared; static int counter; int f(int); register int r = 2; auto int a = 3; struct local { int x; } l = {4}, *p = &l; return redeclared + counter++ + f(r) + a + p->x; }
T main(T argc, char **argv) { return printf("%d\n", argc); }
