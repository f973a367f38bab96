/* Constructs inside of others that may not hold them, beside twins that may. */
#define N 100

void levels(int n, double *a) {
#pragma acc parallel copy(a[0:4 * n])
  {
#pragma acc loop vector
    for (int i = 0; i < n; i++) {
#pragma acc loop gang /* expect: wrong-nesting */
      for (int j = 0; j < 4; j++)
        a[4 * i + j] = 1;
    }
#pragma acc loop gang
    for (int i = 0; i < n; i++) {
#pragma acc loop worker vector
      for (int j = 0; j < 4; j++)
        a[4 * i + j] = 2;
    }
  }
#pragma acc parallel loop worker copy(a[0:4 * n])
  for (int i = 0; i < n; i++) {
#pragma acc loop gang vector /* expect: wrong-nesting */
    for (int j = 0; j < 4; j++)
      a[4 * i + j] = 1;
  }
}

void of_the_host(int n, double *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) {
#pragma acc update self(a[0:n]) /* expect: wrong-nesting */
    a[i] = i;
  }
#pragma acc data copy(a[0:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      a[i] = i;
#pragma acc update self(a[0:n])
  }
}

void barriers(int n, double *a) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    a[i] = i;
#pragma omp barrier /* expect: wrong-nesting */
  }
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      a[i] = i;
#pragma omp barrier
#pragma omp critical
    {
#pragma omp barrier /* expect: wrong-nesting */
      a[0] += 1;
    }
  }
}

void shared_twice(int n, double *a) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) {
#pragma omp for /* expect: wrong-nesting */
      for (int j = 0; j < 4; j++)
        a[4 * i + j] = 1;
    }
#pragma omp single
    {
#pragma omp single /* expect: wrong-nesting */
      a[0] = 1;
#pragma omp task
      a[1] = 1;
    }
#pragma omp for
    for (int i = 0; i < n; i++) {
#pragma omp parallel for
      for (int j = 0; j < 4; j++)
        a[4 * i + j] = 1;
#pragma omp simd
      for (int j = 0; j < 4; j++)
        a[4 * i + j] += 1;
    }
#pragma omp sections
    {
#pragma omp section
      a[1] = 2;
#pragma omp section
      a[2] = 2;
    }
  }
}

void on_the_device(int n, double *a) {
#pragma omp target teams distribute map(tofrom: a[0:4 * n])
  for (int i = 0; i < n; i++) {
#pragma omp parallel for
    for (int j = 0; j < 4; j++)
      a[4 * i + j] = 1;
  }
#pragma omp target teams map(tofrom: a[0:4 * n])
  {
#pragma omp distribute
    for (int i = 0; i < n; i++) {
#pragma omp parallel
      {
#pragma omp for
        for (int j = 0; j < 4; j++)
          a[4 * i + j] = 1;
#pragma omp barrier
      }
    }
  }
}

/* Whoever calls it has the team. */
void orphans(int n, double *a) {
#pragma omp for
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma omp barrier
}
