// Vectors of 16 bytes as the compilers for NVIDIA's and AMD's GPUs define them.
#pragma once
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(16) double2 {
  double x, y;
};
struct alignas(16) long2 {
  long x, y;
};
struct alignas(16) ulong2 {
  unsigned long x, y;
};
