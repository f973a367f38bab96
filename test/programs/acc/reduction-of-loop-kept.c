// A scalar that loops of a region reduce and that no data clause names has the result behind the region.
// arc: items>1, gcc-cannot every gang adds its own result
#include "check.h"

#define N 1003
#define ROWS 7

static long file;

static long ofKernels(const int *a) {
  long s = 5;
#pragma acc kernels copyin(a[0:N])
  {
#pragma acc loop reduction(+ : s)
    for (int i = 0; i < N; i++) s += a[i];
  }
  return s;
}

static long ofGangs(const int *a) {
  long s = 5;
#pragma acc parallel copyin(a[0:N])
  {
#pragma acc loop gang worker vector reduction(+ : s)
    for (int i = 0; i < N; i++) s += a[i];
  }
  return s;
}

/* Every gang computes the same. */
static long ofWorkers(const int *a) {
  long s = 5;
#pragma acc parallel num_gangs(4) copyin(a[0:N])
  {
#pragma acc loop worker reduction(+ : s)
    for (int i = 0; i < N; i++) s += a[i];
  }
  return s;
}

static int ofVectors(const int *a) {
  int most = -5;
#pragma acc parallel num_gangs(3) copyin(a[0:N])
#pragma acc loop vector reduction(max : most)
  for (int i = 0; i < N; i++)
    if (a[i] > most) most = a[i];
  return most;
}

static void usedInRegion(const int *a, long *each, long *after) {
  long s = 5;
#pragma acc parallel num_gangs(4) copyin(a[0:N]) copyout(each[0:ROWS])
  {
#pragma acc loop worker vector reduction(+ : s)
    for (int i = 0; i < N; i++) s += a[i];
#pragma acc loop gang
    for (int r = 0; r < ROWS; r++) each[r] = s + r;
  }
  *after = s;
}

/* The clause is missing on the loop around. */
static long throughNest(const int *a) {
  long s = 5;
#pragma acc parallel loop gang copyin(a[0:N])
  for (int r = 0; r < ROWS; r++) {
#pragma acc loop worker vector reduction(+ : s)
    for (int i = 0; i < N; i++) s += a[i] + r;
  }
  return s;
}

static long inSerial(const int *a) {
  long s = 5;
#pragma acc serial copyin(a[0:N])
  {
#pragma acc loop reduction(+ : s)
    for (int i = 0; i < N; i++) s += a[i];
  }
  return s;
}

static void ofFile(const int *a) {
  file = 5;
#pragma acc parallel num_gangs(4) copyin(a[0:N])
  {
#pragma acc loop vector reduction(+ : file)
    for (int i = 0; i < N; i++) file += a[i];
  }
}

/* What each row begins anew is its own. */
static void ofRows(const int *a, long *sums) {
  long s;
#pragma acc parallel loop gang copyin(a[0:N]) copyout(sums[0:ROWS])
  for (int r = 0; r < ROWS; r++) {
    s = r;
#pragma acc loop vector reduction(+ : s)
    for (int i = 0; i < N; i++) s += a[i];
    sums[r] = s;
  }
}

int main(void) {
  int a[N];
  long sum = 0;
  int most = -5;
  for (int i = 0; i < N; i++) {
    a[i] = i * 7 % 31 - 9;
    sum += a[i];
    if (a[i] > most) most = a[i];
  }
  long each[ROWS], sums[ROWS], after;
  usedInRegion(a, each, &after);
  ofRows(a, sums);
  ofFile(a);
  EXPECT(ofKernels(a), sum + 5);
  EXPECT(ofGangs(a), sum + 5);
  EXPECT(ofWorkers(a), sum + 5);
  EXPECT(ofVectors(a), most);
  EXPECT(after, sum + 5);
  EXPECT(throughNest(a), ROWS * sum + N * (ROWS * (ROWS - 1) / 2) + 5);
  EXPECT(inSerial(a), sum + 5);
  EXPECT(file, sum + 5);
  for (int r = 0; r < ROWS; r++) {
    EXPECT(each[r], sum + 5 + r);
    EXPECT(sums[r], sum + r);
  }
  return report();
}
