// A loop in order around loops of one gang that is left in several ways: by a test of two parts, by break, by continue.
#include <stdio.h>

#define N 210

static int a[N], b[2][N], c[N];

static int more(int t) { return t < 5 && a[t] < 1000; }

static void begin(void) {
  for (int k = 0; k < N; k++) {
    a[k] = k * 7 % 61;
    b[0][k] = b[1][k] = c[k] = 0;
  }
}

/* The result of one kind of loop, and that of the first five rounds. */
static int wrong(const char *what, int without) {
  int errors = 0;
  for (int k = 0; k < N; k++) {
    int sum = 0;
    for (int t = 0; t < 5; t++)
      if (t != without) sum += a[N - 1 - k] + t;
    errors += c[k] != sum;
  }
  if (errors) printf("%s: %d elements are wrong\n", what, errors);
  return errors;
}

/* One round: rows are read backwards, so that no loop may begin before the one in front of it ends. */
#define ROUND(t)                                                            \
  _Pragma("acc loop gang independent") for (int i = 0; i < N; i++)          \
      b[(t) & 1][i] = a[i] + (t);                                           \
  _Pragma("acc loop gang independent") for (int r = 0; r < N / 7; r++) {    \
    _Pragma("acc loop vector") for (int q = 0; q < 7; q++) {                \
      int i = r * 7 + q;                                                    \
      c[i] += b[(t) & 1][N - 1 - i];                                        \
    }                                                                       \
  }

int main(void) {
  int errors = 0;

  begin();
#pragma acc kernels copy(a, b, c)
  {
    int t = 0;
    while (t < 5 && a[t] < 1000) {
      ROUND(t)
      t++;
    }
  }
  errors += wrong("while", -1);

  begin();
#pragma acc kernels copy(a, b, c)
  {
    int t = 0;
    while (t < 5) {
      if (a[t] >= 1000) break;
      ROUND(t)
      t++;
    }
  }
  errors += wrong("break", -1);

  begin();
#pragma acc kernels copy(a, b, c)
  {
    int t = 0;
    for (;;) {
      int goes = t < 5;
      if (goes) goes = a[t] < 1000;
      if (!goes) break;
      ROUND(t)
      t++;
      if (t == 9) break;
    }
  }
  errors += wrong("two breaks", -1);

  begin();
#pragma acc kernels copy(a, b, c)
  {
    int t = -1;
    do {
      t++;
      if (t == 3 || a[t] > 1000) continue;
      ROUND(t)
    } while (t < 4 && a[t] < 1000);
  }
  errors += wrong("do", 3);

  begin();
#pragma acc kernels copy(a, b, c)
  {
    int t = 0;
    for (int go = 1; go ? more(t) : 0; t++) {
      ROUND(t)
      if (a[t] > 1000 && t > 2) break;
    }
  }
  errors += wrong("for", -1);
  return errors != 0;
}
