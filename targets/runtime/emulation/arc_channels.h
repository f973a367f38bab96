/*
 * arc_channels.h: Intel's channels on the processor, for trying kernels before synthesis.
 *
 *   ARC_CHANNEL(type, name, depth)   at file scope
 *   read_channel_intel(name), write_channel_intel(name, value)
 */
#ifndef ARC_CHANNELS_H
#define ARC_CHANNELS_H
#include "arc_fifo.h"

#define ARC_CHANNEL(type, name, depth)                                                                       \
  static type arc_queue_##name[depth];                                                                       \
  static long arc_written_##name, arc_read_##name;                                                           \
  static void arc_write_to_##name(type value) {                                                              \
    pthread_mutex_lock(&arc_fifo_lock);                                                                      \
    while (arc_written_##name - arc_read_##name == (depth)) arc_fifo_await(#name, "full", depth);            \
    arc_queue_##name[arc_written_##name++ % (depth)] = value;                                                \
    arc_fifo_move();                                                                                         \
    pthread_mutex_unlock(&arc_fifo_lock);                                                                    \
  }                                                                                                          \
  static type arc_read_from_##name(void) {                                                                   \
    pthread_mutex_lock(&arc_fifo_lock);                                                                      \
    while (arc_written_##name == arc_read_##name) arc_fifo_await(#name, "empty", depth);                     \
    type value = arc_queue_##name[arc_read_##name++ % (depth)];                                              \
    arc_fifo_move();                                                                                         \
    pthread_mutex_unlock(&arc_fifo_lock);                                                                    \
    return value;                                                                                            \
  }
#define read_channel_intel(name) arc_read_from_##name()
#define write_channel_intel(name, value) arc_write_to_##name(value)
#endif
