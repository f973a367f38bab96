/*
 * arc_memory.h: the program's memory as a simulated design sees it. Included by a header that says how the design
 * reaches it: ARC_MEMORY_PORTS are the design's ports for that.
 *
 * The design's addresses have 32 bits. Argument k, a pointer, is device address k * 2^28 + 2^27 with the pointer's
 * own lowest bits, so that a kernel reaches 128 MB to both sides of what it gets. Kernels with pointers in memory have
 * whole addresses (ARC_WHOLE_ADDRESSES), which are the program's own: what a pointer leads to needs no argument.
 */
#ifndef ARC_MEMORY_H
#define ARC_MEMORY_H
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

#ifdef ARC_AXI_LITE
#define ARC_CONTROL_PORTS                                                                               \
  PORT(s_axi_awvalid, s__axi__awvalid) PORT(s_axi_awready, s__axi__awready)                             \
  PORT(s_axi_awaddr, s__axi__awaddr) PORT(s_axi_awprot, s__axi__awprot)                                 \
  PORT(s_axi_wvalid, s__axi__wvalid) PORT(s_axi_wready, s__axi__wready)                                 \
  PORT(s_axi_wdata, s__axi__wdata) PORT(s_axi_wstrb, s__axi__wstrb)                                     \
  PORT(s_axi_bvalid, s__axi__bvalid) PORT(s_axi_bready, s__axi__bready) PORT(s_axi_bresp, s__axi__bresp) \
  PORT(s_axi_arvalid, s__axi__arvalid) PORT(s_axi_arready, s__axi__arready)                             \
  PORT(s_axi_araddr, s__axi__araddr) PORT(s_axi_arprot, s__axi__arprot)                                 \
  PORT(s_axi_rvalid, s__axi__rvalid) PORT(s_axi_rready, s__axi__rready)                                 \
  PORT(s_axi_rdata, s__axi__rdata) PORT(s_axi_rresp, s__axi__rresp)                                     \
  PORT(irq, irq)
#else
#define ARC_CONTROL_PORTS                                                                               \
  PORT(start, start) PORT(apart, apart) PORT(done, done) PORT(arguments, arguments)
#endif
#define ARC_PORTS                                                                                       \
  PORT(rst, rst)                                                                                        \
  ARC_CONTROL_PORTS                                                                                     \
  PORT(counts, counts) PORT(data_bytes, data__bytes)                                                    \
  PORT(argument_bytes, argument__bytes) PORT(argument_kernel, argument__kernel)                         \
  ARC_MEMORY_PORTS                                                                                      \
  PORT(issues, issues)
#include "arc_call.h"
#include "arc_model.h"

namespace {

template <class T> unsigned byte(const T &port, unsigned k) { return word(port, k / 4) >> (8 * (k % 4)) & 0xff; }
/* Number of arguments, read ports, write ports or pipelines that the design has. */
template <class T> unsigned counted(const T &design, unsigned k) {
  return word(design.counts, k / 2) >> (16 * (k % 2)) & 0xffff;
}
template <class T> uint64_t wide(const T &port, unsigned k) {
  return word(port, 2 * k) | uint64_t{word(port, 2 * k + 1)} << 32;
}
/* Beat counts have nine bits. */
template <class T> unsigned beats(const T &port, unsigned k) {
  unsigned from = 9 * k, shift = from % 32;
  uint64_t pair = word(port, from / 32);
  if (shift > 23) pair |= uint64_t{word(port, from / 32 + 1)} << 32;
  return pair >> shift & 0x1ff;
}
#ifdef ARC_WHOLE_ADDRESSES
typedef uint64_t Address;
template <class T> Address address_at(const T &port, unsigned k) { return wide(port, k); }
#else
typedef uint32_t Address;
template <class T> Address address_at(const T &port, unsigned k) { return word(port, k); }
#endif
template <class T> void set_wide(T &port, unsigned k, uint64_t value) {
  set_word(port, 2 * k, static_cast<uint32_t>(value));
  set_word(port, 2 * k + 1, static_cast<uint32_t>(value >> 32));
}

/* One transfer: up to 64 bytes, of which each port has `size` in the design's vectors. */
struct Data {
  uint32_t words[16];
};
template <class T> Data data_at(const T &port, unsigned k, unsigned size) {
  Data found{};
  for (unsigned i = 0; i < size / 4; i++) found.words[i] = word(port, k * size / 4 + i);
  return found;
}
template <class T> void set_data(T &port, unsigned k, unsigned size, const Data &data) {
  for (unsigned i = 0; i < size / 4; i++) set_word(port, k * size / 4 + i, data.words[i]);
}
template <class T> uint64_t strobe_at(const T &port, unsigned k, unsigned size) {
  uint64_t found = 0;
  for (unsigned b = 0; b < size; b += 8) found |= uint64_t{byte(port, (k * size + b) / 8)} << b;
  return found;
}

unsigned setting(const char *name, unsigned otherwise) {
  const char *text = std::getenv(name);
  return text && *text ? static_cast<unsigned>(std::strtoul(text, nullptr, 0)) : otherwise;
}

struct Random {
  uint32_t state = 1;
  unsigned below(unsigned n) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return state % n;
  }
};

/*
 * What a design's memory is made of, and what it counts. Each argument has a part of the design's addresses, all of one
 * size; its array begins in the middle of it, since pointers may lead behind where they point.
 */
struct Program {
  std::vector<char *> pointers;
  unsigned window = 28;
  uint64_t cycle = 0, stalled = 0, bytes = 0;
  unsigned latency = setting("ARC_RTL_LATENCY", 4), stalls = setting("ARC_RTL_STALLS", 0);
  Random random;

  /* Words of the design's memory are words of the program's: one that holds an element lies in the same page. */
  static unsigned alignment(const char *pointer) { return reinterpret_cast<uintptr_t>(pointer) % 64; }

  uint32_t half() const { return uint32_t{1} << (window - 1); }

  /* Divides the address space among the arguments. */
  void divide(unsigned arguments) {
    while (arguments > 1u << (32 - window)) window--;
  }

#ifdef ARC_WHOLE_ADDRESSES
  Address place(unsigned, char *pointer, const arc_host_extent &, const char *) {
    return reinterpret_cast<uintptr_t>(pointer);
  }
  /* Nothing is in the first page, where null pointers lead. */
  char *find(Address address) const { return address < 4096 ? nullptr : reinterpret_cast<char *>(address); }
#else
  /* Start of an argument's array; its known extent must fit the argument's part. */
  Address place(unsigned argument, char *pointer, const arc_host_extent &extent, const char *name) {
    pointers.push_back(pointer);
    int64_t before = reinterpret_cast<uintptr_t>(pointer) - extent.start, after = extent.bytes - before;
    int64_t room = half() - 64;
    if (extent.bytes && (before > room || after > room)) {
      std::fprintf(stderr,
                   "arc: %s: array %u has %llu bytes, and the simulator's room for one of so many is %lld: with 32 bits "
                   "of address, 128 MiB each way for up to 16 arguments, half of it for up to 32, and so on\n",
                   name, argument, static_cast<unsigned long long>(extent.bytes), static_cast<long long>(room));
      std::abort();
    }
    return (argument << window) + half() + alignment(pointer);
  }

  /* Null where nothing is. */
  char *find(Address address) const {
    unsigned argument = address >> window;
    if (argument >= pointers.size() || !pointers[argument]) return nullptr;
    char *pointer = pointers[argument];
    uint32_t within = address & (2 * half() - 1);
    return pointer - alignment(pointer) + (static_cast<int64_t>(within) - half());
  }
#endif
  char *host(Address address) const {
    char *found = find(address);
    if (!found) {
      std::fprintf(stderr, "arc: the simulated design uses address 0x%llx, where nothing is\n",
                   static_cast<unsigned long long>(address));
      std::abort();
    }
    return found;
  }
  uint64_t later() { return cycle + latency - 1 + (stalls ? random.below(stalls + 1) : 0); }
  bool stops() { return stalls && random.below(stalls + 1); }
  bool open(std::size_t waiting) { return waiting < 512 && !stops(); }

  void store(char *place, const Data &data, uint64_t strobe, unsigned size) {
    char from[sizeof data];
    std::memcpy(from, &data, sizeof from);
    for (unsigned b = 0; b < size; b++)
      if (strobe >> b & 1) {
        place[b] = from[b];
        bytes++;
      }
  }
};

} // namespace

#endif
