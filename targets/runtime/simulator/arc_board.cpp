/*
 * arc_board.cpp: a board as a kernel of the host back end. What the kernel's arguments lead into goes over a serial
 * line to the board's memory, the kernel runs, and the memory comes back. The line leads to the model of
 * `arc_board`, or, with ARC_RTL_BOARD=/dev/tty..., to a board that has been configured with the same design.
 *
 * Requests are those of arc_host_port: a word with an address, a count and a bit for writes, then the words.
 * Addresses of registers (ARC_AT_...), sizes of arguments and the identity come from arc's register map.
 */
#include "arc_call.h"
#include "arc_kernels.h"
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <termios.h>
#include <unistd.h>
#include <vector>

#define ARC_PORTS PORT(rx, rx) PORT(tx, tx)
#include "arc_model.h"

namespace {

/* Of each argument: bytes, 0 for a pointer, and the kernel that it is of. The last element ends the list. */
const unsigned argument_bytes[] = {ARC_ARGUMENTS 0};
const unsigned argument_kernels[] = {ARC_ARGUMENT_KERNELS 0};
const unsigned arguments = sizeof argument_bytes / sizeof *argument_bytes - 1;

const char *running = "";

[[noreturn]] void fail(const char *format, ...) {
  va_list words;
  va_start(words, format);
  std::fprintf(stderr, "arc: kernel %s: ", running);
  std::vfprintf(stderr, format, words);
  std::fprintf(stderr, "\n");
  va_end(words);
  std::exit(1);
}

/* A serial line, 8 bits, no parity. */
class Line {
public:
  virtual ~Line() = default;
  virtual void send(uint8_t) = 0;
  virtual uint8_t receive() = 0;
  /* Low for longer than a byte. */
  virtual void pause() = 0;
  /* Clock cycles of a bit that suit this line; 0: those that the board begins with. */
  virtual unsigned wanted_divisor() const { return 0; }
  virtual void set_divisor(unsigned) {}
};

class Model : public Line {
  ArcModel board;
  unsigned divisor = ARC_FIRST_DIVISOR, left = 0, bits = 0, byte = 0;
  std::deque<uint8_t> received;

  void edge() {
    board.rise();
    board.fall();
    bool tx = bit(board.tx, 0);
    if (!bits) {
      if (tx) return;
      bits = 10;
      left = divisor + divisor / 2 - 1;
    } else if (left)
      left--;
    else if (--bits == 1) {
      received.push_back(static_cast<uint8_t>(byte));
      bits = 0;
    } else {
      byte = (byte >> 1 | (tx ? 0x80u : 0u)) & 0xff;
      left = divisor - 1;
    }
  }

  void drive(bool level, unsigned cycles) {
    set_bit(board.rx, 0, level);
    for (unsigned k = 0; k < cycles; k++) edge();
  }

public:
  Model() {
    set_bit(board.rx, 0, true);
    board.settle();
    for (int k = 0; k < 32; k++) edge();
  }
  void send(uint8_t value) override {
    drive(false, divisor);
    for (int k = 0; k < 8; k++) drive(value >> k & 1, divisor);
    drive(true, divisor);
  }
  uint8_t receive() override {
    for (unsigned k = 0; received.empty(); k++) {
      if (k > 100 * divisor) fail("the model of the board does not answer");
      edge();
    }
    uint8_t value = received.front();
    received.pop_front();
    return value;
  }
  void pause() override {
    drive(false, 12 * divisor);
    drive(true, 2 * divisor);
  }
  /* Every cycle is computed: as few as the receiver can do with. */
  unsigned wanted_divisor() const override { return 4; }
  void set_divisor(unsigned cycles) override { divisor = cycles; }
};

class Port : public Line {
  int file;

public:
  explicit Port(const char *path) : file(open(path, O_RDWR | O_NOCTTY)) {
    termios settings;
    if (file < 0 || tcgetattr(file, &settings) != 0) fail("%s: %s", path, std::strerror(errno));
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    cfsetspeed(&settings, B115200);
    if (tcsetattr(file, TCSANOW, &settings) != 0) fail("%s: %s", path, std::strerror(errno));
    tcflush(file, TCIOFLUSH);
  }
  ~Port() override { close(file); }
  void send(uint8_t value) override {
    if (write(file, &value, 1) != 1) fail("the line to the board: %s", std::strerror(errno));
  }
  uint8_t receive() override {
    uint8_t value;
    pollfd waiting = {file, POLLIN, 0};
    if (poll(&waiting, 1, 2000) != 1 || read(file, &value, 1) != 1)
      fail("the board does not answer; is it configured with this kernel, and is ARC_RTL_BOARD its serial line?");
    return value;
  }
  void pause() override { tcsendbreak(file, 0); }
};

class Board {
  Line &line;

  void word(uint32_t value) {
    for (int k = 0; k < 4; k++) line.send(static_cast<uint8_t>(value >> (8 * k)));
  }

public:
  explicit Board(Line &given) : line(given) {
    line.pause();
    if (unsigned divisor = line.wanted_divisor()) {
      write(ARC_AT_DIVISOR, &divisor, 1);
      line.set_divisor(divisor);
    }
    uint32_t identity = read(ARC_AT_IDENTITY);
    if (identity != ARC_IDENTITY)
      fail("the board holds another design (identity %08x, this kernel's is %08x); configure it anew", identity,
           static_cast<unsigned>(ARC_IDENTITY));
  }

  enum { longest = 128 };
  void write(uint32_t address, const uint32_t *words, std::size_t count) {
    for (std::size_t done = 0; done < count;) {
      std::size_t now = count - done < longest ? count - done : longest;
      word(static_cast<uint32_t>(address + 4 * done) | static_cast<uint32_t>(now - 1) << 24 | 0x80000000u);
      for (std::size_t k = 0; k < now; k++) word(words[done + k]);
      done += now;
    }
  }
  void write(uint32_t address, uint32_t value) { write(address, &value, 1); }

  void read(uint32_t address, uint32_t *words, std::size_t count) {
    for (std::size_t done = 0; done < count;) {
      std::size_t now = count - done < longest ? count - done : longest;
      word(static_cast<uint32_t>(address + 4 * done) | static_cast<uint32_t>(now - 1) << 24);
      for (std::size_t k = 0; k < now; k++) {
        uint32_t value = 0;
        for (int b = 0; b < 4; b++) value |= uint32_t{line.receive()} << (8 * b);
        words[done + k] = value;
      }
      done += now;
    }
  }
  uint32_t read(uint32_t address) {
    uint32_t value;
    read(address, &value, 1);
    return value;
  }
};

/* A piece of the program's memory, and its place in the board's. */
struct Piece {
  uint64_t start, end, place;
};

/* What the design's arguments are in this launch. */
struct Argument {
  unsigned bytes; /* 0: a pointer */
  void *given;
  arc_host_extent extent;
};

std::vector<Argument> arguments_of(const std::map<unsigned, Call> &calls) {
  std::vector<Argument> all;
  for (unsigned k = 0, first = 0; k < arguments; k++) {
    if (k && argument_kernels[k] != argument_kernels[k - 1]) first = k;
    const Call &call = calls.at(argument_kernels[k]);
    all.push_back({argument_bytes[k], call.arguments[k - first], call.grid->extents[k - first]});
  }
  return all;
}

/* Pieces that touch are one: arguments may lead into the same memory. */
std::vector<Piece> pieces_of(const std::vector<Argument> &all) {
  std::vector<Piece> pieces;
  for (const Argument &argument : all) {
    if (argument.bytes || !argument.extent.bytes) continue;
    Piece joined = {argument.extent.start, argument.extent.start + argument.extent.bytes, 0};
    for (std::size_t p = 0; p < pieces.size();) {
      Piece &other = pieces[p];
      if (other.start > joined.end || joined.start > other.end) {
        p++;
        continue;
      }
      joined.start = other.start < joined.start ? other.start : joined.start;
      joined.end = other.end > joined.end ? other.end : joined.end;
      pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(p));
      p = 0;
    }
    pieces.push_back(joined);
  }
  return pieces;
}

/* Places with the lowest bits that the pieces' addresses have, so that elements stay aligned; gives the end. */
uint64_t lay_out(std::vector<Piece> &pieces) {
  uint64_t next = 0;
  for (Piece &piece : pieces) {
    next += (piece.start - next) % 8;
    piece.place = next;
    next += piece.end - piece.start;
  }
  return next;
}

uint64_t place_of(const std::vector<Piece> &pieces, const Argument &argument) {
  for (const Piece &piece : pieces)
    if (argument.extent.bytes && piece.start <= argument.extent.start && argument.extent.start < piece.end)
      return piece.place + (reinterpret_cast<uintptr_t>(argument.given) - piece.start);
  return 0;
}

void report(uint32_t cycles, uint32_t stalls) {
  const char *path = std::getenv("ARC_RTL_REPORT");
  FILE *file = path && *path ? std::fopen(path, "a") : nullptr;
  if (!file) return;
  std::fprintf(file, "{\"kernel\":\"%s\",\"cycles\":%u,\"stalls\":%u}\n", running, cycles, stalls);
  std::fclose(file);
}

Line &line_of_process() {
  const char *path = std::getenv("ARC_RTL_BOARD");
  static Line &line = path && *path ? *static_cast<Line *>(new Port(path)) : *static_cast<Line *>(new Model);
  return line;
}

void run(const std::map<unsigned, Call> &calls, const char *name) {
  running = name;
  static Board board(line_of_process());
  std::vector<Argument> all = arguments_of(calls);
  std::vector<Piece> pieces = pieces_of(all);
  uint64_t bytes = lay_out(pieces), there = board.read(ARC_AT_MEMORY);
  if (bytes > there)
    fail("its arrays take %llu bytes, the board's memory has %llu; simulate the design without the board "
         "(simulate: design), or run a smaller problem",
         static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(there));
  std::vector<uint32_t> words(2 * arguments + 1);
  for (unsigned k = 0; k < arguments; k++) {
    if (all[k].bytes)
      std::memcpy(&words[2 * k], all[k].given, all[k].bytes);
    else
      words[2 * k] = static_cast<uint32_t>(place_of(pieces, all[k]));
  }
  std::vector<uint32_t> image(bytes / 4 + 1);
  char *memory = reinterpret_cast<char *>(image.data());
  for (const Piece &piece : pieces)
    std::memcpy(memory + piece.place, reinterpret_cast<const void *>(piece.start), piece.end - piece.start);
  std::size_t count = (bytes + 3) / 4;
  board.write(ARC_AT_WINDOW, image.data(), count);
  board.write(ARC_AT_ARGUMENTS, words.data(), 2 * arguments);
  std::vector<arc_host_extent> extents;
  for (const Argument &argument : all)
    if (!argument.bytes) extents.push_back(argument.extent);
  board.write(ARC_AT_CONTROL, apart(extents) ? 5 : 1);
  while (board.read(ARC_AT_STATUS) & 1) {}
  report(board.read(ARC_AT_CYCLES), board.read(ARC_AT_STALLS));
  board.read(ARC_AT_WINDOW, image.data(), count);
  for (const Piece &piece : pieces)
    std::memcpy(reinterpret_cast<void *>(piece.start), memory + piece.place, piece.end - piece.start);
}

} // namespace

#include "arc_entries.h"
