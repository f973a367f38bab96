/**
 * Finds a path among the NUL-ended paths of a stamp file without making strings of all of them: a build after a small
 * change looks up few. Layout (u32): where each path begins, where the last one ends, then a hash table of path
 * numbers, counted from 1.
 */
import { hashOf } from "./record-offsets.ts";

/** Size of the hash table: at most half of its slots are taken. */
function slotsFor(count: number): number {
  return 2 ** Math.ceil(Math.log2(2 * count + 2));
}

export function pathIndexBytes(count: number): number {
  return 4 * (count + 1 + slotsFor(count));
}

export function writePathIndex(paths: readonly string[]): Uint8Array {
  const slots = slotsFor(paths.length);
  const index = new Uint32Array(paths.length + 1 + slots);
  const table = index.subarray(paths.length + 1);
  let at = 0;
  for (const [number, path] of paths.entries()) {
    index[number] = at;
    at += Buffer.byteLength(path) + 1;
    let slot = hashOf(path) & (slots - 1);
    while (table[slot] !== 0) slot = (slot + 1) & (slots - 1);
    table[slot] = number + 1;
  }
  index[paths.length] = at;
  return new Uint8Array(index.buffer);
}

export class PathIndex {
  readonly #text: Buffer;
  readonly #starts: Uint32Array;
  readonly #table: Uint32Array;

  /** `text` is as in `StampRows`. `index` begins with what `writePathIndex` made, and is aligned. */
  constructor(text: Buffer, index: Uint8Array, count: number) {
    this.#text = text;
    this.#starts = new Uint32Array(index.buffer, index.byteOffset, count + 1);
    this.#table = new Uint32Array(index.buffer, index.byteOffset + 4 * (count + 1), slotsFor(count));
  }

  path(number: number): string {
    const [start = 0, next = 1] = this.#starts.subarray(number, number + 2);
    return this.#text.toString("utf8", start, next - 1);
  }

  find(path: string): number | undefined {
    const mask = this.#table.length - 1;
    const first = hashOf(path);
    // Bounded, because the probe sequence of a damaged table may have no end.
    for (let step = 0; step <= mask; step += 1) {
      const number = (this.#table[(first + step) & mask] as number) - 1;
      if (number < 0) return undefined;
      if (this.path(number) === path) return number;
    }
    return undefined;
  }
}
