//: 5.5.8 reduction of complex numbers, and of an array of them
#include <complex.h>
TEST(reduction_complex) {
  double complex s = 0, p = 1, parts[3] = {0};
  float complex f = 0;
#pragma omp target teams distribute parallel for reduction(+ : s, f) map(tofrom: s, f)
  for (int i = 0; i < 64; i++) {
    s += i + 2.0 * i * I;
    f += 1.0f - 1.0f * I;
  }
#pragma omp target parallel for reduction(* : p) map(tofrom: p)
  for (int i = 0; i < 8; i++)
    p *= 1.0 * I;
#pragma omp target teams distribute parallel for reduction(+ : parts) map(tofrom: parts)
  for (int i = 0; i < 64; i++)
    parts[i % 3] += i * I;
  CHECK(creal(s) == 2016 && cimag(s) == 4032 && crealf(f) == 64 && cimagf(f) == -64);
  CHECK(cabs(p - 1) < 1e-12 && cimag(parts[0] + parts[1] + parts[2]) == 2016 && cimag(parts[1]) == 651);
  return 0;
}

//: 5.5.8 reduction by max and min of what functions return
static double of_square(double a) { return a * a - 3; }
TEST(reduction_of_calls) {
  double high = -1e9, low = 1e9, x[64], highest = -1e9, lowest = 1e9;
  int m = -1000, most = -1000;
  for (int i = 0; i < 64; i++)
    x[i] = (i * 37 % 64) - 20.5;
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: high, low, m) reduction(max : high, m)        \
    reduction(min : low)
  for (int i = 0; i < 64; i++) {
    high = fmax(high, fabs(x[i]));
    low = fmin(of_square(x[i]), low);
    m = m > (int)lround(x[i]) ? m : (int)lround(x[i]);
  }
  for (int i = 0; i < 64; i++) {
    highest = fmax(highest, fabs(x[i]));
    lowest = fmin(of_square(x[i]), lowest);
    most = most > (int)lround(x[i]) ? most : (int)lround(x[i]);
  }
  CHECK(high == highest && low == lowest && m == most);
  return 0;
}

//: 13.8 switch, goto and loops that break, in a region
static int walk(int i) {
  int k = i, s = 0;
again:
  switch (k % 4) {
  case 0:
    s += 1;
    k++;
    goto again;
  case 1:
    s += 10;
    break;
  case 2:
    s += 100; /* fall through */
  default:
    s += 1000;
  }
  if (s > 2000)
    goto out;
  while (1) {
    if (s % 7 == 0)
      break;
    s++;
    if (s > 5000)
      goto out;
  }
  do {
    s--;
  } while (s % 5);
out:
  return s;
}
TEST(jumps) {
  int a[64];
#pragma omp target teams distribute parallel for map(from: a)
  for (int i = 0; i < 64; i++) {
    int k = i, s = 0;
  again:
    switch (k % 4) {
    case 0:
      s += 1;
      k++;
      goto again;
    case 1:
      s += 10;
      break;
    case 2:
      s += 100; /* fall through */
    default:
      s += 1000;
    }
    while (1) {
      if (s % 7 == 0)
        break;
      s++;
      if (s > 5000)
        goto out;
    }
    do {
      s--;
    } while (s % 5);
  out:
    a[i] = s - walk(i);
  }
  for (int i = 0; i < 64; i++)
    CHECK(a[i] == 0);
  return 0;
}

//: 13.8 unions, bit-fields, compound literals and _Generic in a region
TEST(objects_of_c) {
  union {
    double d;
    unsigned long long u;
    unsigned char b[8];
  } u[8];
  struct {
    unsigned a : 5, b : 11;
    signed c : 7;
    unsigned long long d : 40;
  } f[8];
  double o[3];
  long sizes[3];
#pragma omp target map(from: u, f, o, sizes)
  {
#pragma omp parallel for
    for (int i = 0; i < 8; i++) {
      u[i].d = i;
      u[i].u ^= 1ull << 63;
      f[i].a = i + 30;
      f[i].b = i * 100;
      f[i].c = -i;
      f[i].d = (1ull << (32 + i % 8)) + i;
    }
    double *q = (double[]){1, 2, 3};
    static const int table[4] = {3, 1, 2, 0};
    for (int i = 0; i < 3; i++)
      o[i] = q[i] + table[i];
    float x = 1;
    sizes[0] = sizeof(x);
    sizes[1] = _Generic(x, float: 11, double: 22, default: 33);
    sizes[2] = sizeof(o) / sizeof(*o);
  }
  for (int i = 0; i < 8; i++) {
    CHECK(u[i].d == -(double)i && f[i].a == ((i + 30) & 31) && f[i].b == i * 100 && f[i].c == -i);
    CHECK(f[i].d == (1ull << (32 + i % 8)) + i);
  }
  CHECK(o[0] == 4 && o[2] == 5 && sizes[0] == 4 && sizes[1] == 11 && sizes[2] == 3);
  return 0;
}

//: 13.6 rows that are entered and left one by one, and attached to their table
TEST(rows_one_by_one) {
  int n = 8, m = 5;
  double **a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++) {
    a[i] = malloc(m * sizeof **a);
    for (int j = 0; j < m; j++)
      a[i][j] = i * 10 + j;
  }
#pragma omp target data map(to: a[0 : n])
  {
    for (int i = 0; i < n; i++) {
#pragma omp target enter data map(to: a[i][0 : m])
    }
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        a[i][j] += 1000;
    for (int i = 0; i < n; i++) {
#pragma omp target exit data map(from: a[i][0 : m])
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      CHECK(a[i][j] == i * 10 + j + 1000);
  for (int i = 0; i < n; i++)
    free(a[i]);
  free(a);
  return 0;
}

//: 15.9.5 depend of an iterator on a target construct, after constructs that do not wait
TEST(iterator_of_targets) {
  int v[4] = {0}, s = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 4; i++) {
#pragma omp target map(tofrom: v[i]) nowait depend(out : v[i])
      v[i] = i + 1;
    }
#pragma omp target map(to: v) map(tofrom: s) depend(iterator(k = 0 : 4), in : v[k])
    for (int i = 0; i < 4; i++)
      s += v[i];
  }
  CHECK(s == 10);
  return 0;
}

//: 15.8.4 a table that threads fill by atomic compare capture
TEST(hash_table) {
  enum { empty = -1, size = 256 };
  int keys[size], counts[size], in[200], times[60] = {0};
  for (int i = 0; i < size; i++)
    keys[i] = empty, counts[i] = 0;
  for (int i = 0; i < 200; i++)
    times[in[i] = (i * 7919) % 60]++;
#pragma omp target teams distribute parallel for map(tofrom: keys, counts) map(to: in)
  for (int i = 0; i < 200; i++) {
    int key = in[i], slot = (key * 31) & (size - 1), found;
    while (1) {
#pragma omp atomic compare capture
      {
        found = keys[slot];
        if (keys[slot] == empty) {
          keys[slot] = key;
        }
      }
      if (found == empty || found == key) {
#pragma omp atomic
        counts[slot]++;
        break;
      }
      slot = (slot + 1) & (size - 1);
    }
  }
  int total = 0;
  for (int i = 0; i < size; i++) {
    CHECK(keys[i] == empty ? counts[i] == 0 : counts[i] == times[keys[i]]);
    total += counts[i];
  }
  CHECK(total == 200);
  return 0;
}
