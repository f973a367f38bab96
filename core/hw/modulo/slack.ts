/**
 * By how many whole cycles each operation of a schedule could start later: slack, as in static timing analysis.
 * Dependent operations move along; the interval and the iteration's last cycle stay. Shared circuits are ignored: a
 * moved operation may conflict with another there.
 */
import { itemAt } from "../../checked/access.ts";
import { after, arcsAround, type Problem } from "./constraints.ts";
import type { Schedule } from "./schedule.ts";

export function slackOf(
  problem: Problem,
  { ii, cycles, offsets }: Pick<Schedule, "ii" | "cycles" | "offsets">,
): readonly number[] {
  const { operations } = problem;
  const { into, outOf } = arcsAround(problem);
  const end = operations.reduce((last, o, k) => Math.max(last, itemAt(cycles, k) + o.cycles), 0);
  const slack = operations.map((o, k) => (o.at === undefined ? end - itemAt(cycles, k) - o.cycles : 0));
  // Starts from above: bounds only lower the slack, and never below 0, so it converges.
  const waiting = new Set(operations.keys());
  for (const op of waiting) {
    waiting.delete(op);
    let least = itemAt(slack, op);
    for (const arc of outOf[op] ?? []) {
      const start = { cycle: itemAt(cycles, op), offset: itemAt(offsets, op) };
      // Moved by whole cycles, it is ready as many cycles later, at the same offset in its cycle.
      const margin = itemAt(cycles, arc.to) - after(problem, arc, start, ii).cycle;
      least = Math.min(least, arc.to === op ? least : margin + itemAt(slack, arc.to));
    }
    if (least >= itemAt(slack, op)) continue;
    slack[op] = Math.max(0, least);
    for (const { from } of into[op] ?? []) waiting.add(from);
  }
  return slack;
}
