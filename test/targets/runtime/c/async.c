/* Queues: order within one, waits between them, memory that is freed while its queue still works. */
#include "check.h"

enum { length = 3000, rounds = 40 };

int main(void) {
  static int a[length], b[length];
  const arc_item both[] = {ITEM(COPYIN, a, length), ITEM(CREATE, b, length)};
  arc_enter_data(SITE("enter data"), 1, 2, both);
  for (int i = 0; i < rounds; i++) {
    add(a, length, 1, 1);
    const int one = 1;
    arc_wait(SITE("wait"), 2, 1, &one); /* wait(1) async(2) */
    const arc_item out = ITEM(UPDATE_SELF, a, length);
    arc_update(SITE("update"), 2, 1, &out);
    const int two = 2;
    arc_wait(SITE("wait"), ARC_SYNC, 1, &two);
    for (int j = 0; j < length; j++) CHECK(a[j] == i + 1);
  }
  arc_wait(SITE("wait"), ARC_SYNC, 0, NULL);
  CHECK(acc_async_test(1) && acc_async_test(77) && acc_async_test_all());
  acc_delete(b, sizeof b);

  /* Async data regions: copied out, then freed, in the order of the queue. */
  static int parts[8][length];
  for (int q = 0; q < 8; q++) {
    for (int j = 0; j < length; j++) parts[q][j] = q;
    for (int i = 0; i < rounds; i++) {
      const arc_item item = {.name = "parts[q]", .host = parts[q], .size = sizeof parts[q], .map = ARC_COPY};
      arc_data_begin(SITE("data"), q, 1, &item);
      add(parts[q], length, 1, q);
      arc_data_end(SITE("data"), q, 1, &item);
    }
  }
  acc_wait_all();
  for (int q = 0; q < 8; q++)
    for (int j = 0; j < length; j++) CHECK(parts[q][j] == q + rounds);

  /* The values of a launch are those at the call, and default queues are queues. */
  acc_set_default_async(5);
  CHECK(acc_get_default_async() == 5);
  acc_copyin(b, sizeof b);
  for (int i = 0; i < rounds; i++) add(b, length, i, acc_async_noval);
  acc_wait(5);
  acc_set_default_async(acc_async_sync);
  add(b, length, 1, acc_async_noval);
  acc_copyout(b, sizeof b);
  for (int j = 0; j < length; j++) CHECK(b[j] == rounds * (rounds - 1) / 2 + 1);

  acc_delete_async(a, sizeof a, 3);
  acc_wait_async(3, 4);
  acc_wait_all_async(6);
  acc_wait(6);
  CHECK(acc_async_test_all());
  puts("right");
  return 0;
}
