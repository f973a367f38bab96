// Characters: promotion to int, narrowing on assignment, signedness, character constants and escapes.
// arc: items>1
#include "check.h"

#define N 256

int main(void) {
  unsigned char u[N], text[N];
  signed char s[N];
  int sum[N];

#pragma acc parallel loop copyout(u, s, sum, text)
  for (int i = 0; i < N; i++) {
    u[i] = (unsigned char)(i + 200);
    s[i] = (signed char)(u[i] % 128 - 64);
    sum[i] = u[i] + s[i] + u[i];
    u[i] += 100;
    text[i] = i % 26 + (i % 2 ? 'a' : 'A');
    if (i == 13)
      text[i] = '\n';
    if (i == 14)
      text[i] = '\x7f' - '\'' + '\0';
  }

  for (int i = 0; i < N; i++) {
    int first = (i + 200) % 256, second = first % 128 - 64;
    EXPECT_AT(i, s[i], second);
    EXPECT_AT(i, sum[i], 2 * first + second);
    EXPECT_AT(i, u[i], (first + 100) % 256);
    int letter = i % 26 + (i % 2 ? 'a' : 'A');
    EXPECT_AT(i, text[i], i == 13 ? 10 : i == 14 ? 127 - 39 : letter);
  }
  return report();
}
