/*
 * arc_waves.h: what a model's signals do, cycle by cycle, into the file that $ARC_RTL_WAVES names, by the ArcWaveFile
 * of a model that has ARC_WAVES. Each launch has a file of its own: the second of `out.vcd` is `out.2.vcd`. A cycle is
 * two units of time: its first half has the clock high.
 */
#ifndef ARC_WAVES_H
#define ARC_WAVES_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

inline std::string arc_waves_path() {
  static unsigned launch = 0;
  const char *given = std::getenv("ARC_RTL_WAVES");
  if (!given || !*given) return "";
  std::string path = given;
  if (++launch == 1) return path;
  std::string::size_type dot = path.rfind('.');
  if (dot == std::string::npos || dot < path.rfind('/') + 1) dot = path.size();
  return path.substr(0, dot) + "." + std::to_string(launch) + path.substr(dot);
}

#ifdef ARC_WAVES
class ArcWaves {
  ArcWaveFile file;
  uint64_t time = 0;
  bool writes = false;

public:
  /* Before the model is evaluated for the first time. */
  template <class Model> void open(Model &model) {
    std::string path = arc_waves_path();
    if (path.empty()) return;
    writes = file.open(model, path.c_str());
    if (!writes) std::fprintf(stderr, "arc: %s cannot be written: no waveforms\n", path.c_str());
  }
  /* After each half of a cycle. */
  void step() {
    if (writes) file.dump(time++);
  }
  ~ArcWaves() {
    if (writes) file.close();
  }
};
#else
class ArcWaves {
public:
  template <class Model> void open(Model &) {
    if (!arc_waves_path().empty())
      std::fprintf(stderr, "arc: this model has no waveforms: say `waves: vcd` at the target, or call arc run --waves\n");
  }
  void step() {}
};
#endif

#endif
