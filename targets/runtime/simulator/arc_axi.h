/*
 * arc_axi.h: memory behind a design that is an AXI4 manager, which ends the program with a message where the manager
 * breaks the protocol: what is valid stays as it is until it is taken; bursts are INCR, of words of the bus's width,
 * aligned, within 4 KB, of one id; the last word of a burst says so, and no other; nothing is valid during reset.
 * Reads answer $ARC_RTL_LATENCY cycles after they were taken, writes as late after their words; $ARC_RTL_STALLS=n
 * delays what is answered, and holds up all five channels, at random. Where no memory is the answer is a decode error.
 */
#ifndef ARC_AXI_H
#define ARC_AXI_H

#ifdef ARC_AXI_LITE
#define ARC_ERROR_PORT
#else
#define ARC_ERROR_PORT PORT(error, error)
#endif
#define ARC_MEMORY_PORTS                                                                                \
  ARC_ERROR_PORT                                                                                        \
  PORT(m_axi_arvalid, m__axi__arvalid) PORT(m_axi_arready, m__axi__arready)                             \
  PORT(m_axi_arid, m__axi__arid) PORT(m_axi_araddr, m__axi__araddr) PORT(m_axi_arlen, m__axi__arlen)    \
  PORT(m_axi_arsize, m__axi__arsize) PORT(m_axi_arburst, m__axi__arburst)                               \
  PORT(m_axi_rvalid, m__axi__rvalid) PORT(m_axi_rready, m__axi__rready) PORT(m_axi_rid, m__axi__rid)    \
  PORT(m_axi_rdata, m__axi__rdata) PORT(m_axi_rresp, m__axi__rresp) PORT(m_axi_rlast, m__axi__rlast)    \
  PORT(m_axi_awvalid, m__axi__awvalid) PORT(m_axi_awready, m__axi__awready)                             \
  PORT(m_axi_awid, m__axi__awid) PORT(m_axi_awaddr, m__axi__awaddr) PORT(m_axi_awlen, m__axi__awlen)    \
  PORT(m_axi_awsize, m__axi__awsize) PORT(m_axi_awburst, m__axi__awburst)                               \
  PORT(m_axi_wvalid, m__axi__wvalid) PORT(m_axi_wready, m__axi__wready)                                 \
  PORT(m_axi_wdata, m__axi__wdata) PORT(m_axi_wstrb, m__axi__wstrb) PORT(m_axi_wlast, m__axi__wlast)    \
  PORT(m_axi_bvalid, m__axi__bvalid) PORT(m_axi_bready, m__axi__bready) PORT(m_axi_bid, m__axi__bid)    \
  PORT(m_axi_bresp, m__axi__bresp)
#include "arc_memory.h"

namespace {

/* The values that a channel sends while it is valid. */
struct Payload {
  uint32_t words[20];
  bool operator==(const Payload &other) const { return !std::memcmp(words, other.words, sizeof words); }
};

inline Payload command(Address address, uint32_t length, uint32_t log2, uint32_t burst, uint32_t id) {
  uint64_t all = address;
  return {{static_cast<uint32_t>(all), static_cast<uint32_t>(all >> 32), length, log2, burst, id}};
}

struct Burst {
  Address address;
  unsigned beats;
  uint64_t due;
};

struct Beat {
  Data data;
  uint64_t strobe;
  bool last;
};

enum Answer { okay = 0, decode_error = 3 };

class Memory {
  ArcModel &design;
  Program &program;
  unsigned size;
  std::deque<Burst> reads, writes;
  std::deque<Beat> words;
  /* Of the read that is answered. */
  unsigned given = 0;
  Payload was[3];
  bool waited[3] = {};

  struct {
    bool arready, awready, wready, r_fresh, rvalid, rlast, b_fresh, bvalid;
    unsigned rresp, bresp;
    Data rdata;
  } next;

  void broken(const char *channel, const char *rule) const {
    std::fprintf(stderr, "arc: AXI4, cycle %llu, channel %s: %s\n", static_cast<unsigned long long>(program.cycle), channel, rule);
    std::abort();
  }

  void holds(unsigned channel, const char *name, bool valid, bool ready, const Payload &payload) {
    if (bit(design.rst, 0)) {
      if (valid && program.cycle > 2) broken(name, "something is valid during reset");
      waited[channel] = false;
      return;
    }
    if (waited[channel] && !valid) broken(name, "what was valid is not, and was not taken");
    if (waited[channel] && !(payload == was[channel])) broken(name, "what is valid changes before it is taken");
    waited[channel] = valid && !ready;
    was[channel] = payload;
    program.stalled += channel < 2 && waited[channel];
  }

  Burst checked(const char *name, Address address, unsigned length, unsigned log2, unsigned burst, unsigned id) {
    unsigned beats = length + 1;
    if (burst != 1) broken(name, "the burst is no INCR");
    if (1u << log2 != size) broken(name, "the burst's words are not the bus's");
    if (address % size) broken(name, "the address is not that of a word");
    if (address % 4096 + beats * size > 4096) broken(name, "the burst crosses 4 KB");
    if (id) broken(name, "the id is another one");
    return {address, beats, program.later()};
  }

  void read() {
    bool valid = bit(design.m_axi_arvalid, 0), ready = bit(design.m_axi_arready, 0);
    Address address = address_at(design.m_axi_araddr, 0);
    uint32_t length = byte(design.m_axi_arlen, 0);
    uint32_t log2 = byte(design.m_axi_arsize, 0), burst = byte(design.m_axi_arburst, 0), id = bit(design.m_axi_arid, 0);
    holds(0, "AR", valid, ready, command(address, length, log2, burst, id));
    if (valid && ready) reads.push_back(checked("AR", address, length, log2, burst, id));
    next.arready = program.open(reads.size());
    next.r_fresh = !bit(design.m_axi_rvalid, 0) || bit(design.m_axi_rready, 0);
    next.rvalid = next.r_fresh && !reads.empty() && reads.front().due <= program.cycle && !program.stops();
    if (!next.rvalid) return;
    const Burst &now = reads.front();
    char *place = program.find(now.address + given * size);
    next.rdata = Data{};
    if (place) std::memcpy(&next.rdata, place, size);
    next.rresp = place ? okay : decode_error;
    program.bytes += size;
    next.rlast = ++given == now.beats;
    if (!next.rlast) return;
    reads.pop_front();
    given = 0;
  }

  void write() {
    bool valid = bit(design.m_axi_awvalid, 0), ready = bit(design.m_axi_awready, 0);
    Address address = address_at(design.m_axi_awaddr, 0);
    uint32_t length = byte(design.m_axi_awlen, 0);
    uint32_t log2 = byte(design.m_axi_awsize, 0), burst = byte(design.m_axi_awburst, 0), id = bit(design.m_axi_awid, 0);
    holds(1, "AW", valid, ready, command(address, length, log2, burst, id));
    if (valid && ready) writes.push_back(checked("AW", address, length, log2, burst, id));
    valid = bit(design.m_axi_wvalid, 0), ready = bit(design.m_axi_wready, 0);
    Beat beat{data_at(design.m_axi_wdata, 0, size), 0, bit(design.m_axi_wlast, 0)};
    for (unsigned b = 0; b < size; b++) beat.strobe |= uint64_t{bit(design.m_axi_wstrb, b)} << b;
    Payload payload{{beat.last, static_cast<uint32_t>(beat.strobe), static_cast<uint32_t>(beat.strobe >> 32)}};
    std::memcpy(payload.words + 3, &beat.data, sizeof beat.data);
    holds(2, "W", valid, ready, payload);
    if (valid && ready) words.push_back(beat);
    next.awready = program.open(writes.size());
    next.wready = program.open(words.size());
    next.b_fresh = !bit(design.m_axi_bvalid, 0) || bit(design.m_axi_bready, 0);
    next.bvalid = next.b_fresh && !writes.empty() && writes.front().due <= program.cycle &&
                  words.size() >= writes.front().beats && !program.stops();
    for (std::size_t k = 0, at = 0; k < writes.size() && at < words.size(); at += writes[k++].beats)
      for (unsigned n = 0; n < writes[k].beats && at + n < words.size(); n++)
        if (words[at + n].last != (n == writes[k].beats - 1)) broken("W", "the last word of a burst is another one");
    if (!next.bvalid) return;
    Burst now = writes.front();
    writes.pop_front();
    next.bresp = okay;
    for (unsigned n = 0; n < now.beats; n++, words.pop_front())
      if (char *place = program.find(now.address + n * size))
        program.store(place, words.front().data, words.front().strobe, size);
      else
        next.bresp = decode_error;
  }

public:
  Memory(ArcModel &design, Program &program) : design(design), program(program), size(byte(design.data_bytes, 0)), next() {
    set_bit(design.m_axi_rid, 0, false);
    set_bit(design.m_axi_bid, 0, false);
  }

  void sample() {
    read();
    write();
  }

  void drive() {
    set_bit(design.m_axi_arready, 0, next.arready);
    set_bit(design.m_axi_awready, 0, next.awready);
    set_bit(design.m_axi_wready, 0, next.wready);
    if (next.r_fresh) set_bit(design.m_axi_rvalid, 0, next.rvalid);
    if (next.rvalid) {
      set_data(design.m_axi_rdata, 0, size, next.rdata);
      set_word(design.m_axi_rresp, 0, next.rresp);
      set_bit(design.m_axi_rlast, 0, next.rlast);
    }
    if (next.b_fresh) set_bit(design.m_axi_bvalid, 0, next.bvalid);
    if (next.bvalid) set_word(design.m_axi_bresp, 0, next.bresp);
  }

  /* The kernel is done; `answer`: the first error that it received. */
  void finish(unsigned answer) {
    if (!reads.empty() || !writes.empty() || !words.empty()) broken("R, B", "the kernel is done before its memory");
    if (answer) {
      std::fprintf(stderr, "arc: AXI4: memory answered with %s\n", answer == decode_error ? "a decode error: the kernel uses an address where nothing is" : "an error");
      std::abort();
    }
  }
};

} // namespace

#endif
