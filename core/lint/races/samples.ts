/**
 * Values for sizes and offsets that the program does not say. What is found with all of them is proved: it depends
 * on no relation between them.
 */
import type { Sample } from "./evaluate.ts";

/** Sizes of loops and arrays, for the first name that asks, the second and so on. */
const sizes: readonly ((k: number) => number)[] = [
  () => 12,
  (k) => 8 + 5 * k,
  (k) => Math.max(6, 41 - 9 * k),
  (k) => (k % 2 === 0 ? 16 : 32),
];
/** What is added to subscripts: it may be nothing, and it may lead anywhere. */
const offsets: readonly ((k: number) => number)[] = [
  () => 0,
  (k) => 3 + k,
  (k) => 1_000_003 + 7919 * k,
  (k) => -1_000_003 - 7919 * k,
];

export interface Sampled {
  readonly samples: readonly Sample[];
  /** Whether any value was asked for, and any but sizes. */
  readonly asked: { yet: boolean; forOffsets: boolean };
  /** Marks names that are asked for in `ask` as sizes. */
  sizing(ask: () => void): void;
}

export function samples(): Sampled {
  const order = new Map<string, number>();
  const isSize = new Set<string>();
  const asked = { yet: false, forOffsets: false };
  let marks = false;
  const make = (s: number): Sample => ({
    valueOf(name) {
      asked.yet = true;
      const k = order.get(name) ?? order.size;
      order.set(name, k);
      if (marks) isSize.add(name);
      if (!isSize.has(name)) asked.forOffsets = true;
      return ((isSize.has(name) ? sizes[s] : offsets[s]) as (k: number) => number)(k);
    },
  });
  return {
    samples: sizes.map((_, s) => make(s)),
    asked,
    sizing(ask) {
      marks = true;
      ask();
      marks = false;
    },
  };
}
