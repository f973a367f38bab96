/* A quantised dense layer with ReLU and requantisation. */
static signed char requantised(int sum) {
  int v = (int)(((long long)sum * 1518500250 + (1ll << 36)) >> 37);
  v = v < 0 ? 0 : v;
  return v > 127 ? 127 : v;
}
void work(const signed char *x, const signed char *weights, const int *bias, signed char *y) {
#pragma acc serial copyin(x[0:16], weights[0:128], bias[0:8]) copyout(y[0:8])
  for (int o = 0; o < 8; o++) {
    int sum = bias[o] % 1000;
    for (int i = 0; i < 16; i++) sum += x[i] * weights[o * 16 + i];
    y[o] = requantised(sum);
  }
}
