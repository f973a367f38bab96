/* hls_stream.h: hls::stream on the processor, for trying kernels before synthesis; it blocks like the hardware's. */
#ifndef ARC_HLS_STREAM_H
#define ARC_HLS_STREAM_H
#include "arc_fifo.h"
#include <deque>

namespace hls {
template <typename T> class stream {
public:
  explicit stream(const char *name, long depth = 2) : name(name), depth(depth) {}
  stream(const stream &) = delete;

  void write(const T &value) {
    pthread_mutex_lock(&arc_fifo_lock);
    while ((long)queue.size() == depth) arc_fifo_await(name, "full", depth);
    queue.push_back(value);
    arc_fifo_move();
    pthread_mutex_unlock(&arc_fifo_lock);
  }

  T read() {
    pthread_mutex_lock(&arc_fifo_lock);
    while (queue.empty()) arc_fifo_await(name, "empty", depth);
    T value = queue.front();
    queue.pop_front();
    arc_fifo_move();
    pthread_mutex_unlock(&arc_fifo_lock);
    return value;
  }

private:
  const char *name;
  long depth;
  std::deque<T> queue;
};
} // namespace hls
#endif
