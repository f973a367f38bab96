// Places and values in the shapes that are rewritten for devices: through assignments, steps, statement expressions,
// literals, bit-fields, rows of variable length, jumps over declarations, and GCC's functions of bits.
#include <stdio.h>

#pragma GCC diagnostic ignored "-Wbool-operation"
#define N 64
struct parts {
  unsigned lo : 5;
  int mid : 7;
  unsigned hi : 20;
  unsigned char c;
};

struct row {
  int v[4];
  int *p;
};
static struct parts *next(struct parts *s, int *k) {
  (*k)++;
  return s + *k;
}

static int first(const int *p) { return *p; }

static int *second(int *p) { return p + 1; }

/* Pointers to rows whose length is a parameter move by rows. */
static int sum(int m, int (*rows)[m], int n) {
  int (*p)[m] = rows, s = 0;
  for (int k = 0; k < n; k++, p++) s += (*p)[k % m];
  p -= 2;
  s += 10 * p[0][1];
  p += 1;
  s += p[0][0];
  int (*q)[m] = p--;
  s += (*q)[1] - (*p)[0];
  s += (++p)[0][1];
  return s;
}

/* Jumps over declarations with values. */
static int jump(int x) {
  switch (x & 7) {
    int early;
    case 0: {
      int z = 3;
      early = z;
      goto out;
    }
    case 1:
      early = 2;
      int later = early + 1;
      if (x > 30) goto out;
      early += later;
    case 2: early = x; break;
    default: {
      int w[3] = {1, x, 3};
      if (x & 8) goto in;
      early = w[1];
    in:
      early = w[2] + x;
    }
    out:
      early += 100;
  }
  int y = 7;
  if (x == 5) goto end;
  y = x * 2;
end:
  return y + x;
}

static int a[N], b[N], c[N], m[N][5];
static struct parts s[N + 8];
static _Bool t[N];
static unsigned u[N];
static unsigned long ul[N];
static double d[N];

int main(void) {
  for (int i = 0; i < N; i++) {
    a[i] = i * 7 % 31;
    b[i] = i;
    t[i] = i & 1;
    u[i] = i * 2654435761u;
    ul[i] = i * 0x9e3779b97f4a7c15ul;
    for (int k = 0; k < 5; k++) m[i][k] = i + k;
    s[i].lo = i;
    s[i].mid = -i;
    s[i].hi = i * 1000;
  }
#pragma acc parallel loop copy(a, b, c, t, d) copy(s) copyin(m, u, ul)
  for (int i = 0; i < N; i++) {
    int own[6] = {1, 2, 3, a[i], 5, 6}, *p = own, *q;
    c[i] = (q = p + 1)[0];
    c[i] += *p++;
    c[i] += *&own[2] + first(&(*p)) + *({ int *z = own + 3; z; })
            + (i & 1 ? p : q)[1] + *second(own) + (*(int (*)[6])own)[4];
    c[i] += *++p * 100;
    c[i] += p[-1] * 1000 + (int)(p - own) + (p > q);
    c[i] += *(p += 2);
    c[i] += *--p;
    c[i] += *p--;
    q = i & 2 ? own : &own[1];
    c[i] += *q + (int)(&own[5] - q) + (q ?: p)[0];
    struct row rr = {{1, 2, a[i], 4}, own};
    rr.p++;
    c[i] += *rr.p + rr.p[1] + rr.v[2] + *(rr.v + 3) + (&rr)->p[0];
    struct row *rp = &rr;
    rp->p += 2;
    c[i] += *rp->p++;
    c[i] += *rp->p;
    struct parts bb[4] = {{1, -2, 3, 4}, {31, -64, 0xfffff, 255}, {.hi = 9}};
    int e = 0;
    next(bb, &e)->lo += 3;
    bb[e++].mid--;
    bb[e].hi = bb[e].lo++ + bb[0].mid;
    next(bb, &e)->mid = 2;
    c[i] += bb[0].mid + bb[1].lo * 3 + bb[1].mid * 5 + bb[2].hi * 7 + bb[2].lo + bb[3].mid * 11 + e + bb[1].c;
    struct parts *sp = &s[i];
    sp->lo ^= 9;
    sp->mid -= 3;
    (*sp).hi >>= 2;
    sp->c = sp->mid;
    int post = sp->mid++;
    c[i] += post + (sp->lo = i * 3);
    c[i] += --sp->hi;
    _Bool f = t[i];
    int g = f++;
    g = g * 2 + f;
    g = g * 2 + f--;
    g = g * 2 + f;
    g = g * 2 + --f;
    t[i]--;
    c[i] += g;
    int w = 0;
    _Bool tt[3] = {0, 1, 0};
    tt[w++]--;
    tt[w++]++;
    c[i] += tt[0] + tt[1] * 2 + w * 4;
    c[i] += __builtin_ctz(u[i] | 64) + __builtin_parity(u[i]) * 3 + __builtin_popcountl(ul[i])
            + __builtin_clz(u[i] | 1) + (__builtin_bswap32(u[i]) >> 9) + (int)(__builtin_bswap64(ul[i]) >> 50)
            + __builtin_bswap16(u[i]) + __builtin_ffs(u[i]) + __builtin_ffsl(ul[i])
            + __builtin_ctzl(ul[i] | 1ul << 60) + __builtin_parityl(ul[i]) + __builtin_clzl(ul[i] | 1);
    c[i] += sum(5, m + i % 50, 6) + jump(i);
    int arr[3][2] = {{1}, [2] = {[1] = i}};
    int (*ap)[2] = arr;
    c[i] += ap[2][1];
    c[i] += (*++ap)[0];
    c[i] += (ap++)[0][1];
    c[i] += (*ap)[1];
    struct { struct { int x, y; } in[2]; char n[4]; } nest = {{{1, 2}, [1].y = i}, "ab"};
    c[i] += nest.in[1].y + nest.in[0].y + nest.n[1] + nest.n[3];
    int v2 = ((struct row){{9, 8, i}, own}).v[2] + ((int[]){4, i, 6})[1];
    c[i] += v2;
    b[i] = c[i] > 100 ? a[i]++ : --a[i];
    b[i] += (a[i] += 2, a[i] * 2);
    d[i] = (i ? 1.0 / i : __builtin_inf()) + __builtin_isinf(i / 0.5e-300 * 1e200)
           + (__builtin_isnan(d[i]) ? 1 : 2) + __builtin_fpclassify(0, 1, 2, 3, 4, d[i]);
  }
  for (int i = 0; i < N; i++)
    printf("%d %d %d %d %d %d %d %d %g\n", a[i], b[i], c[i], t[i], s[i].lo, s[i].mid, s[i].hi, s[i].c, d[i]);
}
