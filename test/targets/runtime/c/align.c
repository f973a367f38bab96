/* Partial transfers from and to every offset modulo 64, on the host and on the device. */
#include "check.h"
#include <string.h>

enum { step = 64, span = 100 };

int main(void) {
  unsigned char *base = aligned_alloc(step, 8 * step), expected[span];
  for (int host = 0; host < step; host++) {
    unsigned char *data = base + host; /* the section's start: offset 0 on the device */
    memset(base, 0, 8 * step);
    acc_copyin(data, step + span);
    for (int device = 0; device < step; device += 1 + (host + device) % 7) {
      unsigned char *part = data + device;
      for (int i = 0; i < span; i++) expected[i] = part[i] = (unsigned char)(host * 31 + device * 7 + i);
      acc_update_device(part, span);
      memset(part, 0, span);
      acc_update_self(part, span);
      CHECK(memcmp(part, expected, span) == 0);
      printf("%d %d\n", host, device);
    }
    acc_copyout(data, step + span);
  }
  free(base);
  return 0;
}
