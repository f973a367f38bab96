/* Breadth-first search with a queue. */
void work(const unsigned char *noise, signed char *depth) {
#pragma acc serial copyin(noise[0:64]) copyout(depth[0:32])
  {
    unsigned char queue[32];
    int head = 0, tail = 0;
    for (int i = 0; i < 32; i++) depth[i] = -1;
    depth[0] = 0;
    queue[tail++] = 0;
    while (head != tail) {
      int v = queue[head++];
      for (int e = 0; e < 2; e++) {
        int to = noise[2 * v + e] & 31;
        if (depth[to] >= 0) continue;
        depth[to] = depth[v] + 1;
        queue[tail++] = to;
      }
    }
  }
}
