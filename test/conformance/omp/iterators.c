//: 3.2.6 iterators of many values, in map: each row is attached to its table
TEST(iterator_rows) {
  int *row[1000];
  for (int i = 0; i < 1000; i++) {
    row[i] = malloc(sizeof(int));
    *row[i] = i;
  }
#pragma omp target map(to : row) map(iterator(k = 0 : 1000), tofrom : row[k][:1])
  for (int i = 0; i < 1000; i++)
    row[i][0] *= 2;
  for (int i = 0; i < 1000; i++) {
    CHECK(row[i][0] == 2 * i);
    free(row[i]);
  }
  return 0;
}

//: 3.2.6 iterators whose range is computed, in enter data, update and exit data
TEST(iterator_ranges) {
  int *row[32], n = 8, odd = 1;
  for (int i = 0; i < 32; i++) {
    row[i] = malloc(4 * sizeof(int));
    for (int k = 0; k < 4; k++)
      row[i][k] = i + k;
  }
#pragma omp target enter data map(to : row) map(iterator(k = 0 : n), to : row[k][:4])
#pragma omp target
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 4; k++)
      row[i][k] += 100;
#pragma omp target update from(iterator(int k = n - 1 : -1 : -2) : row[k][:4])
  for (int i = 1; i < 8; i += 2)
    CHECK(row[i][3] == i + 103);
  for (int i = odd; i < 8; i += 2)
    row[i][0] = -i;
#pragma omp target update to(iterator(k = odd : n : 2) : row[k][:1])
#pragma omp target exit data map(iterator(k = 0 : n), from : row[k][:4]) map(release : row)
  for (int i = 0; i < 8; i++)
    CHECK(row[i][0] == (i & 1 ? -i : i + 100) && row[i][2] == i + 102);
  for (int i = 0; i < 32; i++) {
    CHECK(i < 8 || row[i][3] == i + 3);
    free(row[i]);
  }
  return 0;
}

//: 5.8.8 declare mapper, of as many structures as the program computes, inside another one's
typedef struct {
  int length;
  double *data;
} counted;
typedef struct {
  int count;
  counted *all;
} group;
#pragma omp declare mapper(counted v) map(v, v.data[0 : v.length])
#pragma omp declare mapper(group g) map(g, g.all[0 : g.count])
TEST(mapper_counted) {
  int n = 5;
  counted *v = malloc(n * sizeof *v);
  for (int i = 0; i < n; i++) {
    v[i].length = 3 + i;
    v[i].data = malloc(v[i].length * sizeof(double));
    for (int k = 0; k < v[i].length; k++)
      v[i].data[k] = k;
  }
#pragma omp target teams distribute parallel for map(tofrom : v[0 : n])
  for (int i = 0; i < n; i++)
    for (int k = 0; k < v[i].length; k++)
      v[i].data[k] += i;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < v[i].length; k++)
      CHECK(v[i].data[k] == k + i);
  group g = {n, v};
  double seen = 0;
#pragma omp target data map(tofrom : g)
  {
#pragma omp target
    for (int i = 0; i < g.count; i++)
      for (int k = 0; k < g.all[i].length; k++)
        g.all[i].data[k] = i;
#pragma omp target update from(g)
    seen = g.all[4].data[6];
  }
  CHECK(seen == 4);
  for (int i = 0; i < n; i++) {
    CHECK(g.all[i].data[0] == i && g.all[i].length == 3 + i);
    free(v[i].data);
  }
  free(v);
  return 0;
}

//: 5.8.8 declare mapper, with an iterator whose range a member says
typedef struct {
  int n;
  int *part[6];
} parts;
#pragma omp declare mapper(pieces : parts p) map(p) map(iterator(k = 0 : p.n), tofrom : p.part[k][0 : 2])
TEST(mapper_iterator_range) {
  parts p = {4, {0}};
  for (int i = 0; i < 6; i++) {
    p.part[i] = malloc(2 * sizeof(int));
    p.part[i][0] = p.part[i][1] = i;
  }
#pragma omp target map(mapper(pieces), tofrom : p)
  for (int i = 0; i < p.n; i++)
    p.part[i][1] += 10;
  for (int i = 0; i < 6; i++) {
    CHECK(p.part[i][0] == i && p.part[i][1] == (i < 4 ? i + 10 : i));
    free(p.part[i]);
  }
  return 0;
}

//: 5.8.3 items whose number is computed, in a task of the host
//: refused iterator-range
TEST(iterator_task) {
  int *row[4] = {0}, n = 4;
#pragma omp target enter data map(iterator(k = 0 : n), to : row[k][0 : n]) nowait
  CHECK(n == 4);
  return 0;
}
