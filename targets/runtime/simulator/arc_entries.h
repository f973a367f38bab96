/*
 * arc_entries.h: the entry points of a design's kernels. Kernels that channels join are one design, which runs when
 * the last of them was started: each is called on a thread of its own and returns when all are done. Ends the file
 * that includes it, which defines run(); ARC_KERNELS is an ARC_ENTRY(name) for each kernel, in the order of their
 * arguments in the design.
 */
#ifndef ARC_ENTRIES_H
#define ARC_ENTRIES_H
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>

namespace {

std::mutex meeting;
std::condition_variable ended;
std::map<unsigned, Call> given;
std::string named;
unsigned long long launches;

void start(unsigned kernel, unsigned kernels, const char *name, Call call) {
  std::unique_lock<std::mutex> lock(meeting);
  given[kernel] = call;
  if (kernel == 0) named = name;
  if (given.size() < kernels) {
    unsigned long long launch = launches;
    ended.wait(lock, [launch] { return launches != launch; });
    return;
  }
  run(given, named.c_str());
  given.clear();
  launches++;
  ended.notify_all();
}

} // namespace

extern const unsigned kernels;
#define ARC_ENTRY(name)                                                                  \
  extern "C" void name(const struct arc_host_grid *grid, void *const *arguments) {       \
    start(__COUNTER__, kernels, #name, Call{grid, arguments});                           \
  }
ARC_KERNELS

const unsigned kernels = __COUNTER__;

#endif
