/** The queue in which words of a stream of stores wait for memory. */

import { guardOf } from "./access-coalescing.ts";
import type { Store, Stream } from "./value.ts";

interface WordQueue {
  /** Capacity in words: this many iterations may be between their entry and memory. */
  readonly depth: number;
  /** Cycles from a word's arrival to the first in which memory can take it. */
  readonly cycles: 1 | 2;
  /** Shift registers, or RAM; then the depth is a power of two. */
  readonly storage: "registers" | "ram";
}

/** Up to this many bits, registers are cheaper than a RAM and its counters. */
const MOST_REGISTERS = 64;

/** Bits of a queue entry: an element, or a word with a bit for each lane, unless all lanes are always stored. */
export function queuedBits(store: Store, { word }: Stream): number {
  const bits = store.memory.bytes * 8;
  if (!word) return bits;
  const always = word.lanes.every((lane) => guardOf(lane).op === "const");
  return word.lanes.length * (bits + (always ? 0 : 1));
}

/**
 * The queue for words of `bits` that arrive in `cycle` of iterations which enter every `ii` cycles, such that words
 * never wait for space.
 */
export function wordQueue(bits: number, cycle: number, ii: number): WordQueue {
  // From an iteration's entry to the first cycle in which its leaving is known.
  const depth = (cycles: number) => Math.max(2, Math.ceil((cycle + cycles + 1) / ii));
  if (depth(1) * bits <= MOST_REGISTERS) return { depth: depth(1), cycles: 1, storage: "registers" };
  return { depth: 2 ** Math.ceil(Math.log2(depth(2))), cycles: 2, storage: "ram" };
}
