/* Subscripts and conditions that are read from arrays which a loop has filled. */
#include <stdio.h>

int key[100], bins[100];

int histogram(void) {
  for (int i = 0; i < 100; i++)
    key[i] = i % 10;
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    bins[key[i]]++; /* expect: loop-carried-dependence */
  return bins[3];
}

void permuted(int n) {
  int at[100], sum[100];
  for (int i = 0; i < 100; i++) {
    sum[i] = 0;
    at[i] = 99 - i;
  }
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    sum[at[i]] += i;
  printf("%d\n", sum[n]);
}

void filled_twice(int n) {
  int at[100], sum[100];
  for (int i = 0; i < 100; i++) {
    sum[i] = 0;
    at[i] = i / 2;
  }
  for (int i = 0; i < 100; i++)
    at[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    sum[at[i]] += i;
  printf("%d\n", sum[n]);
}

void filled_perhaps(int n) {
  int at[100] = {0}, sum[100] = {0};
  if (n > 50)
    for (int i = 0; i < 100; i++)
      at[i] = i / 2;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    sum[at[i]] = 1;
  printf("%d\n", sum[n]);
}

void last_of_them(void) {
  int value[100], last = -1;
  for (int i = 0; i < 100; i++)
    value[i] = i % 3;
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    if (value[i] == 1)
      last = i; /* expect: missing-private */
  printf("%d\n", last);
}

void the_only_one(void) {
  int value[100], where = -1;
  for (int i = 0; i < 100; i++)
    value[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    if (value[i] == 7)
      where = i;
  printf("%d\n", where);
}

void lanes_in_order(void) {
  int counts[10] = {0}, digit[100];
  for (int i = 0; i < 100; i++)
    digit[i] = i % 10;
#pragma omp simd
  for (int i = 0; i < 100; i++) {
#pragma omp ordered simd
    counts[digit[i]]++;
  }
  printf("%d\n", counts[3]);
}
