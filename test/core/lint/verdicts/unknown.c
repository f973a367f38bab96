/* What is known when the program runs, at the earliest. `//: NAME VERDICT` begins a program of its own. */
//: distance-unknown maybe
void f(double *a, int n, int k) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[i] = a[i + k]; }
//: distance-unknown-written maybe
void f(double *a, int n, int k) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[i + k] = a[i] + 1; }
//: distance-unknown-same nothing
void f(double *a, int n, int k) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[i + k] = a[i + k] + 1; }
//: distance-of-half-length nothing
void f(double *a, int n) { int half = n / 2;
#pragma omp parallel for
  for (int i = 0; i < half; i++) a[i] = a[i + half]; }
//: stride-unknown maybe
void f(double *a, int n, int s) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[i * s] = i; }
//: rows-of-unknown-length nothing
void f(double *a, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i * m + j] = j; }
//: rows-of-other-length maybe
void f(double *a, int n, int m, int w) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i * w + j] = j; }
//: indirect-write maybe
void f(double *a, const int *idx, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[idx[i]] = i; }
//: indirect-update maybe
void f(double *h, const int *idx, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) h[idx[i]] += 1; }
//: indirect-update-atomic nothing
void f(double *h, const int *idx, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    h[idx[i]] += 1;
  } }
//: indirect-read nothing
void f(double *restrict a, const double *restrict b, const int *idx, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[i] = b[idx[i]]; }
//: indirect-read-of-written maybe
void f(double *a, const int *idx, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[i] = a[idx[i]] + 1; }
//: indirect-table-with-repeats proved
int idx[8] = {0, 3, 5, 3, 7, 1, 2, 4};
void f(double *a) {
#pragma omp parallel for
  for (int i = 0; i < 8; i++) a[idx[i]] = i; }
//: indirect-table-without nothing
static const int idx[8] = {0, 3, 5, 6, 7, 1, 2, 4};
void f(double *a) {
#pragma omp parallel for
  for (int i = 0; i < 8; i++) a[idx[i]] = i; }
//: indirect-filled-one-to-one nothing
void f(double *a) { int idx[100];
  for (int i = 0; i < 100; i++) idx[i] = 99 - i;
#pragma omp parallel for
  for (int i = 0; i < 100; i++) a[idx[i]] = i; }
//: indirect-filled-twice proved
void f(double *a) { int idx[100];
  for (int i = 0; i < 100; i++) idx[i] = i / 2;
#pragma omp parallel for
  for (int i = 0; i < 100; i++) a[idx[i]] = i; }
//: edges-scatter maybe
void f(double *node, const int *from, const int *to, const double *w, int edges) {
#pragma omp parallel for
  for (int e = 0; e < edges; e++) { node[from[e]] += w[e]; node[to[e]] -= w[e]; } }
//: rows-of-csr nothing
void f(double *restrict y, const double *restrict x, const double *v, const int *row, const int *col, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) { double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++) s += v[k] * x[col[k]];
    y[i] = s; } }
//: hash-of-value maybe
void f(int *bucket, const int *key, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) bucket[key[i] % 64]++; }
//: index-from-call maybe
int slot(int);
void f(int *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[slot(i)] = i; }
//: two-pointers-overlap nothing
void f(double *a, double *b, int n) {
#pragma omp parallel for
  for (int i = 1; i < n; i++) a[i] = b[i - 1]; }
//: two-pointers-restrict nothing
void f(double *restrict a, double *restrict b, int n) {
#pragma omp parallel for
  for (int i = 1; i < n; i++) a[i] = b[i - 1]; }
//: two-names-of-one proved
void f(int n) { double *a = malloc(n * sizeof *a), *b = a;
#pragma omp parallel for
  for (int i = 1; i < n; i++) a[i] = b[i - 1];
  free(a); }
//: two-names-apart-by-one proved
void f(double *a, int n) { double *b = a + 1;
#pragma omp parallel for
  for (int i = 0; i < n - 1; i++) b[i] = a[i]; }
//: two-names-apart-by-length nothing
void f(double *a) { double *b = a + 100;
#pragma omp parallel for
  for (int i = 0; i < 100; i++) b[i] = a[i]; }
//: condition-of-data maybe
void f(int *found, const int *a, int n, int what) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) if (a[i] == what) *found = i; }
//: condition-of-one-iteration nothing
void f(int *first, const int *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) if (i == 0) *first = a[i]; }
//: flag-only-set maybe
int f(const int *a, int n) { int any = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) if (a[i] < 0) any = 1;
  return any; }
//: flag-only-set-atomic nothing
int f(const int *a, int n) { int any = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) if (a[i] < 0) {
#pragma omp atomic write
    any = 1;
  }
  return any; }
//: offset-by-array maybe
void f(double *a, const int *start, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) a[start[i] + j] = j; }
//: row-pointers nothing
void f(double **rows, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) rows[i][j] = j; }
//: row-pointers-neighbour proved
void f(double **rows, int n, int m) {
#pragma omp parallel for
  for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) rows[i][j] = rows[i - 1][j]; }
//: lock-per-element maybe
omp_lock_t locks[64];
void f(int *h, const int *idx, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) { omp_set_lock(&locks[idx[i]]); h[idx[i]]++; omp_unset_lock(&locks[idx[i]]); } }
//: if-clause-unknown proved
void f(double *a, int n) {
#pragma omp parallel for if (n > 100)
  for (int i = 1; i < n; i++) a[i] = a[i - 1]; }
//: blocks-below-the-diagonal nothing
void f(float *a, int size) {
  int offset, q, p, rest;
  for (offset = 0; offset < size - 16; offset += 16) {
    rest = size - offset - 16;
    q = rest / 16;
    p = q * q;
#pragma omp parallel for
    for (int c = 0; c < p; c++) {
      int row = offset + 16 * (1 + c / q), column = offset + 16 * (1 + c % q);
      for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++)
        a[(i + row) * size + j + column] -= a[size * (i + offset) + j + column]; } } }
