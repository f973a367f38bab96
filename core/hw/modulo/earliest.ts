/**
 * The earliest starts at an interval, by relaxation (Bellman-Ford): starts move until all arcs hold. Each move remembers
 * the one that caused it. Where starts would move for ever, what moved last was moved, before long, by an earlier move
 * of the same operation, and the way in between says by how much the interval is too short.
 */
import { type Arc, after, isBefore, type Problem, type Start } from "./constraints.ts";

/** Why an interval is too short. */
export interface Conflict {
  /** Operations that wait for each other, or the last of them for the first cycle, each for the one before it. */
  readonly through: readonly number[];
  /** They rule out every interval below this one; absent: any. */
  readonly interval?: number;
}

export const isConflict = (found: readonly Start[] | Conflict): found is Conflict => "through" in found;

/** A start, and why it is no earlier: absent where nothing has moved it yet. */
interface Move extends Start {
  readonly operation: number;
  readonly cause?: { readonly arc: Arc; readonly before: Move };
}

/** Without resources. */
export function earliestStarts(problem: Problem, ii: number): readonly Start[] | Conflict {
  const { operations, arcs } = problem;
  const starts = operations.map(({ at }, operation): Move => ({ cycle: at ?? 0, offset: 0, operation }));
  // By then all have come to rest that ever do.
  const rounds = operations.reduce((sum, { cycles }) => sum + 2 * cycles + 8, 8) + ii;
  let last: Move | undefined;
  for (let round = 0; round < rounds; round++) {
    last = undefined;
    for (const arc of arcs) {
      const before = starts[arc.from] as Move;
      const { cycle, offset } = after(problem, arc, before, ii);
      if (!isBefore(starts[arc.to] as Move, { cycle, offset })) continue;
      last = { cycle, offset, operation: arc.to, cause: { arc, before } };
      starts[arc.to] = last;
      const at = operations[arc.to]?.at ?? cycle;
      if (cycle > at) return conflictIn(wayTo(last), ii, at) as Conflict;
    }
    if (!last) return starts;
    const conflict = conflictIn(wayTo(last), ii);
    if (conflict) return conflict;
  }
  return { through: last ? [last.operation] : [], interval: ii + 1 };
}

/** The moves that led to one, itself the first. */
function wayTo(last: Move): readonly Move[] {
  const way: Move[] = [];
  for (let move: Move | undefined = last; move; move = move.cause?.before) way.push(move);
  return way;
}

/** What on a way rules out most intervals; `at`: the cycle that the last move, the first here, leads out of. */
function conflictIn(way: readonly Move[], ii: number, at = Number.POSITIVE_INFINITY): Conflict | undefined {
  const conflicts: Conflict[] = [];
  /** For each operation a step of the way that is later than all that follow, but by less than a cycle. */
  const later = new Map<number, number>();
  way.forEach((move, step) => {
    const end = later.get(move.operation);
    const cycles = end === undefined ? 0 : cyclesBetween(move, way[end] as Move);
    // Arcs move all that is whole cycles later by as much: the same way leads from there to the next move, and so on.
    if (end !== undefined && cycles > 0) conflicts.push(conflictOf(ringOf(way.slice(end, step)), cycles, ii));
    if (end === undefined || cycles > 0) later.set(move.operation, step);
  });
  const [last] = way;
  if (last && last.cycle > at) conflicts.push(conflictOf(way, last.cycle - at, ii));
  const asked = ({ interval }: Conflict) => interval ?? Number.POSITIVE_INFINITY;
  const [first, ...others] = conflicts;
  return first && others.reduce((most, other) => (asked(other) > asked(most) ? other : most), first);
}

/** The same way round, so that it starts at the operation that comes first in the problem. */
function ringOf(way: readonly Move[]): readonly Move[] {
  const first = way.reduce(
    (least, { operation }, k) => (operation < (way[least] as Move).operation ? k : least),
    0,
  );
  return [...way.slice(first + 1), ...way.slice(0, first + 1)];
}

/** Whole cycles from a start to another one. */
const cyclesBetween = (a: Start, b: Start): number =>
  b.cycle - a.cycle - (b.offset < a.offset - 1e-9 ? 1 : 0);

/** `way`: moves, the last one first, which need `cycles` more than the intervals between them give. */
function conflictOf(way: readonly Move[], cycles: number, ii: number): Conflict {
  const distance = way.reduce((sum, { cause }) => sum + (cause?.arc.distance ?? 0), 0);
  const through = way.map(({ operation }) => operation).reverse();
  return distance > 0 ? { through, interval: ii + Math.ceil(cycles / distance) } : { through };
}
