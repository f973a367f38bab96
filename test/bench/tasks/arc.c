#include "arctask.h"
#include "overhead.h"

static void body(void *argument) { __asm__ volatile("" ::"r"(argument)); }
static const arc_task_type type = {{"arc.c", 1, "task"}, {"empty", body, 0, 0}, 0, 0};

static void empty(void) {
  for (long i = 0; i < TASKS; i++) arc_task_create(&type, &i, sizeof i, 0, 0, 0, 0);
}

static void four(void) {
  for (long i = 0; i < TASKS; i++) {
    arc_task_access a[4];
    for (int k = 0; k < 4; k++)
      a[k] = (arc_task_access){"c", &cells[(i * 7 + k * 3) % CELLS], sizeof(double), 0, 0, k ? ARC_TASK_IN : ARC_TASK_INOUT, 0};
    arc_task_create(&type, &i, sizeof i, 4, a, 0, 0);
  }
}

static void chain(void) {
  for (long i = 0; i < TASKS; i++) {
    arc_task_access a = {"c", &cells[0], sizeof(double), 0, 0, ARC_TASK_INOUT, 0};
    arc_task_create(&type, &i, sizeof i, 1, &a, 0, 0);
  }
}

static void finish(void) { arc_task_wait(&type.site); }

int main(void) {
  report("empty", empty, finish);
  report("four", four, finish);
  report("chain", chain, finish);
}
