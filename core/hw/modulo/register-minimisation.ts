/**
 * Register-lifetime minimisation at a given interval: operations start later if that reduces the bits kept between
 * cycles. A descent by single moves; later starts are preferred at equal cost, so that chains follow.
 */
import { itemAt } from "../../checked/access.ts";
import { type Arc, after, arcsAround, isBefore, type Problem, type Start } from "./constraints.ts";
import type { Schedule } from "./schedule.ts";

/** `bits`: width of each operation's result; 0 if it needs no register. */
export function withShortLifetimes(problem: Problem, initial: Schedule, bits: readonly number[]): Schedule {
  const { operations } = problem;
  const { ii } = initial;
  const starts: Start[] = initial.cycles.map((cycle, k) => ({ cycle, offset: itemAt(initial.offsets, k) }));
  const { into, outOf } = arcsAround(problem);
  const ready = (k: number) => itemAt(starts, k).cycle + itemAt(operations, k).cycles;
  /**
   * The cost of an operation by its start cycle: bits times cycles for which its result and those of its operands are
   * kept.
   */
  const costOf = (k: number): ((cycle: number) => number) => {
    const [first, ...others] = [...new Set([k, ...(into[k] ?? []).map((arc) => arc.from)])].map((from) => ({
      weight: itemAt(bits, from),
      made: from === k ? itemAt(operations, k).cycles : ready(from),
      ...usesOf(outOf[from] ?? [], k, starts, ii),
    })) as [Kept, ...Kept[]];
    return (cycle) => {
      let sum = first.weight * Math.max(0, first.until - cycle - first.made, first.later - first.made);
      for (const { weight, made, until, later } of others)
        sum += weight * Math.max(0, until - made, cycle + later - made);
      return sum;
    };
  };
  const movable = operations.flatMap((o, k) =>
    o.at === undefined && o.resource === undefined && outOf[k]?.length ? [k] : [],
  );
  for (let changed = true, rounds = 0; changed && rounds < 20; rounds++) {
    changed = false;
    // Late operations first, so that their operands can follow.
    const order = [...movable].sort((a, b) => (starts[b]?.cycle as number) - (starts[a]?.cycle as number));
    for (const k of order) {
      const before = itemAt(starts, k);
      let best = before;
      let cost: ReturnType<typeof costOf> | undefined;
      let least = 0;
      for (let cycle = before.cycle + 1; ; cycle++) {
        let start: Start = { cycle, offset: 0 };
        for (const arc of into[k] ?? []) {
          const soonest = after(problem, arc, itemAt(starts, arc.from), ii);
          if (isBefore(start, soonest)) start = soonest;
        }
        const isFeasible =
          start.cycle === cycle &&
          (outOf[k] ?? []).every((arc) => !isBefore(itemAt(starts, arc.to), after(problem, arc, start, ii)));
        if (!isFeasible) break;
        starts[k] = start;
        if (!cost) {
          cost = costOf(k);
          least = cost(before.cycle);
        }
        const now = cost(cycle);
        if (now > least) continue;
        least = now;
        best = start;
      }
      starts[k] = best;
      changed ||= best !== before;
    }
  }
  return { ...initial, cycles: starts.map((s) => s.cycle), offsets: starts.map((s) => s.offset) };
}

/** A result that is kept while one operation moves. */
interface Kept extends Uses {
  /** Width in bits. */
  readonly weight: number;
  /** The cycle in which the result is available; for the moving operation: cycles after its start. */
  readonly made: number;
}

/** The last uses of a result: -Infinity if there are none. */
interface Uses {
  /** By operations that stay: an absolute cycle. */
  readonly until: number;
  /** By the moving operation: cycles after its start. */
  readonly later: number;
}

function usesOf(arcs: readonly Arc[], k: number, starts: readonly Start[], ii: number): Uses {
  let until = Number.NEGATIVE_INFINITY;
  let later = Number.NEGATIVE_INFINITY;
  for (const { to, distance, gap } of arcs) {
    if (gap !== undefined) continue;
    if (to === k) later = Math.max(later, ii * distance);
    else until = Math.max(until, itemAt(starts, to).cycle + ii * distance);
  }
  return { until, later };
}
