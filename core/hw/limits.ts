/** What keeps a loop from starting an iteration in every cycle: the recurrence, or the operations that share a port. */
import { after, type Problem } from "./schedule.ts";

/**
 * The operations of a recurrence that does not fit into an interval of `ii`, in the order in which they wait for each
 * other; empty where all fit. Found as the schedule is, by relaxation (Bellman-Ford): what still moves when all
 * paths have been walked waits for itself.
 */
export function recurrenceAgainst(problem: Problem, ii: number): readonly number[] {
  const { operations, arcs } = problem;
  const starts = operations.map((o) => ({ cycle: o.at ?? 0, offset: 0 }));
  const cause: (number | undefined)[] = operations.map(() => undefined);
  for (let round = 0; round <= operations.length; round++) {
    let moved: number | undefined;
    for (const arc of arcs) {
      const [from, to] = [starts[arc.from], starts[arc.to]];
      if (!from || !to) continue;
      const earliest = after(problem, arc, from, ii);
      const later =
        earliest.cycle > to.cycle || (earliest.cycle === to.cycle && earliest.offset > to.offset + 1e-9);
      if (!later) continue;
      cause[arc.to] = arc.from;
      moved = arc.to;
      // It cannot start later: it waits for what waits for it.
      if (operations[arc.to]?.at !== undefined && earliest.cycle > to.cycle) return chain(cause, arc.to);
      starts[arc.to] = earliest;
    }
    if (moved === undefined) return [];
    if (round === operations.length) return cycle(cause, moved);
  }
  return [];
}

/** From the first that waited for none to the last. */
function chain(cause: readonly (number | undefined)[], last: number): readonly number[] {
  const way = [last];
  for (let k = cause[last]; k !== undefined && !way.includes(k); k = cause[k]) way.unshift(k);
  return way;
}

function cycle(cause: readonly (number | undefined)[], from: number): readonly number[] {
  let inside = from;
  for (let k = 0; k < cause.length; k++) inside = cause[inside] ?? inside;
  const way = [inside];
  for (let k = cause[inside]; k !== undefined && k !== inside; k = cause[k]) way.unshift(k);
  return way;
}
