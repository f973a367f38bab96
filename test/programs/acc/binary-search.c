// Each lane looks a key up in a sorted table.
// arc: items>1
#include "check.h"

#define TABLE 500
#define KEYS 1201

int main(void) {
  static int table[TABLE], place[KEYS];
  for (int i = 0; i < TABLE; i++)
    table[i] = 2 * i + i / 100;

#pragma acc parallel loop copyin(table) copyout(place)
  for (int key = 0; key < KEYS; key++) {
    int low = 0, high = TABLE - 1, found = -1;
    while (low <= high) {
      int middle = (low + high) / 2;
      if (table[middle] == key) {
        found = middle;
        break;
      }
      if (table[middle] < key)
        low = middle + 1;
      else
        high = middle - 1;
    }
    place[key] = found;
  }

  for (int key = 0; key < KEYS; key++) {
    int want = -1;
    for (int i = 0; i < TABLE; i++)
      if (table[i] == key)
        want = i;
    EXPECT_AT(key, place[key], want);
  }
  return report();
}
