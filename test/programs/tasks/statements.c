/* Tasks on statements: what is captured and what is shared, tasks in tasks, waits, groups, reductions. */
#include <stdio.h>

static int order[8];
static int place;

static double mean(const double *values, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += values[i];
  return sum / n;
}

static void vla(int n, double rows[n][n]) {
  for (int i = 0; i < n; i++) {
#pragma oss task inout(rows[i;1][0;n])
    for (int j = 0; j < n; j++) rows[i][j] += i * n + j;
  }
#pragma oss taskwait on(rows[0;2])
  rows[0][0] += rows[1][1];
#pragma oss taskwait
}

int main(void) {
  /* By value: what changes later does not matter. Arrays are values too. */
  int seen[4], count = 3, list[3] = {1, 2, 3};
  for (int i = 0; i < 4; i++) {
#pragma oss task out(seen[i]) firstprivate(list)
    seen[i] = i * 100 + (list[0] + count) * 10 + list[2];
    list[0]++;
  }
  count = 100;
#pragma oss taskwait
  printf("%d %d %d %d %d\n", seen[0], seen[1], seen[2], seen[3], list[0]);

  /* Shared: a task changes the function's variable, also from within another task. */
  int v[3] = {1, 2, 3};
  const int ten = 10;
#pragma omp task inout(v) label("outer")
  {
    static int calls;
    int twice = ten * 2;
    v[0] += twice;
#pragma oss task inout(v[1]) shared(twice)
    {
      v[1] += twice;
      twice = 0;
    }
#pragma oss task inout(v[2]) in(v[0])
    v[2] += v[0] + ++calls;
#pragma oss taskwait
    v[0] += twice;
  }
#pragma omp task in(v) out(count)
  count = v[0] + v[1] + v[2];
#pragma omp taskwait on(count)
  printf("%d %d %d %d\n", v[0], v[1], v[2], count);

  /* Numbers are added up in any order, and what follows them sees all. */
  double data[64], sum = 0.5, most = -1;
  int total = 0, number = 0;
  for (int i = 0; i < 64; i++) data[i] = (i * 37) % 64;
  for (int i = 0; i < 64; i += 8) {
#pragma oss task in(data[i;8]) reduction(+ : sum) reduction(max : most) shared(number)
    {
      for (int k = 0; k < 8; k++) {
        sum += data[i + k];
        if (data[i + k] > most) most = data[i + k];
      }
#pragma omp critical(counting)
      {
#pragma omp critical
        number++;
      }
    }
#pragma oss task commutative(total)
    total += i;
#pragma oss task concurrent(place)
#pragma omp atomic
    place += i;
  }
  double half = 0;
#pragma oss task in(sum, most, total) out(half)
  half = (sum + most + total) / 2;
#pragma oss taskwait in(half)
  printf("%g\n", half);
#pragma oss taskwait
  printf("%g %g %d %d %d\n", sum, most, total, number, place);

  /* A group waits for tasks of tasks; what is not deferred has run when the program goes on. */
  int inner = 0, direct = 0;
  place = 0;
#pragma oss taskgroup
  {
#pragma oss task shared(inner) priority(3)
    {
#pragma oss task inout(inner)
      inner++;
#pragma oss task inout(inner)
      inner *= 5;
    }
  }
  direct = inner;
#pragma oss task if (inner > 100) inout(direct)
  direct += 1;
  order[place++] = direct;
#pragma oss task final(1) inout(order)
  {
    for (int i = 1; i < 4; i++)
#pragma oss task inout(order[i])
      order[i] = order[i - 1] + i;
    order[5] = order[3];
  }
#pragma oss taskwait
  printf("%d %d %d %d\n", inner, direct, order[3], order[5]);

  double rows[12][12] = {{0}};
  vla(12, rows);
  double result;
#pragma oss task in(rows[0:5]) out(result)
  result = mean(rows[0], 6 * 12);
#pragma oss taskwait noflush
  printf("%g\n", result);
  return 0;
}
