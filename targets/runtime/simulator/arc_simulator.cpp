/*
 * arc_simulator.cpp: a design as a kernel of the host back end. The model of `arc_design` runs over the
 * program's own memory until it is done, one clock cycle after the other.
 *
 * The design's addresses have 32 bits. Argument k, a pointer, is device address k * 2^28 + 2^27 with the pointer's
 * own lowest bits, so that a kernel reaches 128 MB to both sides of what it gets. Reads answer $ARC_RTL_LATENCY
 * cycles after they were taken (default 4), writes are done as late; with $ARC_RTL_STALLS=n up to n cycles later at
 * random. $ARC_RTL_REPORT names a file that gets a line for each launch, $ARC_RTL_WAVES one for waveforms.
 */
#include "arc_call.h"
#include "arc_kernels.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#define ARC_PORTS                                                                                       \
  PORT(rst, rst)                                                                                        \
  PORT(start, start) PORT(apart, apart) PORT(done, done)                                                \
  PORT(arguments, arguments) PORT(counts, counts) PORT(data_bytes, data__bytes)                         \
  PORT(argument_bytes, argument__bytes) PORT(argument_kernel, argument__kernel)                         \
  PORT(read_valid, read__valid) PORT(read_address, read__address) PORT(read_beats, read__beats)         \
  PORT(read_bytes, read__bytes) PORT(read_ready, read__ready)                                           \
  PORT(data_valid, data__valid) PORT(data, data) PORT(data_ready, data__ready)                          \
  PORT(write_valid, write__valid) PORT(write_address, write__address) PORT(write_beats, write__beats)   \
  PORT(write_bytes, write__bytes) PORT(write_ready, write__ready)                                       \
  PORT(word_valid, word__valid) PORT(word, word) PORT(word_strobe, word__strobe)                        \
  PORT(word_ready, word__ready)                                                                         \
  PORT(response_valid, response__valid) PORT(response_ready, response__ready)                           \
  PORT(issues, issues)
#include "arc_model.h"

namespace {

template <class T> unsigned byte(const T &port, unsigned k) { return word(port, k / 4) >> (8 * (k % 4)) & 0xff; }
template <class T> uint64_t wide(const T &port, unsigned k) {
  return word(port, 2 * k) | uint64_t{word(port, 2 * k + 1)} << 32;
}
/* Counts of beats have nine bits. */
template <class T> unsigned beats(const T &port, unsigned k) {
  unsigned from = 9 * k, shift = from % 32;
  uint64_t pair = word(port, from / 32);
  if (shift > 23) pair |= uint64_t{word(port, from / 32 + 1)} << 32;
  return pair >> shift & 0x1ff;
}
template <class T> void set_wide(T &port, unsigned k, uint64_t value) {
  set_word(port, 2 * k, static_cast<uint32_t>(value));
  set_word(port, 2 * k + 1, static_cast<uint32_t>(value >> 32));
}

/* What passes at a time: up to 64 bytes, of which each port has `size` in the design's vectors. */
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

struct Word {
  uint64_t due;
  Data data;
};

struct Write {
  uint64_t due;
  uint32_t address;
  unsigned beats;
};

struct Strobed {
  Data data;
  uint64_t strobe;
};

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

class Simulation {
  ArcModel design;
  std::vector<char *> pointers;
  std::vector<std::deque<Word>> reads;
  std::vector<std::deque<Write>> writes;
  std::vector<std::deque<Strobed>> words;
  std::vector<uint64_t> issues;
  uint64_t cycle = 0, stalled = 0, bytes = 0;
  unsigned data_bytes = 8;
  unsigned latency = setting("ARC_RTL_LATENCY", 4), stalls = setting("ARC_RTL_STALLS", 0);
  Random random;

  /* Words of the design's memory are words of the program's: one that holds an element lies in the same page. */
  static unsigned alignment(const char *pointer) { return reinterpret_cast<uintptr_t>(pointer) % 64; }

  char *host(uint32_t address) const {
    unsigned argument = address >> 28;
    if (argument >= pointers.size() || !pointers[argument]) {
      std::fprintf(stderr, "arc: the simulated design uses address 0x%x, where nothing is\n", address);
      std::abort();
    }
    char *pointer = pointers[argument];
    return pointer - alignment(pointer) + (static_cast<int64_t>(address & 0x0fffffff) - 0x08000000);
  }
  uint64_t later() { return cycle + latency - 1 + (stalls ? random.below(stalls + 1) : 0); }
  bool open(std::size_t waiting) { return waiting < 512 && !(stalls && random.below(stalls + 1)); }

  struct ReadChange {
    bool ready, fresh, valid;
    Data data;
  };
  struct WriteChange {
    bool ready, fresh, valid;
  };
  std::vector<ReadChange> read_changes;
  std::vector<WriteChange> write_changes;

  /* What memory does at the clock's edge, for the next cycle. The model is evaluated after it. */
  void read(unsigned k) {
    unsigned size = byte(design.read_bytes, k);
    bool valid = bit(design.read_valid, k), ready = bit(design.read_ready, k);
    stalled += valid && !ready;
    if (valid && ready) {
      uint32_t address = word(design.read_address, k);
      uint64_t due = later();
      for (unsigned n = 0; n < beats(design.read_beats, k); n++) {
        Word found{due + n, {}};
        std::memcpy(&found.data, host(address + n * size), size);
        reads[k].push_back(found);
        bytes += size;
      }
    }
    ReadChange change{open(reads[k].size()), !bit(design.data_valid, k) || bit(design.data_ready, k), false, {}};
    if (change.fresh && !reads[k].empty() && reads[k].front().due <= cycle) {
      change.valid = true;
      change.data = reads[k].front().data;
      reads[k].pop_front();
    }
    read_changes.push_back(change);
  }

  void write(unsigned k) {
    unsigned size = byte(design.write_bytes, k);
    bool valid = bit(design.write_valid, k), ready = bit(design.write_ready, k);
    stalled += valid && !ready;
    if (valid && ready) writes[k].push_back({later(), word(design.write_address, k), beats(design.write_beats, k)});
    if (bit(design.word_valid, k) && bit(design.word_ready, k))
      words[k].push_back({data_at(design.word, k, data_bytes), strobe_at(design.word_strobe, k, data_bytes)});
    WriteChange change{open(writes[k].size()), !bit(design.response_valid, k) || bit(design.response_ready, k), false};
    if (change.fresh && !writes[k].empty() && writes[k].front().due <= cycle &&
        words[k].size() >= writes[k].front().beats) {
      change.valid = true;
      Write done = writes[k].front();
      writes[k].pop_front();
      for (unsigned n = 0; n < done.beats; n++) {
        store(host(done.address + n * size), words[k].front(), size);
        words[k].pop_front();
      }
    }
    write_changes.push_back(change);
  }

  void store(char *place, const Strobed &given, unsigned size) {
    char from[sizeof given.data];
    std::memcpy(from, &given.data, sizeof from);
    for (unsigned b = 0; b < size; b++)
      if (given.strobe >> b & 1) {
        place[b] = from[b];
        bytes++;
      }
  }

  void edge() {
    cycle++;
    read_changes.clear();
    write_changes.clear();
    for (unsigned k = 0; k < reads.size(); k++) read(k);
    for (unsigned k = 0; k < writes.size(); k++) write(k);
    for (unsigned k = 0; k < issues.size(); k++) issues[k] += bit(design.issues, k);
    design.rise();
    for (unsigned k = 0; k < reads.size(); k++) {
      const ReadChange &c = read_changes[k];
      set_bit(design.read_ready, k, c.ready);
      if (c.fresh) set_bit(design.data_valid, k, c.valid);
      if (c.valid) set_data(design.data, k, data_bytes, c.data);
    }
    for (unsigned k = 0; k < writes.size(); k++) {
      const WriteChange &c = write_changes[k];
      set_bit(design.write_ready, k, c.ready);
      set_bit(design.word_ready, k, words[k].size() < 512);
      if (c.fresh) set_bit(design.response_valid, k, c.valid);
    }
    design.fall();
  }

public:
  void run(const std::map<unsigned, Call> &calls, const char *name) {
    set_bit(design.rst, 0, true);
    set_bit(design.start, 0, false);
    design.settle();
    unsigned counts = word(design.counts, 0);
    data_bytes = byte(design.data_bytes, 0);
    reads.resize(counts >> 8 & 0xff);
    writes.resize(counts >> 16 & 0xff);
    words.resize(writes.size());
    issues.resize(counts >> 24 & 0xff);
    unsigned first = 0, kernel = 0;
    std::vector<arc_host_extent> extents;
    for (unsigned k = 0; k < (counts & 0xff); k++) {
      for (; byte(design.argument_kernel, k) != kernel; kernel++) first = k;
      unsigned size = byte(design.argument_bytes, k);
      void *argument = calls.at(kernel).arguments[k - first];
      uint64_t value = 0;
      if (!size) extents.push_back(calls.at(kernel).grid->extents[k - first]);
      pointers.push_back(size ? nullptr : static_cast<char *>(argument));
      if (size)
        std::memcpy(&value, argument, size);
      else
        value = (uint64_t{k} << 28) + 0x08000000 + alignment(pointers[k]);
      set_wide(design.arguments, k, value);
    }
    set_bit(design.apart, 0, apart(extents));
    for (int k = 0; k < 4; k++) edge();
    set_bit(design.rst, 0, false);
    edge();
    issues.assign(issues.size(), 0);
    set_bit(design.start, 0, true);
    uint64_t begun = cycle;
    edge();
    set_bit(design.start, 0, false);
    design.settle();
    while (!bit(design.done, 0)) edge();
    report(name, cycle - begun);
  }

  void report(const char *name, uint64_t cycles) const {
    const char *path = std::getenv("ARC_RTL_REPORT");
    FILE *file = path && *path ? std::fopen(path, "a") : nullptr;
    if (!file) return;
    std::fprintf(file, "{\"kernel\":\"%s\",\"cycles\":%llu,\"stalls\":%llu,\"bytes\":%llu,\"issues\":[", name,
                 static_cast<unsigned long long>(cycles), static_cast<unsigned long long>(stalled),
                 static_cast<unsigned long long>(bytes));
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
