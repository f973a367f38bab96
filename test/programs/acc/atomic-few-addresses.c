// All lanes update few elements, by one operator: of an array, of a section, of rows, and one scalar; sizes 0, 1 and primes.
// arc: items>1
#include "check.h"

#define BINS 7

static void update(int n, const int *key, int bins[BINS], unsigned mask[2][3], long *far, unsigned *used) {
  int odd = 0;
#pragma acc parallel loop copyin(key[0:n]) copy(bins[0:BINS], mask[0:2], far[3:2], used[0:1], odd)
  for (int i = 0; i < n; i++) {
#pragma acc atomic update
    bins[key[i] % BINS]++;
    if (key[i] % 2) {
#pragma acc atomic
      odd += 1;
#pragma acc atomic
      odd--;
    }
#pragma acc atomic
    mask[key[i] % 2][key[i] % 3] ^= 1u << key[i] % 32;
#pragma acc atomic
    far[3 + key[i] % 2] = i + far[3 + key[i] % 2];
#pragma acc atomic
    used[0] |= 1u << key[i] % BINS;
  }
  EXPECT(odd, 0);
}

int main(void) {
  int sizes[] = {0, 1, 2, 127, 4099};
  static int key[4099];
  for (int i = 0; i < 4099; i++)
    key[i] = (int)(i * 2654435761u >> 20);
  for (int s = 0; s < 5; s++) {
    int n = sizes[s], bins[BINS] = {3, 1, 4, 1, 5, 9, 2}, want[BINS] = {3, 1, 4, 1, 5, 9, 2};
    unsigned mask[2][3] = {{9, 9, 9}, {0, 0, 1}}, mask_w[2][3] = {{9, 9, 9}, {0, 0, 1}};
    unsigned used[1] = {256}, used_w = 256;
    long far[5] = {7, 7, 7, -3, 1000000}, far_w[5] = {7, 7, 7, -3, 1000000};
    for (int i = 0; i < n; i++) {
      want[key[i] % BINS]++;
      mask_w[key[i] % 2][key[i] % 3] ^= 1u << key[i] % 32;
      far_w[3 + key[i] % 2] += i;
      used_w |= 1u << key[i] % BINS;
    }
    update(n, key, bins, mask, far, used);
    for (int b = 0; b < BINS; b++)
      EXPECT_AT(b, bins[b], want[b]);
    for (int b = 0; b < 6; b++)
      EXPECT_AT(b, mask[b / 3][b % 3], mask_w[b / 3][b % 3]);
    for (int b = 0; b < 5; b++)
      EXPECT_AT(b, far[b], far_w[b]);
    EXPECT(used[0], used_w);
  }
  return report();
}
