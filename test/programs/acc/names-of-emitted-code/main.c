// Variables, functions and types whose names translated code declares for itself.
// arc: items>1, gcc-cannot nest deviceptr of a host_data variable
#include "../check.h"

#define N 131

typedef struct arc_copy_of_a {
  int arc_item;
} arc_grid;

void logarithms(double *logs, int n);

#pragma acc routine seq
static int arc_group(int arc_item) { return 2 * arc_item; }

int arc_half = 3;
#pragma acc declare copyin(arc_half)

static void work(int *a, int arc_on, int arc_config) {
  int arc_items = N, arc_args = 4, arc_trips = 0, arc_here = 6;
  int a_memory = 1, a_offset = 2, arc_i = 5, sum_partial = 9, sum_sum = 1, arc_count = 2, arc_reduce_int = 3;
  arc_grid s = {11};
  long sum = 0;
  int arc_k[3] = {1, 2, 3};
  int arc_list[4] = {1, 2, 3, 4};

#pragma acc data copyin(arc_list) if (arc_on)
#pragma acc parallel loop copy(a[0:arc_items]) reduction(+ : sum) num_gangs(arc_config) async(arc_here)
  for (int i = arc_trips; i < arc_items; i++) {
    int arc_item = arc_args + a_memory + a_offset + arc_i, arc_lanes = arc_half;
    a[i] += arc_item + arc_lanes + arc_group(i) + arc_here + s.arc_item + arc_k[i % 3] + arc_list[i % 4];
    sum += sum_partial + sum_sum + arc_count + arc_reduce_int;
  }
#pragma acc wait(arc_here)
  EXPECT(sum, 15L * N);

#pragma acc data copy(a[0:arc_items])
  {
#pragma acc host_data use_device(a)
    {
      int *arc_device_a = a;
#pragma acc parallel loop deviceptr(arc_device_a)
      for (int arc_t = 0; arc_t < arc_items; arc_t++)
        arc_device_a[arc_t] += arc_half;
    }
  }

  double logs[N];
  logarithms(logs, N);
  for (int i = 0; i < N; i++)
    NEAR(logs[i], i + 3, 1e-12);
}

int main(void) {
  int a[N];
  for (int i = 0; i < N; i++)
    a[i] = i;
  work(a, 1, 5);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i + 12 + 3 + 2 * i + 6 + 11 + (i % 3 + 1) + (i % 4 + 1) + 3);
  return report();
}
