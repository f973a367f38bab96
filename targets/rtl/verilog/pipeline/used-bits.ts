/** Which bits of a process's signals are read: lint tools must not complain of the others. */
import type { Module } from "../text/module.ts";

interface Reads {
  /** Of the signal. */
  readonly width: number;
  /** Half-open. */
  readonly ranges: readonly (readonly [number, number])[];
}

export class UsedBits {
  private readonly reads = new Map<string, Reads>();

  /** Bits `low` to `high` of a signal are read. */
  read(signal: string, width: number, low: number, high: number): void {
    const { width: known, ranges } = this.reads.get(signal) ?? { width, ranges: [] };
    const [first] = ranges;
    // Most reads of a signal are of the same bits.
    if (first?.[0] === low && first[1] === high) return;
    this.reads.set(signal, { width: Math.max(width, known), ranges: [...ranges, [low, high]] });
  }

  /** Marks unused bits below used ones in signals of more than one bit. */
  leaveOthers(module: Module): void {
    for (const [signal, { width, ranges }] of this.reads) {
      if (width === 1) continue;
      let at = 0;
      for (const [low, high] of ranges.toSorted(([a], [b]) => a - b)) {
        module.leaveBits(signal, at, Math.min(low, width));
        at = Math.max(at, high);
      }
    }
  }
}
