/* Braces, designators, brace elision, strings, compound literals. */
struct pair { int a, b; }; struct deep { struct pair p[2]; char name[4]; union { float f; int i; } u; struct { short s; } in; };
static const char *names[] = {[0] = "red", [7] = "blue" "ish", };
int flat[] = {1, 2, [10] = 3, 4}, ranged[] = {[0 ... 3] = 7, [2] = 1}, matrix[2][3] = {1, 2, 3, 4}, rows[][2] = {{1}, {2, 3}, 4, 5};
struct pair pairs[] = {1, 2, 3, 4, {5, 6}}, designated = {.b = 1, .a = 2.5}, old_gnu = {a: 3, b: 4};
struct deep deep = {1, 2, {3, 4}, "abc", {.i = 5}, 6}, deeper = {.p[1].b = 2, .p[0] = {1, 2}, .name = {'x', 'y'}, .u.i = 3, .in.s = 4}, *to = &(struct deep){.u = {2.5}};
struct deep array_of[] = {[1].p[0].a = 5, 6, [0] = {{{1}}}};
struct hidden { int a; struct { int b, c; }; union { int d; float e; }; int f; } hidden[] = {{.b = 1, 2, 3, 4}, {.e = 5, 6}, 1, 2, 3, 4, 5};
char text[] = "hello", cut[2] = "hi", braced[] = {"in braces"}, chars[] = {'a', 66, '\0'}; unsigned short wide[] = u"wide";
float converted[] = {1, 2.5, 'a', 3u}; double from_float = 1.5f; unsigned char truncated = 300; _Bool truth = 0.5; void *null = 0; long address = (long)&flat[2];
int (*functions[])(void) = {0}; int empty_braces[3] = {};
int f(int n) { int v[4] = {n, n + 1}; struct pair p = {n}, q = (struct pair){n, .b = n * 2}, r = p; struct pair many[2] = {p, {r.b, 2}}; int *a = (int[]){1, 2, n}; static int s[] = {1, 2, 3};
  struct deep d = {.p = {p, q}, .in = {n}}; return v[1] + q.b + many[0].a + a[2] + s[n & 1] + d.p[1].b + ((char[4]){"xyz"})[1] + (struct pair){1, 2}.a; }
