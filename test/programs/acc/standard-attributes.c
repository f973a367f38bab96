// Attributes of C23, `[[...]]`, which compilers take in older C, too: of types, functions, variables and statements.
// arc: items>1
#include "check.h"

#define N 1000

struct [[gnu::packed]] record {
  char kind;
  int value;
};

#pragma acc routine seq
[[nodiscard]] static inline int changed(int x, [[maybe_unused]] int unused) {
  switch (x % 3) {
  case 0:
    x += 5;
    [[fallthrough]];
  case 1:
    x *= 2;
    break;
  default:
    x = -x;
  }
  return x;
}

int main(void) {
  static struct record records[N];
  [[maybe_unused]] static int spare;
  for (int i = 0; i < N; i++) records[i] = (struct record){(char)(i % 7), i};
#pragma acc parallel loop copy(records)
  for (int i = 0; i < N; i++) {
    [[maybe_unused]] const int twice [[gnu::aligned(16)]] = 2 * i;
    records[i].value = changed(records[i].value, 0) + records[i].kind;
  }
  for (int i = 0; i < N; i++) {
    const int x = i % 3 == 0 ? (i + 5) * 2 : i % 3 == 1 ? i * 2 : -i;
    EXPECT_AT(i, records[i].kind, i % 7);
    EXPECT_AT(i, records[i].value, x + i % 7);
  }
  return report();
}
