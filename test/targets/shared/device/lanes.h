// A group of a CUDA or HIP kernel on the processor: its work-items take turns from one meeting to the next. A lane that reads
// what no lane gives gets a value that no program would compute.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define _Thread_local thread_local
#include "arc_host_items.h"

#define __global__
#define __device__
#define __launch_bounds__(...)
#define threadIdx (arc_place{(unsigned)arc_items.running, 0, 0})
#define blockIdx (arc_place{0, 0, 0})
#define blockDim (arc_place{arc_group_items, 1, 1})
struct arc_place {
  unsigned x, y, z;
};
static unsigned arc_group_items;

static void arc_refuse(const char *why) {
  printf("%s\n", why);
  exit(2);
}

static struct {
  long long value;
  unsigned mask;
  int comes;
} arc_lanes[1024];

// All of a group meet before and behind.
template <class T> T arc_from(T value, unsigned mask, long item) {
  const long own = arc_items.running;
  arc_lanes[own].comes = 1;
  arc_lanes[own].mask = mask;
  memcpy(&arc_lanes[own].value, &value, sizeof value);
  arc_barrier();
  T got;
  memset(&got, 0x5a, sizeof got);
  if (item >= 0 && item < (long)arc_group_items && arc_lanes[item].comes)
    memcpy(&got, &arc_lanes[item].value, sizeof got);
  arc_barrier();
  arc_lanes[own].comes = 0;
  return got;
}

#ifdef ARC_HIP
// As HIP's header computes the lane, for wavefronts of 64.
template <class T> T __shfl(T value, int lane, int width) {
  const int own = arc_items.running & 63;
  return arc_from(value, 0, arc_items.running - own + ((lane + (own & ~(width - 1))) & 63));
}
template <class T> T __shfl_up(T value, unsigned delta, int width) {
  const int own = arc_items.running & 63, at = own - (int)delta;
  return arc_from(value, 0, arc_items.running - own + (at < (own & ~(width - 1)) ? own : at));
}
template <class T> T __shfl_down(T value, unsigned delta, int width) {
  const int own = arc_items.running & 63, at = own + (int)delta;
  return arc_from(value, 0, arc_items.running - own + ((own & (width - 1)) + (int)delta >= width ? own : at));
}
template <class T> T __shfl_xor(T value, int bits, int width) {
  const int own = arc_items.running & 63, at = own ^ bits;
  return arc_from(value, 0, arc_items.running - own + (at >= ((own + width) & ~(width - 1)) ? own : at));
}
#else
// As PTX says of shfl.sync: the lane's lowest five bits count, and the mask names exactly those that come by.
template <class T> T arc_in_warp(unsigned mask, T value, int at) {
  const int own = arc_items.running & 31;
  const long first = arc_items.running - own, lanes = (long)arc_group_items - first;
  if (mask != (lanes < 32 ? (1u << lanes) - 1 : ~0u)) arc_refuse("a mask that does not name the lanes that come by");
  return arc_from(value, mask, first + (at < 0 || at > 31 ? own : at));
}
template <class T> T __shfl_sync(unsigned mask, T value, int lane) { return arc_in_warp(mask, value, lane & 31); }
template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned delta) {
  return arc_in_warp(mask, value, (int)(arc_items.running & 31) - (int)(delta & 31));
}
template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned delta) {
  return arc_in_warp(mask, value, (int)(arc_items.running & 31) + (int)(delta & 31));
}
template <class T> T __shfl_xor_sync(unsigned mask, T value, int bits) {
  return arc_in_warp(mask, value, (int)(arc_items.running & 31) ^ (bits & 31));
}
#endif

// Runs a group of so many items.
template <class F> void arc_launch(long items, F kernel) {
  arc_group_items = (unsigned)items;
  arc_run_items(items, [](long, void *of) { (*(F *)of)(); }, &kernel);
}
