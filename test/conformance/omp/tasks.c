//: 13.8 nowait and depend of target, among the host's tasks
//: simulator cannot take launches of several threads
TEST(target_tasks) {
  int a = 0, seen = -1, first = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task depend(out: a) shared(a)
    {
      for (volatile int k = 0; k < 20000; k++)
        ;
      a = 5;
    }
#pragma omp target nowait depend(inout: a) map(tofrom: a)
    a *= 2;
    // Without nowait it is there when the program goes on.
#pragma omp target depend(inout: a) map(tofrom: a)
    a += 1;
    first = a;
#pragma omp target nowait depend(inout: a) map(tofrom: a)
    a *= 3;
#pragma omp task depend(in: a) shared(a, seen)
    seen = a;
#pragma omp taskwait
  }
  CHECK(first == 11 && a == 33 && seen == 33);
  return 0;
}

//: 13.8 what a target construct with nowait captures
//: simulator cannot take launches of several threads
TEST(target_task_captures) {
  int b = 0, n = 50, add = 7, x[50];
  int *p = x;
  for (int i = 0; i < n; i++)
    x[i] = i;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task depend(out: b) shared(b)
    {
      for (volatile int k = 0; k < 20000; k++)
        ;
      b = 1;
    }
#pragma omp target teams distribute parallel for nowait depend(inout: b) map(tofrom: p[0:n], b)
    for (int i = 0; i < n; i++)
      p[i] += add;
    add = 100;
    p = NULL;
    n = 1;
#pragma omp taskwait
  }
  CHECK(x[0] == 7 && x[49] == 56);
  return 0;
}

//: 13.6 nowait and depend of enter data, update and exit data
//: simulator cannot take launches of several threads
TEST(data_tasks) {
  int n = 20, seen = 0, a[20];
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp target enter data nowait depend(out: a) map(to: a)
#pragma omp target nowait depend(inout: a)
    for (int i = 0; i < n; i++)
      a[i] *= 2;
#pragma omp target update nowait depend(inout: a) from(a)
#pragma omp task depend(inout: a) shared(a, seen)
    seen = a[19];
#pragma omp target exit data nowait depend(inout: a) map(delete: a)
#pragma omp taskwait
  }
  CHECK(seen == 38);
  return 0;
}

//: 15.4 taskgroup waits for target constructs
//: simulator cannot take launches of several threads
TEST(taskgroup_of_targets) {
  int z[2] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp target nowait map(tofrom: z[0:1])
      z[0] = 4;
    }
#pragma omp target nowait map(tofrom: z[1:1]) if(z[0] == 4)
    z[1] = z[0] == 4;
  }
  CHECK(z[0] == 4);
  return 0;
}

//: 13.8 in_reduction on target, beside a task's
//: simulator cannot take launches of several threads
TEST(in_reduction_beside) {
  int r = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(+: r)
  {
#pragma omp target in_reduction(+: r)
    r += 3;
#pragma omp task in_reduction(+: r)
    r += 4;
  }
  CHECK(r == 7);
  return 0;
}

//: 12.6 taskloop with a reduction of the program's own, in a region
struct taskloop_sum {
  double all;
  int most;
};
#pragma omp declare reduction(both: struct taskloop_sum: omp_out.all += omp_in.all, omp_out.most = omp_in.most > omp_out.most ? omp_in.most : omp_out.most) initializer(omp_priv = (struct taskloop_sum){0, -1})
TEST(taskloop_declared_reduction) {
  struct taskloop_sum s = {1, 0};
#pragma omp target map(tofrom: s)
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskloop reduction(both: s) grainsize(4)
  for (int i = 0; i < 20; i++) {
    s.all += i;
    if (s.most < i)
      s.most = i;
  }
  CHECK(s.all == 191 && s.most == 19);
  return 0;
}

//: 13.9 update and target with nowait, in a function that returns before they run
//: simulator cannot take launches of several threads
typedef struct {
  int in[8], out[8], *more;
} tasks_stage_t;
static void tasks_launch(tasks_stage_t *stage, int row, char *order) {
#pragma omp target update to(stage[row].in) nowait depend(inout: order[0])
#pragma omp target nowait depend(inout: order[0]) map(tofrom: stage[row].more[0:8])
  for (int i = 0; i < 8; i++) {
    stage[row].out[i] = stage[row].in[i] * 2;
    stage[row].more[i] += i;
  }
#pragma omp target update from(stage[row].out) nowait depend(inout: order[0])
}
TEST(tasks_after_return) {
  tasks_stage_t stages[2];
  int more[2][8] = {{0}};
  char order;
  for (int k = 0; k < 2; k++)
    stages[k].more = more[k];
#pragma omp target enter data map(to: stages)
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int k = 0; k < 2; k++) {
#pragma omp task depend(inout: order) firstprivate(k)
    for (int i = 0; i < 8; i++)
      stages[k].in[i] = i + k;
    tasks_launch(stages, k, &order);
  }
#pragma omp target exit data map(delete: stages)
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 8; i++)
      CHECK(stages[k].out[i] == 2 * (i + k) && more[k][i] == i);
  return 0;
}

//: 13.9 target tasks move what pointers in memory lead to when the program reaches them
//: simulator cannot take launches of several threads
typedef struct {
  int n, *front, *back;
} tasks_buffers_t;
static void tasks_step(tasks_buffers_t *buffers, char *order) {
  int n = buffers->n, *front = buffers->front;
#pragma omp target nowait depend(inout: order[0]) map(tofrom: front[0:buffers->n])
  for (int i = 0; i < n; i++)
    front[i] += 1;
#pragma omp target update from(buffers->front[0:buffers->n]) nowait depend(inout: order[0])
}
static void tasks_bring(tasks_buffers_t buffers, char *order) {
#pragma omp target update from(buffers.back[0:buffers.n]) nowait depend(inout: order[0])
}
static void tasks_bring_if(tasks_buffers_t *buffers, char *order) {
#pragma omp target update from(buffers->back[0:buffers->n]) nowait depend(inout: order[0]) if(buffers->n > 0)
}
TEST(tasks_swapped_pointers) {
  int a[10] = {0}, b[10] = {0}, held = 0;
  tasks_buffers_t buffers = {10, a, b};
  char order;
#pragma omp target enter data map(to: a, b)
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task depend(inout: order) shared(held)
    for (volatile int k = 0; k < 20000; k++)
      held = 1;
    tasks_step(&buffers, &order);
    buffers.front = b;
    buffers.back = a;
    tasks_step(&buffers, &order);
    buffers.n = 0;
  }
  CHECK(held == 1 && a[0] == 1 && a[9] == 1 && b[0] == 1 && b[9] == 1);
#pragma omp target
  a[3] = b[3] = 7;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task depend(inout: order) shared(held)
    for (volatile int k = 0; k < 20000; k++)
      held = 2;
    tasks_bring((tasks_buffers_t){10, a, b}, &order);
    buffers.n = 10;
    tasks_bring_if(&buffers, &order);
    buffers.back = NULL;
  }
  CHECK(held == 2 && a[3] == 7 && b[3] == 7);
#pragma omp target exit data map(delete: a, b)
  return 0;
}
