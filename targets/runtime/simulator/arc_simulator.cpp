/*
 * arc_simulator.cpp: a design as a kernel of the host back end. The model of `arc_design` runs over the
 * program's own memory until it is done, one clock cycle after the other.
 *
 * $ARC_RTL_REPORT names a file that gets a line for each launch, $ARC_RTL_WAVES one for waveforms. With ARC_AXI the
 * design is an AXI4 manager.
 */
#include "arc_call.h"
#include "arc_kernels.h"
#ifdef ARC_AXI
#include "arc_axi.h"
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
  void run(const std::map<unsigned, Call> &calls, const char *name) {
    set_bit(design.rst, 0, true);
    set_bit(design.start, 0, false);
    design.settle();
    unsigned counts = word(design.counts, 0);
    memory.reset(new Memory(design, program));
    issues.resize(counts >> 24 & 0xff);
    unsigned first = 0, kernel = 0;
    std::vector<arc_host_extent> extents;
    for (unsigned k = 0; k < (counts & 0xff); k++) {
      for (; byte(design.argument_kernel, k) != kernel; kernel++) first = k;
      unsigned size = byte(design.argument_bytes, k);
      void *argument = calls.at(kernel).arguments[k - first];
      uint64_t value = 0;
      if (!size) extents.push_back(calls.at(kernel).grid->extents[k - first]);
      program.pointers.push_back(size ? nullptr : static_cast<char *>(argument));
      if (size)
        std::memcpy(&value, argument, size);
      else
        value = (uint64_t{k} << 28) + 0x08000000 + Program::alignment(program.pointers[k]);
      set_wide(design.arguments, k, value);
    }
    set_bit(design.apart, 0, apart(extents));
    for (int k = 0; k < 4; k++) edge();
    set_bit(design.rst, 0, false);
    edge();
    issues.assign(issues.size(), 0);
    set_bit(design.start, 0, true);
    uint64_t begun = program.cycle;
    edge();
    set_bit(design.start, 0, false);
    design.settle();
    while (!bit(design.done, 0)) edge();
    memory->finish();
    report(name, program.cycle - begun);
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
