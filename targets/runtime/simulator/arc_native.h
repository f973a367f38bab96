/*
 * arc_native.h: memory behind the native ports of a design. Every port has its own streams of commands and words,
 * answered in order: reads $ARC_RTL_LATENCY cycles after they were taken (default 4), writes as late; with
 * $ARC_RTL_STALLS=n up to n cycles later at random, and ports closed at random.
 */
#ifndef ARC_NATIVE_H
#define ARC_NATIVE_H

#define ARC_MEMORY_PORTS                                                                                \
  PORT(read_valid, read__valid) PORT(read_address, read__address) PORT(read_beats, read__beats)         \
  PORT(read_bytes, read__bytes) PORT(read_ready, read__ready)                                           \
  PORT(data_valid, data__valid) PORT(data, data) PORT(data_ready, data__ready)                          \
  PORT(write_valid, write__valid) PORT(write_address, write__address) PORT(write_beats, write__beats)   \
  PORT(write_bytes, write__bytes) PORT(write_ready, write__ready)                                       \
  PORT(word_valid, word__valid) PORT(word, word) PORT(word_strobe, word__strobe)                        \
  PORT(word_ready, word__ready)                                                                         \
  PORT(response_valid, response__valid) PORT(response_ready, response__ready)
#include "arc_memory.h"

namespace {

struct Word {
  uint64_t due;
  Data data;
};

struct Write {
  uint64_t due;
  Address address;
  unsigned beats;
};

struct Strobed {
  Data data;
  uint64_t strobe;
};

class Memory {
  ArcModel &design;
  Program &program;
  unsigned data_bytes;
  std::vector<std::deque<Word>> reads;
  std::vector<std::deque<Write>> writes;
  std::vector<std::deque<Strobed>> words;

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
    program.stalled += valid && !ready;
    if (valid && ready) {
      Address address = address_at(design.read_address, k);
      uint64_t due = program.later();
      for (unsigned n = 0; n < beats(design.read_beats, k); n++) {
        Word found{due + n, {}};
        std::memcpy(&found.data, program.host(address + n * size), size);
        reads[k].push_back(found);
        program.bytes += size;
      }
    }
    ReadChange change{program.open(reads[k].size()), !bit(design.data_valid, k) || bit(design.data_ready, k), false, {}};
    if (change.fresh && !reads[k].empty() && reads[k].front().due <= program.cycle) {
      change.valid = true;
      change.data = reads[k].front().data;
      reads[k].pop_front();
    }
    read_changes.push_back(change);
  }

  void write(unsigned k) {
    unsigned size = byte(design.write_bytes, k);
    bool valid = bit(design.write_valid, k), ready = bit(design.write_ready, k);
    program.stalled += valid && !ready;
    if (valid && ready) writes[k].push_back({program.later(), address_at(design.write_address, k), beats(design.write_beats, k)});
    if (bit(design.word_valid, k) && bit(design.word_ready, k))
      words[k].push_back({data_at(design.word, k, data_bytes), strobe_at(design.word_strobe, k, data_bytes)});
    WriteChange change{program.open(writes[k].size()), !bit(design.response_valid, k) || bit(design.response_ready, k), false};
    if (change.fresh && !writes[k].empty() && writes[k].front().due <= program.cycle &&
        words[k].size() >= writes[k].front().beats) {
      change.valid = true;
      Write done = writes[k].front();
      writes[k].pop_front();
      for (unsigned n = 0; n < done.beats; n++) {
        program.store(program.host(done.address + n * size), words[k].front().data, words[k].front().strobe, size);
        words[k].pop_front();
      }
    }
    write_changes.push_back(change);
  }

public:
  /* Once the design has said how many ports it has. */
  Memory(ArcModel &design, Program &program) : design(design), program(program) {
    data_bytes = byte(design.data_bytes, 0);
    reads.resize(counted(design, 1));
    writes.resize(counted(design, 2));
    words.resize(writes.size());
  }

  /* What memory does at the clock's edge, for the next cycle. */
  void sample() {
    read_changes.clear();
    write_changes.clear();
    for (unsigned k = 0; k < reads.size(); k++) read(k);
    for (unsigned k = 0; k < writes.size(); k++) write(k);
  }

  void drive() {
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
  }

  void finish(unsigned) {}
};

} // namespace

#endif
