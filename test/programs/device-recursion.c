// Functions of regions that call themselves: with globals, with pointers, between loops of a team; the result is 0.
#pragma omp declare target
static int deepest = 40;
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
struct tree {
  int value, left, right;
};
static int sum(const struct tree *t, int at) {
  return at < 0 ? 0 : t[at].value + sum(t, t[at].left) + sum(t, t[at].right);
}
static void sort(int *a, int low, int high) {
  if (low >= high || high - low > deepest)
    return;
  int pivot = a[high], at = low;
  for (int j = low; j <= high; j++)
    if (a[j] < pivot || j == high) {
      int other = a[at];
      a[at++] = a[j];
      a[j] = other;
    }
  sort(a, low, at - 2);
  sort(a, at, high);
}
double power(double x, int n);
double power(double x, int n) { return n == 0 ? 1 : n % 2 ? x * power(x, n - 1) : power(x * x, n / 2); }
#pragma omp end declare target

int main(void) {
  int numbers[15], k = 0, bad = 0, rows[8][16], sums[4], team[64];
  double powers[10];
  struct tree t[31];
  for (int i = 0; i < 31; i++)
    t[i] = (struct tree){i, 2 * i + 1 < 31 ? 2 * i + 1 : -1, 2 * i + 2 < 31 ? 2 * i + 2 : -1};
  for (int i = 0; i < 128; i++)
    rows[i / 16][i % 16] = (i * 37) % 101;
#pragma omp target teams distribute parallel for map(from: numbers)
  for (int i = 0; i < 15; i++)
    numbers[i] = fib(i);
#pragma omp target map(from: k)
  k = ack(2, 3);
#pragma omp target parallel for map(to: t) map(from: sums)
  for (int i = 0; i < 4; i++)
    sums[i] = sum(t, i);
#pragma omp target teams distribute parallel for map(tofrom: rows)
  for (int i = 0; i < 8; i++)
    sort(rows[i], 0, 15);
#pragma omp target teams distribute parallel for map(from: powers)
  for (int i = 0; i < 10; i++)
    powers[i] = power(2, i);
#pragma omp target map(from: team)
  {
    int first = fib(7);
#pragma omp parallel for
    for (int i = 0; i < 64; i++)
      team[i] = first + fib(i % 5);
    first = fib(3);
    team[0] += first;
  }
  for (int i = 2; i < 15; i++)
    bad += numbers[i] != numbers[i - 1] + numbers[i - 2];
  for (int i = 0; i < 4; i++)
    bad += sums[i] != sum(t, i);
  for (int i = 0; i < 128; i++)
    bad += i % 16 > 0 && rows[i / 16][i % 16 - 1] > rows[i / 16][i % 16];
  for (int i = 0; i < 10; i++)
    bad += powers[i] != 1 << i;
  for (int i = 0; i < 64; i++)
    bad += team[i] != 13 + fib(i % 5) + (i == 0 ? 2 : 0);
  return bad + (k != 9) + (numbers[14] != 377);
}
