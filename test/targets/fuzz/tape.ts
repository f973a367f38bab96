/**
 * Choices as a list of numbers: a program is a function of its tape. An exhausted tape yields zeros, and zero
 * is always the simplest choice. So a shorter tape, or one with smaller numbers, is a simpler program.
 */
import fc from "fast-check";

export const tapes: fc.Arbitrary<number[]> = fc.array(fc.nat(0xffff), { minLength: 0, maxLength: 600 });

/** Tapes have full length: with random lengths most programs would be tiny. */
export const longTapes: fc.Arbitrary<number[]> = fc.array(fc.nat(0xffff), { minLength: 500, maxLength: 600 });

/** Read from the end, because fast-check shortens arrays at the beginning. */
export class Tape {
  private readonly numbers: readonly number[];
  private at: number;

  constructor(numbers: readonly number[]) {
    this.numbers = numbers;
    this.at = numbers.length;
  }

  /** 0 to `n` - 1. */
  below(n: number): number {
    return n <= 1 ? 0 : (this.numbers[--this.at] ?? 0) % n;
  }

  /** True about once in `n` times. */
  once(n: number): boolean {
    return this.below(n) === n - 1;
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** Some of the items, in order; none is the simplest choice. */
  some<T>(items: readonly T[], chance: number): T[] {
    return items.filter(() => this.once(chance));
  }
}
