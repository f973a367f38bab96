/*
 * arc_cxxrtl.h: the model that Yosys' CXXRTL makes (model.h), for arc_model.h. The design has one clock, so that one
 * evaluation is enough at its edge: what lies between registers follows when it falls.
 */
#ifndef ARC_CXXRTL_H
#define ARC_CXXRTL_H

#include "model.h"
#ifdef ARC_WAVES
#include <cstdio>
#include <cxxrtl/cxxrtl_vcd.h>

class ArcWaveFile {
  cxxrtl::vcd_writer writer;
  FILE *file = nullptr;

public:
  template <class Model> bool open(Model &model, const char *path) {
    file = std::fopen(path, "w");
    if (!file) return false;
    cxxrtl::debug_items items;
    model.debug_info(&items, nullptr, "");
    writer.timescale(1, "ps");
    writer.add_without_memories(items);
    return true;
  }
  void dump(uint64_t time) {
    writer.sample(time);
    std::fwrite(writer.buffer.data(), 1, writer.buffer.size(), file);
    writer.buffer.clear();
  }
  void close() { std::fclose(file); }
};
#endif
#include "arc_waves.h"

template <std::size_t N> uint32_t word(const cxxrtl::value<N> &port, unsigned i) { return port.data[i]; }
template <std::size_t N> uint32_t word(const cxxrtl::wire<N> &port, unsigned i) { return port.curr.data[i]; }
template <std::size_t N> void set_word(cxxrtl::value<N> &port, unsigned i, uint32_t value) { port.data[i] = value; }

class ArcModel {
  cxxrtl_design::p_model made;
  ArcWaves waves;

public:
#define PORT(name, name_) decltype(cxxrtl_design::p_model::p_##name_) &name = made.p_##name_;
  ARC_PORTS
#undef PORT

  ArcModel() { waves.open(made); }
  void settle() { made.step(); }
  void rise() {
    made.p_clk.set<bool>(true);
#ifdef ARC_WAVES
    made.step();
    waves.step();
#else
    made.eval();
    made.commit();
#endif
  }
  void fall() {
    made.p_clk.set<bool>(false);
    made.step();
    waves.step();
  }
};

#endif
