/**
 * Which elements an access reaches in a run, without a look at each iteration. A subscript that is a sum of loop
 * variables, each times something fixed, is solved for the element that is asked for. Loops on which neither the
 * subscript nor the other loops depend, such as those over time steps, are left out.
 */
import { itemAt } from "../../checked/access.ts";
import type { Point, World } from "./evaluate.ts";
import { guarded } from "./guards.ts";
import type { Accessed } from "./instances.ts";
import { type Locator, locator, type Where } from "./locator.ts";
import { type Extent, type Range, rangeOf } from "./ranges.ts";

/** Whether an access may reach an element. False: it surely does not. */
export type Reach = (where: Where) => boolean;

/** How many iterations of loops on which others depend are looked at, and how many steps a search takes. */
const most = 4096;

/** Undefined: it may be anywhere. */
export function reachOf({ location, context }: Accessed, world: World): Reach | undefined {
  const { loops } = context;
  const locate = locator(location, loops, world);
  if (!locate.sumOf) return undefined;
  const ranges = loops.map((loop, k) => rangeOf(loop, loops.slice(0, k), world));
  const { walked, solved } = arranged(locate.sumOf, ranges);
  const values: (number | undefined)[] = loops.map(() => undefined);
  const here: Point = { loops, values, thread: undefined };
  const happens = guarded(context, world, { uncertain: false, selected: false, byThread: false });
  const always = context.guards.length === 0;
  const nests: Nest[] = [];
  const enumerate = (k: number): boolean => {
    const loop = walked[k];
    if (loop === undefined) {
      const nest = nestAt(locate, solved, ranges, here);
      if (nest === "empty") return true;
      if (nest) nests.push(nest);
      return nest !== undefined && nests.length <= most;
    }
    const extent = itemAt(ranges, loop).at(here);
    if (!extent || extent.count > most) return false;
    for (let i = 0; i < extent.count; i++) {
      values[loop] = extent.first + i * extent.step;
      if (!enumerate(k + 1)) return false;
    }
    return true;
  };
  if (!enumerate(0)) return undefined;
  return (where) =>
    typeof where !== "number" ||
    nests.some((nest) =>
      solutions(nest, where, (turns) => {
        if (always) return true;
        for (const [k, value] of nest.outside) values[k] = value;
        for (const [k, { loop, extent }] of nest.loops.entries())
          values[loop] = extent.first + itemAt(turns, k) * extent.step;
        return happens(here);
      }),
    );
}

/** Loops to look at turn by turn, outermost first, as others depend on them, and those to solve for. */
function arranged(
  sumOf: readonly number[],
  ranges: readonly Range[],
): { readonly walked: readonly number[]; readonly solved: readonly number[] } {
  const used = new Set(sumOf);
  const walked = new Set<number>();
  for (const k of used)
    for (const outer of itemAt(ranges, k).needs) {
      used.add(outer);
      walked.add(outer);
    }
  const solved = [...used].filter((k) => !walked.has(k));
  return { walked: [...walked].sort((a, b) => a - b), solved };
}

/** Loops whose lengths are known, and the element that their turns reach: `base`, plus `by` for each turn of each. */
interface Nest {
  readonly base: number;
  /** The one with the largest steps first. */
  readonly loops: readonly { readonly loop: number; readonly extent: Extent; readonly by: number }[];
  /** Values of the loops around. */
  readonly outside: readonly (readonly [loop: number, value: number | undefined])[];
}

/** Undefined: unknown. */
function nestAt(
  locate: Locator,
  solved: readonly number[],
  ranges: readonly Range[],
  here: Point,
): Nest | "empty" | undefined {
  const values = here.values.slice();
  const outside = [...values.entries()].filter(([k]) => !solved.includes(k));
  const point = { ...here, values };
  const extents: Extent[] = [];
  for (const k of solved) {
    const extent = itemAt(ranges, k).at(here);
    if (!extent) return undefined;
    extents.push(extent);
  }
  if (extents.some(({ count }) => count === 0)) return "empty";
  const at = (turn: (k: number) => number): number | undefined => {
    for (const [k, loop] of solved.entries()) {
      const { first, step } = itemAt(extents, k);
      values[loop] = first + turn(k) * step;
    }
    const where = locate.at(point)?.where;
    return typeof where === "number" ? where : undefined;
  };
  const base = at(() => 0);
  if (base === undefined) return undefined;
  const loops: Nest["loops"][number][] = [];
  for (const [k, loop] of solved.entries()) {
    const extent = itemAt(extents, k);
    const next = extent.count > 1 ? at((other) => (other === k ? 1 : 0)) : base;
    if (next === undefined) return undefined;
    loops.push({ loop, extent, by: next - base });
  }
  // Conversions to unsigned types are known where values are not negative, and all others lie between the last ones.
  for (let corner = 1; corner < 2 ** solved.length; corner++) {
    const turn = (k: number): number => ((corner >> k) & 1 ? itemAt(extents, k).count - 1 : 0);
    const expected = loops.reduce((sum, { by }, k) => sum + by * turn(k), base);
    if (at(turn) !== expected) return undefined;
  }
  return { base, loops: loops.sort((a, b) => Math.abs(b.by) - Math.abs(a.by)), outside };
}

/** Whether turns that reach an element are accepted, or there are too many to look at. */
function solutions(
  { base, loops }: Nest,
  where: number,
  accept: (turns: readonly number[]) => boolean,
): boolean {
  // What the loops from each one on add at least and at most.
  const reach = loops.map((_, k) => {
    const ends = loops.slice(k).map(({ by, extent }) => by * (extent.count - 1));
    return {
      least: ends.reduce((sum, end) => sum + Math.min(0, end), 0),
      most: ends.reduce((sum, end) => sum + Math.max(0, end), 0),
    };
  });
  const turns: number[] = loops.map(() => 0);
  let steps = 0;
  const search = (k: number, left: number): boolean => {
    if (++steps > most) return true;
    const loop = loops[k];
    if (!loop) return left === 0 && accept(turns);
    const inner = reach[k + 1] ?? { least: 0, most: 0 };
    const { by, extent } = loop;
    // One that adds nothing has any turn, which conditions may tell apart.
    const [from, to] =
      by === 0
        ? [0, extent.count - 1]
        : [(left - inner.most) / by, (left - inner.least) / by].sort((a, b) => a - b);
    for (
      let i = Math.max(0, Math.ceil(from as number));
      i <= Math.min(extent.count - 1, Math.floor(to as number));
      i++
    ) {
      turns[k] = i;
      if (search(k + 1, left - by * i)) return true;
    }
    return false;
  };
  return search(0, where - base);
}
