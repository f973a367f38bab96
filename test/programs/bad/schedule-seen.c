// A program that sees which thread runs an iteration, where that is not what the schedule says.
// expect: 10:5 warning[schedule-seen]
// remedy: take the number from the iteration
int omp_get_thread_num(void);
static int mine(void) {
  return omp_get_thread_num();
}
void f(int n, int *who, int *what) {
#pragma omp target parallel for num_threads(8) collapse(2) \
    schedule(static, 4) map(from : who[0 : n * 4])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++)
      who[i * 4 + j] = mine();
#pragma omp target parallel for schedule(static) map(from : what[0 : n])
  for (int i = 0; i < n; i++)
    what[i] = i;
#pragma omp target parallel for schedule(static, 1) map(from : what[0 : n])
  for (int i = 0; i < n; i++)
    what[i] += mine();
}
