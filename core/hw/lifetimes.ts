/**
 * Fewest register bits at a given interval: operations start later where that shortens what must be kept between
 * cycles. A descent by single moves, later ones preferred where they cost nothing, so that chains follow.
 */
import { after, arcsAround, isBefore, type Problem, type Start } from "./constraints.ts";
import type { Schedule } from "./schedule.ts";

/** `bits`: width of each operation's result; 0 where no register would hold it. */
export function withShortLifetimes(problem: Problem, found: Schedule, bits: readonly number[]): Schedule {
  const { operations } = problem;
  const { ii } = found;
  const starts: Start[] = found.cycles.map((cycle, k) => ({ cycle, offset: found.offsets[k] as number }));
  const { into, outOf } = arcsAround(problem);
  const ready = (k: number) => (starts[k] as Start).cycle + (operations[k]?.cycles ?? 0);
  /** Cycles for which the result of an operation is kept. */
  const kept = (k: number) =>
    (outOf[k] ?? []).reduce(
      (most, arc) =>
        arc.gap === undefined
          ? Math.max(most, (starts[arc.to] as Start).cycle + ii * arc.distance - ready(k))
          : most,
      0,
    );
  const cost = (around: readonly number[]) =>
    around.reduce((sum, k) => sum + (bits[k] as number) * kept(k), 0);
  const movable = operations.flatMap((o, k) =>
    o.at === undefined && o.resource === undefined && outOf[k]?.length ? [k] : [],
  );
  for (let changed = true, rounds = 0; changed && rounds < 20; rounds++) {
    changed = false;
    // What is late in the iteration first, so that what it depends on can follow.
    const order = [...movable].sort((a, b) => (starts[b]?.cycle as number) - (starts[a]?.cycle as number));
    for (const k of order) {
      const around = [...new Set([k, ...(into[k] ?? []).map((a) => a.from)])];
      const before = starts[k] as Start;
      let best = before;
      let least = cost(around);
      for (let cycle = before.cycle + 1; ; cycle++) {
        let start: Start = { cycle, offset: 0 };
        for (const arc of into[k] ?? []) {
          const soonest = after(problem, arc, starts[arc.from] as Start, ii);
          if (isBefore(start, soonest)) start = soonest;
        }
        const fits =
          start.cycle === cycle &&
          (outOf[k] ?? []).every((arc) => !isBefore(starts[arc.to] as Start, after(problem, arc, start, ii)));
        if (!fits) break;
        starts[k] = start;
        const now = cost(around);
        if (now > least) continue;
        least = now;
        best = start;
      }
      starts[k] = best;
      changed ||= best !== before;
    }
  }
  return { ...found, cycles: starts.map((s) => s.cycle), offsets: starts.map((s) => s.offset) };
}
