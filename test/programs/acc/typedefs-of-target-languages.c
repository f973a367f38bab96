// Types that programs name as OpenCL, CUDA or C++ name theirs, with the same meaning and with another one.
// arc: items>1
#include "check.h"

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef _Bool bool;
typedef double half;
typedef long event_t;
typedef struct { float x, y, z, w; } float4;
typedef struct uint2 { uint x, y; } uint2;
typedef float double3[3];
typedef uint (*uint3)[2];

#define N 61

#pragma acc routine seq
static ulong mixed(uint value, uchar byte) {
  uint2 pair = {value, byte};
  return (ulong)pair.x * 3 + pair.y;
}

int main(void) {
  static uint word[N], two[N][2];
  static uchar byte[N];
  static ushort small[N];
  static ulong wide[N];
  static bool odd[N];
  static half part[N];
  static event_t event[N];
  static float4 quad[N];
  static double3 three[N];

#pragma acc parallel loop copyout(word, byte, small, wide, odd, part, event, quad, three, two)
  for (uint i = 0; i < N; i++) {
    uchar low = (uchar)(i * 7 + 250);
    bool bit = i & 2;
    half h = i / 4.0;
    float4 q = {i, low, 2, 3};
    uint3 row = &two[i];
    word[i] = i - 5u;
    byte[i] = low;
    small[i] = (ushort)(i * 3000);
    wide[i] = mixed(i, low);
    odd[i] = bit;
    part[i] = h + (half)0.125;
    event[i] = (event_t)sizeof(uint2) - (event_t)i;
    quad[i] = q;
    for (int k = 0; k < 3; k++)
      three[i][k] = q.x + k;
    (*row)[0] = i;
    (*row)[1] = sizeof(half);
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, word[i], (unsigned)i - 5);
    EXPECT_AT(i, byte[i], (i * 7 + 250) % 256);
    EXPECT_AT(i, small[i], i * 3000 % 65536);
    EXPECT_AT(i, wide[i], i * 3 + (i * 7 + 250) % 256);
    EXPECT_AT(i, odd[i], (i & 2) != 0);
    NEAR_AT(i, part[i], i / 4.0 + 0.125, 0);
    EXPECT_AT(i, event[i], 8 - i);
    NEAR_AT(i, quad[i].y, (i * 7 + 250) % 256, 0);
    NEAR_AT(i, three[i][2], i + 2, 0);
    EXPECT_AT(i, two[i][0] + two[i][1], i + 8);
  }
  return report();
}
