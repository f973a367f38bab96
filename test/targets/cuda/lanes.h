// CUDA C++ on one processor, for the stand-in of the driver: the threads of a block are fibers, which take turns where they
// meet. Shuffles are those of 32 lanes; all lanes must come by. It shows what kernels compute, and nothing of their speed.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <math.h>
#include <stddef.h>
#include <type_traits>
#include <ucontext.h>
#include <utility>
#include "../vector_types.h"
#define __global__
#define __device__
#define __shared__ static
#define __launch_bounds__(...)
struct dim {
  unsigned x, y, z;
};
static dim threadIdx, blockIdx, blockDim, gridDim;

namespace lanes {
enum { MOST = 1024, STACK = 1 << 15 };
struct fiber {
  ucontext_t at;
  bool done;
  unsigned long met, shuffled;
};
static fiber all[MOST];
static char stacks[MOST][STACK];
static ucontext_t scheduler;
static unsigned count, now;
static unsigned long met, shuffled[MOST / 32], turns;
static unsigned long long slots[2][MOST];
static void (*start)();

static void pause() { swapcontext(&all[now].at, &scheduler); }
static void body() {
  start();
  all[now].done = true;
  turns++;
  pause();
}
static void meet() {
  unsigned long mine = ++all[now].met * count;
  met++, turns++;
  while (met < mine) pause();
}
template <class T> static T exchange(T value, int from) {
  unsigned warp = now / 32;
  unsigned long round = ++all[now].shuffled, side = round % 2;
  memcpy(&slots[side][now], &value, sizeof value);
  shuffled[warp]++, turns++;
  while (shuffled[warp] < round * 32) pause();
  memcpy(&value, &slots[side][warp * 32 + from], sizeof value);
  return value;
}
static void block() {
  memset(shuffled, 0, sizeof shuffled);
  met = 0;
  for (unsigned i = 0; i < count; i++) {
    fiber &f = all[i];
    getcontext(&f.at);
    f.at.uc_stack.ss_sp = stacks[i], f.at.uc_stack.ss_size = STACK, f.at.uc_link = nullptr;
    f.done = false, f.met = f.shuffled = 0;
    makecontext(&f.at, body, 0);
  }
  for (bool some = true; some;) {
    some = false;
    unsigned long before = turns;
    for (now = 0; now < count; now++) {
      if (all[now].done) continue;
      some = true;
      threadIdx = {now % blockDim.x, now / blockDim.x % blockDim.y, now / blockDim.x / blockDim.y};
      swapcontext(&scheduler, &all[now].at);
    }
    if (some && turns == before) fprintf(stderr, "threads of a block wait for ever\n"), abort();
  }
}
template <class... A, std::size_t... I>
static void call(void (*f)(A...), void **p, std::index_sequence<I...>) {
  f(*(A *)p[I]...);
}
template <class... A> static void launch(void (*f)(A...), void **p, const unsigned *g, const unsigned *b) {
  static void (*code)(A...);
  static void **parameters;
  code = f, parameters = p;
  start = [] { call(code, parameters, std::index_sequence_for<A...>()); };
  gridDim = {g[0], g[1], g[2]}, blockDim = {b[0], b[1], b[2]}, count = b[0] * b[1] * b[2];
  for (unsigned i = 0; i < g[0] * g[1] * g[2]; i++) {
    blockIdx = {i % g[0], i / g[0] % g[1], i / g[0] / g[1]};
    block();
  }
}
struct table {
  unsigned list[32];
};
template <class... A> static constexpr table listed(void (*)(A...)) { return {{sizeof(A)..., 0}}; }
} // namespace lanes

template <class To, class From> static To bits(From from) {
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
static float __int_as_float(int word) { return bits<float>(word); }
static double __longlong_as_double(long long word) { return bits<double>(word); }
static void __syncthreads() { lanes::meet(); }

template <class T> static T __shfl_sync(unsigned, T value, int lane) { return lanes::exchange(value, lane % 32); }
template <class T> static T __shfl_xor_sync(unsigned, T value, int mask) {
  return lanes::exchange(value, (int)(lanes::now % 32) ^ mask);
}
template <class T> static T __shfl_down_sync(unsigned, T value, unsigned by) {
  unsigned lane = lanes::now % 32;
  return lanes::exchange(value, lane + by < 32 ? lane + by : lane);
}
template <class T> static T __shfl_up_sync(unsigned, T value, unsigned by) {
  unsigned lane = lanes::now % 32;
  return lanes::exchange(value, lane >= by ? lane - by : lane);
}

// Threads take turns only where they meet, so nothing comes between the parts of an atomic operation.
template <class T> using value_of = std::common_type_t<T>;
template <class T, class F> static T changed(T *at, F next) {
  T before = *at;
  *at = next(before);
  return before;
}
template <class T> static T atomicAdd(T *at, value_of<T> v) { return changed(at, [&](T x) { return x + v; }); }
template <class T> static T atomicAnd(T *at, value_of<T> v) { return changed(at, [&](T x) { return x & v; }); }
template <class T> static T atomicOr(T *at, value_of<T> v) { return changed(at, [&](T x) { return x | v; }); }
template <class T> static T atomicXor(T *at, value_of<T> v) { return changed(at, [&](T x) { return x ^ v; }); }
template <class T> static T atomicExch(T *at, value_of<T> v) { return changed(at, [&](T) { return v; }); }
template <class T> static T atomicMin(T *at, value_of<T> v) { return changed(at, [&](T x) { return v < x ? v : x; }); }
template <class T> static T atomicMax(T *at, value_of<T> v) { return changed(at, [&](T x) { return v > x ? v : x; }); }
template <class T> static T atomicCAS(T *at, value_of<T> seen, value_of<T> v) {
  return changed(at, [&](T x) { return x == seen ? v : x; });
}
static void __threadfence() {}
static void __trap() { abort(); }
template <class T> static T __ldg(const T *at) { return *at; }
static float rsqrtf(float x) { return 1 / sqrtf(x); }
static int __popc(unsigned x) { return __builtin_popcount(x); }
static int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static int __clz(int x) { return x ? __builtin_clz(x) : 32; }
static int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
static int __ffs(int x) { return __builtin_ffs(x); }
static int __ffsll(long long x) { return __builtin_ffsll(x); }
static unsigned __byte_perm(unsigned low, unsigned high, unsigned select) {
  unsigned long long both = (unsigned long long)high << 32 | low, made = 0;
  for (int k = 0; k < 4; k++) made |= (both >> 8 * (select >> 4 * k & 7) & 255) << 8 * k;
  return made;
}
