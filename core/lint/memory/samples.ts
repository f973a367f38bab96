/**
 * Sample values for unknown sizes and offsets. A conflict found with all of them counts as proved, since it depends on
 * no relation between them.
 */
import type { LoopHeader } from "../../ir/model/ir.ts";
import { evaluateInteger } from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
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
  /** Whether subscripts stay near the start of arrays: with offsets that lie far away, little is inside of any. */
  isNear(sample: number): boolean;
  /** Whether its sizes are far above the constants of the program. */
  isLarge(sample: number): boolean;
  /** Treats names requested in `ask` as sizes. */
  sizing(ask: () => void): void;
}

/** Loops of this many iterations fit into arrays of each first sample's size. */
const fits = 12;

/**
 * A size may be below a constant of the program, and that is a relation between the two. So is that one size is not as
 * many blocks as another.
 */
const blocked = (block: number): readonly ((k: number) => number)[] => [
  (k) => 3 * block * (2 * block) ** Math.min(k, 3),
  (k) => 3 * block * (2 * block) ** Math.max(3 - k, 0),
];
const few = (k: number): number => 1 + k;

/**
 * `loops`: those of the code, among which may be some of a constant length, as over blocks of a matrix. `isUsed`: whether
 * anything depends on a loop's variable; over time steps, nothing does.
 */
export function samples(
  loops: readonly { readonly header?: LoopHeader }[],
  isUsed: (sym: Symbol) => boolean = () => true,
): Sampled {
  const long = loops
    .flatMap(({ header }) => (header ? [{ end: constantEnd(header), counter: header.var }] : []))
    .filter(({ end, counter }) => end > fits && isUsed(counter));
  const longest = Math.max(0, ...long.map(({ end }) => end));
  const inBlocks = longest > fits;
  const sizesAt = inBlocks ? [...sizes, ...blocked(longest)] : sizes;
  const offsetsAt = inBlocks ? [...offsets, few, few] : offsets;
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
      return ((isSize.has(name) ? sizesAt[s] : offsetsAt[s]) as (k: number) => number)(k);
    },
  });
  return {
    samples: sizesAt.map((_, s) => make(s)),
    used,
    isNear: (s) => s < 2,
    isLarge: (s) => s >= sizes.length,
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

/** Where a loop ends that is as long in each run, or 0. */
function constantEnd(header: LoopHeader): number {
  const end = evaluateInteger(farEnd(header));
  return end !== undefined && end < longestSeen ? Number(end) : 0;
}

/** Longer loops than these are no parts of something larger. */
const longestSeen = 1n << 16n;
