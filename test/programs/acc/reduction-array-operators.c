// Array reductions by every operator, over arrays that hold values before the region; trip counts 0, 1 and a prime.
// arc: items>1, gcc-cannot no array reductions
#include "check.h"

#define K 3

static void reduce(int n, int sum[K], long long product[K], unsigned bits[3][2], double high[K], short low[K],
                   int all[K], int any[K], float less[K]) {
#pragma acc parallel loop reduction(+ : sum[0:K]) reduction(* : product[0:K]) reduction(max : high[0:K])
  for (int i = 0; i < n; i++) {
    sum[i % K] += i;
    sum[0] = sum[0] + 1 - i % 2;
    product[i % K] *= i % 997 == 5 ? -2 : 1;
    if (i * 0.5 - 100 > high[i % 2])
      high[i % 2] = i * 0.5 - 100;
  }
#pragma acc parallel loop reduction(^ : bits[0:3]) reduction(min : low[0:K]) reduction(&& : all[0:K]) \
    reduction(|| : any[0:K]) reduction(+ : less[0:K])
  for (int i = 0; i < n; i++) {
    bits[i % 3][i % 2] ^= (unsigned)i << 7;
    low[i % K] = low[i % K] < (short)(50 - i) ? low[i % K] : (short)(50 - i);
    all[i % K] = all[i % K] && (i % K != 1 || i < 100);
    any[i % K] = i == 4 || any[i % K];
    less[i % K]--;
  }
}

int main(void) {
  int sizes[] = {0, 1, 2, 251, 8191};
  for (int s = 0; s < 5; s++) {
    int n = sizes[s];
    int sum[K] = {10, 20, 30}, all[K] = {5, 6, 0}, any[K] = {0, 0, 7};
    long long product[K] = {1, 3, -1};
    unsigned bits[3][2] = {{1, 2}, {3, 4}, {5, 6}};
    double high[K] = {-1e9, 3, -7};
    short low[K] = {9, 40, 99};
    float less[K] = {0.5f, 0, -1};
    int sum_w[K] = {10, 20, 30}, all_w[K] = {5, 6, 0}, any_w[K] = {0, 0, 7};
    long long product_w[K] = {1, 3, -1};
    unsigned bits_w[3][2] = {{1, 2}, {3, 4}, {5, 6}};
    double high_w[K] = {-1e9, 3, -7};
    short low_w[K] = {9, 40, 99};
    float less_w[K] = {0.5f, 0, -1};
    for (int i = 0; i < n; i++) {
      sum_w[i % K] += i;
      sum_w[0] = sum_w[0] + 1 - i % 2;
      product_w[i % K] *= i % 997 == 5 ? -2 : 1;
      if (i * 0.5 - 100 > high_w[i % 2])
        high_w[i % 2] = i * 0.5 - 100;
      bits_w[i % 3][i % 2] ^= (unsigned)i << 7;
      low_w[i % K] = low_w[i % K] < (short)(50 - i) ? low_w[i % K] : (short)(50 - i);
      all_w[i % K] = all_w[i % K] && (i % K != 1 || i < 100);
      any_w[i % K] = i == 4 || any_w[i % K];
      less_w[i % K]--;
    }
    reduce(n, sum, product, bits, high, low, all, any, less);
    for (int k = 0; k < K; k++) {
      EXPECT_AT(k, sum[k], sum_w[k]);
      EXPECT_AT(k, product[k], product_w[k]);
      NEAR_AT(k, high[k], high_w[k], 0);
      EXPECT_AT(k, low[k], low_w[k]);
      EXPECT_AT(k, all[k], all_w[k]);
      EXPECT_AT(k, any[k], any_w[k]);
      NEAR_AT(k, less[k], less_w[k], 0);
      EXPECT_AT(k, bits[k][0], bits_w[k][0]);
      EXPECT_AT(k, bits[k][1], bits_w[k][1]);
    }
  }
  return report();
}
