/* Five tasks by themselves, then a chain of three: prints the order in which one thread runs them. */
#include "arctask.h"
#include <stdio.h>

static void body(void *argument) { printf("%s ", *(const char **)argument); }
static const arc_task_type type = {{"paths.c", 1, "task"}, {"named", body, 0, 0}, 0, 0};

static void create(const char *name, char *memory) {
  const arc_task_access access = {"memory", memory, 1, 0, 0, ARC_TASK_INOUT, 0};
  arc_task_create(&type, &name, sizeof name, 1, &access, 0, 0);
}

int main(void) {
  static char memory[6];
  const char *const alone[] = {"s1", "s2", "s3", "s4", "s5"};
  for (int i = 0; i < 5; i++) create(alone[i], &memory[i]);
  create("c1", &memory[5]);
  create("c2", &memory[5]);
  create("c3", &memory[5]);
  arc_task_wait(&type.site);
  puts("");
  return 0;
}
