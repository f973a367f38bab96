/* The checksum of word-sum.ts. */
#include <stddef.h>
#include <stdint.h>

#define SUM_SEED 0x811c9dc5

static uint32_t word_sum(const void *memory, size_t bytes, uint32_t seed) {
  const uint32_t prime = 0x01000193, *word = memory, *end = word + bytes / 4, *lanes_end = word + bytes / 16 * 4;
  uint32_t lane[4] = {seed, seed, seed, seed}, sum = seed;
  for (; word < lanes_end; word += 4)
    for (int at = 0; at < 4; at++) lane[at] = (lane[at] ^ word[at]) * prime;
  for (int at = 0; at < 4; at++) sum = (sum ^ lane[at]) * prime;
  for (; word < end; word++) sum = (sum ^ *word) * prime;
  return sum;
}
