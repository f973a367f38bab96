/* Iterations that wait for others, and loops whose iterations fall to other threads than those of the loop before. */
#include <omp.h>

int grid[64][64], line[256], other[256];

void wavefront(void) {
#pragma omp parallel for ordered(2)
  for (int i = 1; i < 64; i++)
    for (int j = 1; j < 64; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      grid[i][j] = grid[i - 1][j] + grid[i][j - 1];
#pragma omp ordered depend(source)
    }
}

void half_a_wavefront(void) {
#pragma omp parallel for ordered(2)
  for (int i = 1; i < 64; i++)
    for (int j = 1; j < 64; j++) {
#pragma omp ordered depend(sink : i, j - 1)
      grid[i][j] = /* expect: loop-carried-dependence */
          grid[i - 1][j] + grid[i][j - 1];
#pragma omp ordered depend(source)
    }
}

void through_another(void) {
#pragma omp parallel for ordered(1)
  for (int i = 2; i < 256; i++) {
#pragma omp ordered depend(sink : i - 1)
    line[i] = line[i - 2] + 1;
#pragma omp ordered depend(source)
  }
}

void too_far(void) {
#pragma omp parallel for ordered(1)
  for (int i = 2; i < 256; i++) {
#pragma omp ordered depend(sink : i - 2)
    line[i] = line[i - 1] + 1; /* expect: loop-carried-dependence */
#pragma omp ordered depend(source)
  }
}

void waits_too_late(void) {
#pragma omp parallel for ordered(1)
  for (int i = 1; i < 256; i++) {
    line[i] = line[i - 1] + 1; /* expect: loop-carried-dependence */
#pragma omp ordered depend(sink : i - 1)
    other[i] = line[i];
#pragma omp ordered depend(source)
  }
}

void waits_where_asked(int n) {
#pragma omp parallel for ordered(1)
  for (int i = 1; i < 256; i++) {
    if (n > i) {
#pragma omp ordered depend(sink : i - 1)
      line[i] = line[i - 1] + 1;
    }
#pragma omp ordered depend(source)
  }
}

void dynamic(void) {
#pragma omp parallel
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 256; i++)
      line[i] = i; /* expect: data-race */
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 256; i++)
      other[i] = line[i];
  }
}

void fixed(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 256; i++)
      line[i] = i;
#pragma omp for schedule(static)
    for (int i = 0; i < 256; i++)
      other[i] = line[i];
  }
}

void around_the_end(void) {
#pragma omp parallel
  for (int t = 0; t < 5; t++) {
#pragma omp for
    for (int i = 1; i < 255; i++)
      other[i] = line[i - 1] + line[i + 1];
#pragma omp for nowait
    for (int i = 1; i < 255; i++)
      line[i] = other[i]; /* expect: data-race */
  }
}

void barrier_at_the_end(void) {
#pragma omp parallel
  for (int t = 0; t < 5; t++) {
#pragma omp for
    for (int i = 1; i < 255; i++)
      other[i] = line[i - 1] + line[i + 1];
#pragma omp for nowait
    for (int i = 1; i < 255; i++)
      line[i] = other[i];
#pragma omp barrier
  }
}

void shares(void) {
#pragma omp parallel num_threads(4)
  {
    int t = omp_get_thread_num();
    int lo = t * 25, hi = lo + 25;
    for (int i = lo; i < hi; i++)
      line[i] = i;
  }
}

void shares_that_overlap(void) {
#pragma omp parallel num_threads(4)
  {
    int t = omp_get_thread_num();
    int lo = t * 25, hi = lo + 25;
    for (int i = lo; i <= hi; i++)
      line[i] = i; /* expect: data-race */
  }
}

void every_second(void) {
#pragma omp parallel num_threads(2)
  for (int i = omp_get_thread_num(); i < 100; i += 2)
    line[i] = i;
}

void counted_on(int *a) {
  int i;
#pragma omp parallel
#pragma omp single
  for (i = 0; i < 10; i++) { /* expect: task-race */
#pragma omp task shared(i)
    a[i] = 1;
  }
}

void left_behind(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop nogroup
    for (int i = 0; i < 100; i++)
      line[i] = i; /* expect: task-race */
    other[0] = line[50];
  }
}

void waited_for(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop
    for (int i = 0; i < 100; i++)
      line[i] = i;
    other[0] = line[50];
  }
}

static void copy(double *to, const double *from, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    to[i] = from[i]; /* expect: loop-carried-dependence */
}

static void copy_apart(double *to, const double *from, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    to[i] = from[i];
}

void copies(double *a) {
  double b[100], c[100];
  copy(&b[1], &b[0], 99);
  copy_apart(b, c, 100);
  a[0] = b[1];
}

void waited_for_each_time(int *a) {
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < 100; i += 10) {
#pragma omp task
      for (int j = i; j < i + 10; j++)
        a[j] += t;
    }
#pragma omp taskwait
  }
}

void never_waited_for(int *a) {
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < 100; i += 10) {
#pragma omp task
      for (int j = i; j < i + 10; j++)
        a[j] += t; /* expect: task-race */
    }
  }
}

double planes[2][200];

void two_planes(void) {
#pragma omp parallel
  for (int t = 0; t < 10; t++) {
#pragma omp for
    for (int i = 1; i < 199; i++)
      planes[(t + 1) % 2][i] = planes[t % 2][i - 1] + planes[t % 2][i + 1];
  }
}

void two_planes_unwaited(void) {
#pragma omp parallel
  for (int t = 0; t < 10; t++) {
#pragma omp for nowait
    for (int i = 1; i < 199; i++)
      planes[(t + 1) % 2][i] = /* expect: loop-carried-dependence */
          planes[t % 2][i - 1] + planes[t % 2][i + 1];
  }
}
