/*
 * arc_model.h: a simulated design as its driver sees it, whoever made the model: the ports that ARC_PORTS names, as
 * bits and words, and the halves of a clock cycle. ARC_PORTS is a PORT(name, name_) for each port, where name_ has
 * every underscore twice, as CXXRTL spells it.
 *
 *   rise()    the clock's edge: registers take what follows from them and the inputs
 *   fall()    the clock's other edge: outputs follow from registers and inputs
 *   settle()  outputs follow once more, without an edge
 */
#ifndef ARC_MODEL_H
#define ARC_MODEL_H

#include <cstddef>
#include <cstdint>
#ifdef ARC_CXXRTL
#include "arc_cxxrtl.h"
#else
#include "arc_verilator.h"
#endif

template <class T> bool bit(const T &port, unsigned k) { return word(port, k / 32) >> (k % 32) & 1; }
template <class T> void set_bit(T &port, unsigned k, bool value) {
  uint32_t old = word(port, k / 32), mask = uint32_t{1} << (k % 32);
  set_word(port, k / 32, value ? old | mask : old & ~mask);
}

#endif
