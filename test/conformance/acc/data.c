//: 2.5.10 private, 2.5.11 firstprivate on parallel
TEST(test_private) {
  int p = 7, f = 3, a[16];
#pragma acc parallel num_gangs(4) private(p) firstprivate(f) copyout(a)
  {
    p = f;
#pragma acc loop gang
    for (int i = 0; i < 16; i++)
      a[i] = i * f;
  }
  CHECK(p == 7 && a[15] == 45);
  return 0;
}

//: 2.5.13 reduction on parallel
TEST(test_reduction_parallel) {
  int n = 0;
#pragma acc parallel num_gangs(4) reduction(+: n)
  n += 1;
  CHECK(n >= 1);
  return 0;
}

//: 2.5.14 default(present)
TEST(test_default_present) {
  int a[8] = {0};
#pragma acc data copy(a)
  {
#pragma acc parallel loop default(present)
    for (int i = 0; i < 8; i++)
      a[i] = i;
  }
  CHECK(a[7] == 7);
  return 0;
}

//: 2.5.14 default(none) with implicit attributes of scalars
TEST(test_default_none) {
  int a[8], k = 2;
#pragma acc parallel loop default(none) copyout(a) firstprivate(k)
  for (int i = 0; i < 8; i++)
    a[i] = i * k;
  CHECK(a[7] == 14);
  return 0;
}

//: 2.6.5 data with if, async, wait
TEST(test_data_async) {
  int a[8] = {0};
#pragma acc data copy(a) async(1)
  {
#pragma acc parallel loop async(1) present(a)
    for (int i = 0; i < 8; i++)
      a[i] = i;
  }
#pragma acc wait(1)
  CHECK(a[7] == 7);
  return 0;
}

//: 2.6.6 enter data, exit data finalize
TEST(test_finalize) {
  int a[8] = {0};
#pragma acc enter data copyin(a)
#pragma acc enter data copyin(a)
#pragma acc exit data delete(a) finalize
  CHECK(!acc_is_present(a, sizeof a) || acc_get_device_type() == acc_device_host);
  return 0;
}

//: 2.7.1 array sections of two dimensions
TEST(test_section_rows) {
  int a[6][5] = {{0}};
#pragma acc parallel loop copy(a[2:3][0:5])
  for (int i = 2; i < 5; i++)
    for (int j = 0; j < 5; j++)
      a[i][j] = i * j;
  CHECK(a[4][4] == 16 && a[1][1] == 0);
  return 0;
}

//: 2.7.1 sections that are not contiguous
TEST(test_section_columns) {
  int a[6][5] = {{0}};
#pragma acc parallel loop copy(a[2:3][1:3])
  for (int i = 2; i < 5; i++)
    for (int j = 1; j < 4; j++)
      a[i][j] = i * j;
  CHECK(a[4][3] == 12 && a[4][4] == 0);
  return 0;
}

//: 2.7.1 rows behind pointers
TEST(test_rows_behind_pointers) {
  int *a[4], sum = 0;
  for (int i = 0; i < 4; i++)
    a[i] = calloc(5, sizeof **a);
#pragma acc parallel loop copy(a[0:4][0:5])
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++)
      a[i][j] = i + j;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++)
      sum += a[i][j];
  for (int i = 0; i < 4; i++)
    free(a[i]);
  CHECK(sum == 70);
  return 0;
}

//: 2.7.2 data clauses twice on one directive
TEST(test_copyin_copyout) {
  int a[8];
  for (int i = 0; i < 8; i++)
    a[i] = i;
#pragma acc parallel loop copyin(a) copyout(a)
  for (int i = 0; i < 8; i++)
    a[i] *= 2;
  CHECK(a[7] == 14);
  return 0;
}

//: 2.7.4 deviceptr
TEST(test_deviceptr) {
  int *p = acc_malloc(8 * sizeof *p), a[8];
#pragma acc parallel loop deviceptr(p)
  for (int i = 0; i < 8; i++)
    p[i] = i;
  acc_memcpy_from_device(a, p, sizeof a);
  acc_free(p);
  CHECK(a[7] == 7);
  return 0;
}

//: 2.7.6 copy, 2.7.7 copyin, 2.7.8 copyout, 2.7.9 create
TEST(test_data_clauses) {
  int a[8], b[8], c[8], d[8];
  for (int i = 0; i < 8; i++)
    a[i] = b[i] = i;
#pragma acc data copy(a) copyin(b) copyout(c) create(d)
  {
#pragma acc parallel loop
    for (int i = 0; i < 8; i++)
      d[i] = b[i];
#pragma acc parallel loop
    for (int i = 0; i < 8; i++) {
      a[i] += d[i];
      c[i] = d[i];
    }
  }
  CHECK(a[7] == 14 && c[7] == 7);
  return 0;
}

//: 2.7.8 copyout(zero: ...), 2.7.9 create(zero: ...)
TEST(test_zero) {
  int a[8], b[8];
#pragma acc data copyout(zero: a) create(zero: b)
  {
#pragma acc parallel loop
    for (int i = 0; i < 4; i++)
      a[i] = b[i] + 1;
  }
  CHECK(a[3] == 1 && a[7] == 0);
  return 0;
}

//: 2.7.10 no_create
TEST(test_no_create) {
  int a[8] = {0};
#pragma acc parallel loop no_create(a) copy(a[0:8])
  for (int i = 0; i < 8; i++)
    a[i] = i;
  CHECK(a[7] == 7);
  return 0;
}

//: 2.7.13 attach, 2.7.14 detach
struct ring { int n; int *at; };
TEST(test_attach) {
  int data[6] = {0};
  struct ring r = {6, data};
#pragma acc enter data copyin(r) copyin(data)
#pragma acc enter data attach(r.at)
#pragma acc parallel loop present(r)
  for (int i = 0; i < 6; i++)
    r.at[i] = i;
#pragma acc exit data detach(r.at)
#pragma acc exit data copyout(data) delete(r)
  CHECK(data[5] == 5);
  return 0;
}

//: 2.7.13 attach, 2.7.14 detach of elements of an array of pointers
TEST(test_attach_elements) {
  int first[5] = {0}, second[7] = {0}, *rows[2] = {first, second};
  struct {
    int **rows, n;
  } table = {rows, 2};
#pragma acc enter data copyin(first, second, rows, table)
#pragma acc enter data attach(table.rows)
  for (int r = 0; r < 2; r++) {
#pragma acc enter data attach(table.rows[r])
  }
#pragma acc parallel loop present(table)
  for (int r = 0; r < table.n; r++)
    for (int i = 0; i < 5; i++)
      table.rows[r][i] = 10 * r + i;
#pragma acc exit data detach(rows[0], rows[1])
#pragma acc exit data detach(table.rows) copyout(first, second, rows) delete(table)
  CHECK(first[4] == 4 && second[3] == 13 && rows[1] == second);
  return 0;
}
//: 2.8 host_data use_device
TEST(test_host_data) {
  int a[8] = {0}, b[8];
#pragma acc data copyin(a)
  {
#pragma acc host_data use_device(a)
    acc_memcpy_from_device(b, a, sizeof b);
  }
  CHECK(b[3] == 0);
  return 0;
}

//: 2.13 declare create, device_resident, link, copyin
static int made[4];
#pragma acc declare create(made)
static int known[4] = {1, 2, 3, 4};
#pragma acc declare copyin(known)
TEST(test_declare) {
  int s = 0;
#pragma acc parallel loop
  for (int i = 0; i < 4; i++)
    made[i] = known[i];
#pragma acc parallel loop reduction(+: s)
  for (int i = 0; i < 4; i++)
    s += made[i];
  CHECK(s == 10);
  return 0;
}

//: 2.14.4 update of sections, if, if_present, async
TEST(test_update) {
  int a[8] = {0}, b[2];
#pragma acc data copyin(a)
  {
#pragma acc parallel loop present(a)
    for (int i = 0; i < 8; i++)
      a[i] = i;
#pragma acc update self(a[2:3]) async(2)
#pragma acc update self(b) if_present
#pragma acc update device(a[0:1]) if(0)
#pragma acc wait
  }
  CHECK(a[2] == 2 && a[4] == 4);
  return 0;
}

//: 2.14.4 update of a section that is not contiguous
TEST(test_update_columns) {
  int a[4][4] = {{0}};
#pragma acc data copyin(a)
  {
#pragma acc parallel loop present(a)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++)
        a[i][j] = i * j;
#pragma acc update self(a[1:2][1:2])
  }
  CHECK(a[2][2] == 4 && a[1][1] == 1);
  return 0;
}

//: 2.7.1 copy of a pointer that was allocated in view
TEST(test_copy_of_allocated) {
  int n = 40;
  double *a = malloc(n * sizeof *a), *b = calloc(n, sizeof(double));
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma acc data copyin(a) copy(b)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      b[i] += 2 * a[i];
  }
  int right = b[39] == 78;
  free(a);
  free(b);
  CHECK(right);
  return 0;
}

//: 2.7.1 copy of a pointer that loops reach
static void doubled(int n, int m, float *x, const float *y) {
#pragma acc parallel loop collapse(2) copy(x) copyin(y)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i * m + j] = 2 * y[i * m + j];
}
TEST(test_copy_of_reached) {
  float x[24] = {0}, y[24];
  for (int i = 0; i < 24; i++)
    y[i] = i;
  doubled(4, 6, x, y);
  doubled(0, 6, x, y);
  CHECK(x[1] == 2 && x[23] == 46);
  return 0;
}

//: 2.6.1 a pointer that no clause names
TEST(test_unnamed_pointer) {
  int n = 40;
  double *a = malloc(n * sizeof *a);
#pragma acc parallel loop
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma acc data copy(a[0:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      a[i] += 1;
  }
  int right = a[0] == 1 && a[39] == 40;
  free(a);
  CHECK(right);
  return 0;
}

//: 2.7.1 one row behind pointers at a time
TEST(test_rows_in_turn) {
  int n = 5, m = 7;
  double **a = malloc(n * sizeof *a), **b = malloc(n * sizeof *b);
  for (int i = 0; i < n; i++) {
    a[i] = malloc(m * sizeof **a);
    b[i] = calloc(m, sizeof **b);
    for (int j = 0; j < m; j++)
      a[i][j] = -1;
  }
#pragma acc enter data create(a[0:n][0:m], b[0:n][0:m])
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      a[i][j] = 10 * i + j;
#pragma acc update device(a[i:1][0:m])
#pragma acc parallel loop present(a[i:1][0:m], b[i:1][0:m])
    for (int j = 0; j < m; j++)
      b[i][j] = a[i][j] + 1;
#pragma acc update self(b[i:1][0:m])
  }
#pragma acc exit data delete(a[0:n][0:m], b[0:n][0:m])
  for (int i = 0; i < n; i++) {
#pragma acc parallel loop copy(b[i:1][1:m-1])
    for (int j = 1; j < m; j++)
      b[i][j] *= 2;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      CHECK(b[i][j] == (10 * i + j + 1) * (j ? 2 : 1));
  for (int i = 0; i < n; i++) {
    free(a[i]);
    free(b[i]);
  }
  free(a);
  free(b);
  return 0;
}

//: 2.7.1 rows behind pointers, three dimensions
TEST(test_rows_three) {
  int n = 3, m = 4, l = 6;
  float ***a = malloc(n * sizeof *a), sum = 0;
  for (int i = 0; i < n; i++) {
    a[i] = calloc(m, sizeof **a);
    for (int j = 0; j < m; j++)
      a[i][j] = calloc(l, sizeof ***a);
  }
#pragma acc enter data copyin(a[0:n][1:m-1][2:3])
#pragma acc parallel loop collapse(2) present(a[0:n][1:m-1][2:3])
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      for (int k = 2; k < 5; k++)
        a[i][j][k] += i + j + k;
#pragma acc update self(a[0:n][1:1][2:1])
  float first = a[2][1][2];
#pragma acc exit data copyout(a[0:n][1:m-1][2:3])
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      for (int k = 0; k < l; k++)
        sum += a[i][j][k];
      free(a[i][j]);
    }
    free(a[i]);
  }
  free(a);
  CHECK(first == 5);
  CHECK(sum == 162);
  return 0;
}

//: 2.7.1 columns of an array that is behind a pointer to rows, elements beside them stay
TEST(test_columns_apart) {
  int n = 5, m = 7, bad = 0;
  int(*a)[m] = calloc(n, sizeof *a);
#pragma acc data copyin(a[0:n][2:2])
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        a[i][j] = 100;
#pragma acc parallel loop collapse(2) present(a[0:n][2:2])
    for (int i = 0; i < n; i++)
      for (int j = 2; j < 4; j++)
        a[i][j] = i + j;
#pragma acc update self(a[0:n][2:2])
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        bad |= a[i][j] != (j == 2 || j == 3 ? i + j : 100);
  }
  free(a);
  CHECK(!bad);
  return 0;
}
