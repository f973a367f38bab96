/* Dijkstra with a heap in an array of structs. */
typedef struct { unsigned cost; unsigned char node; } entry;
static void push(entry *heap, int *n, entry e) {
  int i = (*n)++;
  for (; i > 0 && heap[(i - 1) / 2].cost > e.cost; i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
  heap[i] = e;
}
static entry pop(entry *heap, int *n) {
  entry top = heap[0], last = heap[--*n];
  int i = 0;
  for (int c; (c = 2 * i + 1) < *n; i = c) {
    if (c + 1 < *n && heap[c + 1].cost < heap[c].cost) c++;
    if (last.cost <= heap[c].cost) break;
    heap[i] = heap[c];
  }
  heap[i] = last;
  return top;
}
void work(const unsigned char *edge, unsigned *cost) {
#pragma acc serial copyin(edge[0:96]) copyout(cost[0:16])
  {
    entry heap[80];
    int n = 0;
    for (int i = 0; i < 16; i++) cost[i] = ~0u;
    push(heap, &n, (entry){0, 0});
    cost[0] = 0;
    while (n > 0) {
      entry e = pop(heap, &n);
      if (e.cost > cost[e.node]) continue;
      for (int k = 0; k < 3; k++) {
        int to = edge[6 * e.node + 2 * k] & 15;
        unsigned sum = e.cost + (edge[6 * e.node + 2 * k + 1] & 31) + 1;
        if (sum < cost[to]) {
          cost[to] = sum;
          push(heap, &n, (entry){sum, to});
        }
      }
    }
  }
}
