/*
 * arc_lite.h: the host of a design that is run through an AXI4-Lite subordinate. It ends the program with a message
 * where the subordinate breaks the protocol: an answer comes after what it answers and stays as it is until it is
 * taken, and nothing is valid during reset. With $ARC_RTL_STALLS the host holds up its channels at random, and
 * addresses and words come apart.
 */
#ifndef ARC_LITE_H
#define ARC_LITE_H

#include "arc_memory.h"

namespace {

class Host {
  ArcModel &design;
  Program &program;
  /* Responses of the subordinate that were not accepted yet. */
  bool waited[2] = {};
  uint32_t answer[2] = {};

  void broken(const char *channel, const char *rule) const {
    std::fprintf(stderr, "arc: AXI4-Lite, cycle %llu, channel %s: %s\n", static_cast<unsigned long long>(program.cycle), channel, rule);
    std::abort();
  }

  void holds(unsigned which, const char *channel, bool valid, bool ready, uint32_t payload, bool asked) {
    if (valid && !asked) broken(channel, "an answer to nothing");
    if (waited[which] && !valid) broken(channel, "what was valid is not, and was not taken");
    if (waited[which] && payload != answer[which]) broken(channel, "what is valid changes before it is taken");
    waited[which] = valid && !ready;
    answer[which] = payload;
  }

public:
  Host(ArcModel &design, Program &program) : design(design), program(program) { idle(); }

  void idle() {
    set_bit(design.s_axi_awvalid, 0, false);
    set_bit(design.s_axi_wvalid, 0, false);
    set_bit(design.s_axi_bready, 0, false);
    set_bit(design.s_axi_arvalid, 0, false);
    set_bit(design.s_axi_rready, 0, false);
    set_word(design.s_axi_awprot, 0, 0);
    set_word(design.s_axi_arprot, 0, 0);
  }

  void during_reset() {
    if (program.cycle > 2 && (bit(design.s_axi_bvalid, 0) || bit(design.s_axi_rvalid, 0)))
      broken("B, R", "something is valid during reset");
  }

  /* `edge` makes a clock cycle; the response. */
  template <class Edge> uint32_t write(uint32_t address, uint32_t value, Edge edge, unsigned strobes = 15) {
    bool sent[2] = {false, false}, done = false;
    uint32_t response = 0;
    while (!done) {
      bool give[2], take = !program.stops();
      give[0] = !sent[0] && (bit(design.s_axi_awvalid, 0) || !program.stops());
      give[1] = !sent[1] && (bit(design.s_axi_wvalid, 0) || !program.stops());
      set_bit(design.s_axi_awvalid, 0, give[0]);
      set_bit(design.s_axi_wvalid, 0, give[1]);
      set_word(design.s_axi_awaddr, 0, address);
      set_word(design.s_axi_wdata, 0, value);
      set_word(design.s_axi_wstrb, 0, strobes);
      set_bit(design.s_axi_bready, 0, take);
      design.settle();
      bool valid = bit(design.s_axi_bvalid, 0);
      response = word(design.s_axi_bresp, 0) & 3;
      holds(0, "B", valid, take, response, sent[0] && sent[1]);
      done = valid && take;
      sent[0] |= give[0] && bit(design.s_axi_awready, 0);
      sent[1] |= give[1] && bit(design.s_axi_wready, 0);
      edge();
    }
    idle();
    return response;
  }

  template <class Edge> uint32_t read(uint32_t address, Edge edge) {
    bool sent = false, done = false;
    uint32_t value = 0;
    while (!done) {
      bool give = !sent && (bit(design.s_axi_arvalid, 0) || !program.stops()), take = !program.stops();
      set_bit(design.s_axi_arvalid, 0, give);
      set_word(design.s_axi_araddr, 0, address);
      set_bit(design.s_axi_rready, 0, take);
      design.settle();
      bool valid = bit(design.s_axi_rvalid, 0);
      value = word(design.s_axi_rdata, 0);
      holds(1, "R", valid, take, value, sent);
      if (valid && word(design.s_axi_rresp, 0) & 3) broken("R", "an error");
      done = valid && take;
      sent |= give && bit(design.s_axi_arready, 0);
      edge();
    }
    idle();
    return value;
  }
};

} // namespace

#endif
