/* A sorting network: a bitonic sort of sixteen, in registers. */
void work(int *a) {
#pragma acc serial copy(a[0:16])
  {
    int v[16];
    for (int i = 0; i < 16; i++) v[i] = a[i];
    for (int k = 2; k <= 16; k *= 2)
      for (int j = k / 2; j > 0; j /= 2)
        for (int i = 0; i < 16; i++) {
          int other = i ^ j;
          if (other > i && (v[i] > v[other]) == ((i & k) == 0)) {
            int t = v[i];
            v[i] = v[other];
            v[other] = t;
          }
        }
    for (int i = 0; i < 16; i++) a[i] = v[i];
  }
}
