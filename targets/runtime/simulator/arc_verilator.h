/* arc_verilator.h: Verilator's model for arc_model.h. */
#ifndef ARC_VERILATOR_H
#define ARC_VERILATOR_H

#include "Vmodel.h"
#include "verilated.h"
#if VM_TRACE_FST
#include "verilated_fst_c.h"
typedef VerilatedFstC ArcTrace;
#elif VM_TRACE
#include "verilated_vcd_c.h"
typedef VerilatedVcdC ArcTrace;
#endif

#if VM_TRACE
#define ARC_WAVES 1
class ArcWaveFile {
  ArcTrace trace;

public:
  /* Before the model is evaluated for the first time. */
  bool open(Vmodel &model, const char *path) {
    Verilated::traceEverOn(true);
    model.trace(&trace, 99);
    trace.open(path);
    return trace.isOpen();
  }
  void dump(uint64_t time) { trace.dump(time); }
  void close() { trace.close(); }
};
#endif
#include "arc_waves.h"

/* Ports are integers up to 64 bits and arrays of words above. */
template <class T> uint32_t word(const T &port, unsigned i) { return static_cast<uint32_t>(uint64_t{port} >> (32 * i)); }
template <std::size_t N> uint32_t word(const VlWide<N> &port, unsigned i) { return port[i]; }
template <class T> void set_word(T &port, unsigned i, uint32_t value) {
  uint64_t mask = uint64_t{0xffffffff} << (32 * i);
  port = static_cast<T>((uint64_t{port} & ~mask) | (uint64_t{value} << (32 * i)));
}
template <std::size_t N> void set_word(VlWide<N> &port, unsigned i, uint32_t value) { port[i] = value; }

class ArcModel {
  Vmodel made;
  ArcWaves waves;

public:
#define PORT(name, name_) decltype(Vmodel::name) &name = made.name;
  ARC_PORTS
#undef PORT

  ArcModel() {
    waves.open(made);
    made.clk = 0;
  }
  void settle() { made.eval(); }
  void rise() {
    made.clk = 1;
    made.eval();
    waves.step();
  }
  void fall() {
    made.clk = 0;
    made.eval();
    waves.step();
  }
};

#endif
