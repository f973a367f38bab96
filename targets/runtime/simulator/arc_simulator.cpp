/*
 * arc_simulator.cpp: a design as a kernel of the host back end. The model of `arc_design` runs over the
 * program's own memory until it is done, one clock cycle after the other.
 *
 * $ARC_RTL_REPORT names a file that gets a line for each launch, $ARC_RTL_WAVES one for waveforms. With ARC_AXI the
 * design is an AXI4 manager, with ARC_AXI_LITE it is run through registers besides.
 */
#include "arc_call.h"
#include "arc_kernels.h"
#ifdef ARC_AXI
#include "arc_axi.h"
#ifdef ARC_AXI_LITE
#include "arc_lite.h"
#endif
#else
#include "arc_native.h"
#endif
#include <map>
#include <memory>

namespace {

class Simulation {
  ArcModel design;
  Program program;
  std::unique_ptr<Memory> memory;
  std::vector<uint64_t> issues;

  /* The model is evaluated after what memory sees. */
  void edge() {
    program.cycle++;
    memory->sample();
    for (unsigned k = 0; k < issues.size(); k++) issues[k] += bit(design.issues, k);
    design.rise();
    memory->drive();
    design.fall();
  }

public:
#ifdef ARC_AXI_LITE
  Host host{design, program};
  std::vector<uint64_t> values;

  void idle() { host.idle(); }
  void quiet() { host.during_reset(); }
  void give(unsigned, uint64_t value) { values.push_back(value); }

  void written(uint32_t address, uint32_t value) {
    if (!host.write(address, value, [&] { edge(); })) return;
    std::fprintf(stderr, "arc: AXI4-Lite: a register is written with an error\n");
    std::abort();
  }
  uint32_t found(uint32_t address) {
    return host.read(address, [&] { edge(); });
  }

  /* Runs the kernel; its cycles. */
  uint64_t started(bool apart) {
    // What is no whole word is refused, and changes nothing.
    if (host.write(ARC_AT_CONTROL, 1, [&] { edge(); }, 3) != 2 || found(ARC_AT_STATUS)) std::abort();
    if (found(ARC_AT_IDENTITY) != ARC_IDENTITY) std::abort();
    for (std::size_t k = 0; k < values.size(); k++) {
      written(ARC_AT_ARGUMENTS + 8 * k, static_cast<uint32_t>(values[k]));
      written(ARC_AT_ARGUMENTS + 8 * k + 4, static_cast<uint32_t>(values[k] >> 32));
    }
    issues.assign(issues.size(), 0);
    written(ARC_AT_CONTROL, apart ? 5 : 1);
    while (!bit(design.irq, 0)) edge();
    if (found(ARC_AT_STATUS) != 2) std::abort();
    return found(ARC_AT_CYCLES);
  }
  unsigned error() { return found(ARC_AT_ERROR); }
#else
  void idle() { set_bit(design.start, 0, false); }
  void quiet() {}
  void give(unsigned k, uint64_t value) { set_wide(design.arguments, k, value); }

  uint64_t started(bool apart) {
    set_bit(design.apart, 0, apart);
    issues.assign(issues.size(), 0);
    set_bit(design.start, 0, true);
    uint64_t begun = program.cycle;
    edge();
    set_bit(design.start, 0, false);
    design.settle();
    while (!bit(design.done, 0)) edge();
    return program.cycle - begun;
  }
#ifdef ARC_AXI
  unsigned error() { return byte(design.error, 0); }
#else
  unsigned error() { return 0; }
#endif
#endif

  void run(const std::map<unsigned, Call> &calls, const char *name) {
    set_bit(design.rst, 0, true);
    idle();
    design.settle();
    const unsigned arguments = counted(design, 0);
    memory.reset(new Memory(design, program));
    issues.resize(counted(design, 3));
    program.divide(arguments);
    unsigned first = 0, kernel = 0;
    std::vector<arc_host_extent> extents;
    for (unsigned k = 0; k < arguments; k++) {
      for (; byte(design.argument_kernel, k) != kernel; kernel++) first = k;
      unsigned size = byte(design.argument_bytes, k);
      void *argument = calls.at(kernel).arguments[k - first];
      uint64_t value = 0;
      if (size) {
        program.pointers.push_back(nullptr);
        std::memcpy(&value, argument, size);
      } else {
        extents.push_back(calls.at(kernel).grid->extents[k - first]);
        value = program.place(k, static_cast<char *>(argument), extents.back(), name);
      }
      give(k, value);
    }
    for (int k = 0; k < 4; k++) edge();
    quiet();
    set_bit(design.rst, 0, false);
    edge();
    uint64_t cycles = started(apart(extents));
    memory->finish(error());
    report(name, cycles);
  }

  void report(const char *name, uint64_t cycles) const {
    const char *path = std::getenv("ARC_RTL_REPORT");
    FILE *file = path && *path ? std::fopen(path, "a") : nullptr;
    if (!file) return;
    std::fprintf(file, "{\"kernel\":\"%s\",\"cycles\":%llu,\"stalls\":%llu,\"bytes\":%llu,\"issues\":[", name,
                 static_cast<unsigned long long>(cycles), static_cast<unsigned long long>(program.stalled),
                 static_cast<unsigned long long>(program.bytes));
    for (std::size_t k = 0; k < issues.size(); k++)
      std::fprintf(file, "%s%llu", k ? "," : "", static_cast<unsigned long long>(issues[k]));
    std::fprintf(file, "]}\n");
    std::fclose(file);
  }
};

void run(const std::map<unsigned, Call> &calls, const char *name) {
  std::unique_ptr<Simulation> simulation(new Simulation);
  simulation->run(calls, name);
}

} // namespace

#include "arc_entries.h"
