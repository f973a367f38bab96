/**
 * Sample values for unknown sizes and offsets. A conflict found with all of them counts as proved, since it depends on
 * no relation between them.
 */
import type { LoopHeader } from "../../ir/model/ir.ts";
import type { Expr } from "../../lang/tree/ast.ts";
import type { Sample } from "./evaluate.ts";

/** Sizes of loops and arrays, by order of first use. */
const sizes: readonly ((k: number) => number)[] = [
  () => 12,
  (k) => 8 + 5 * k,
  (k) => Math.max(6, 41 - 9 * k),
  (k) => (k % 2 === 0 ? 16 : 32),
];
/** Values added to subscripts: they may be zero or arbitrary. */
const offsets: readonly ((k: number) => number)[] = [
  () => 0,
  (k) => 3 + k,
  (k) => 1_000_003 + 7919 * k,
  (k) => -1_000_003 - 7919 * k,
];

export interface Sampled {
  readonly samples: readonly Sample[];
  /** Whether any sample was used, and whether any was not a size. */
  readonly used: { yet: boolean; forOffsets: boolean };
  /** Treats names requested in `ask` as sizes. */
  sizing(ask: () => void): void;
}

export function samples(): Sampled {
  const order = new Map<string, number>();
  const isSize = new Set<string>();
  const used = { yet: false, forOffsets: false };
  let marks = false;
  const make = (s: number): Sample => ({
    valueOf(name) {
      used.yet = true;
      const k = order.get(name) ?? order.size;
      order.set(name, k);
      if (marks) isSize.add(name);
      if (!isSize.has(name)) used.forOffsets = true;
      return ((isSize.has(name) ? sizes[s] : offsets[s]) as (k: number) => number)(k);
    },
  });
  return {
    samples: sizes.map((_, s) => make(s)),
    used,
    sizing(ask) {
      marks = true;
      ask();
      marks = false;
    },
  };
}

/** The end of a loop that tells how many iterations there are: a loop that counts down begins there. */
export const farEnd = ({ relation, lower, bound }: LoopHeader): Expr =>
  relation === ">" || relation === ">=" ? lower : bound;
