/* Two launches, argv[1] milliseconds apart; none without. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <time.h>

enum { length = 100 };

int main(int argc, char **argv) {
  static int a[length];
  const arc_item item = ITEM(COPY, a, length);
  const long milliseconds = argc > 1 ? atol(argv[1]) : 0;
  arc_data_begin(SITE("data"), ARC_SYNC, 1, &item);
  for (int i = 0; i < 2 && milliseconds; i++) {
    const struct timespec between = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    add(a, length, 1, ARC_SYNC);
    acc_wait_all();
    if (i == 0) nanosleep(&between, NULL);
  }
  arc_data_end(SITE("data"), ARC_SYNC, 1, &item);
  puts(a[7] == 2 * (milliseconds > 0) ? "right" : "wrong");
  return 0;
}
