/**
 * The earliest starts for an interval, by relaxation (Bellman-Ford): starts move until all arcs hold. Each move
 * remembers the one that caused it. If starts would move forever, the chain of causes soon contains an earlier move of
 * the same operation, and the cycle in between says by how much the interval is too short.
 */
import { itemAt } from "../../checked/access.ts";
import { type Arc, after, isBefore, type Problem, type Start } from "./constraints.ts";

/** Why an interval is too short. */
interface Conflict {
  /** Operations of the recurrence, each of which waits for the one before it; or a chain to one with a fixed cycle. */
  readonly through: readonly number[];
  /** The smallest interval that they allow; absent: none does. */
  readonly interval?: number;
}

export const isConflict = (result: readonly Start[] | Conflict): result is Conflict => "through" in result;

/** A start, and why it is not earlier: absent if nothing has moved it. */
interface Move extends Start {
  readonly operation: number;
  readonly cause?: { readonly arc: Arc; readonly before: Move };
}

/** Ignores resources. */
export function earliestStarts(problem: Problem, ii: number): readonly Start[] | Conflict {
  const { operations, arcs } = problem;
  const starts = operations.map(({ at }, operation): Move => ({ cycle: at ?? 0, offset: 0, operation }));
  // All starts that ever settle have settled by then.
  const rounds = operations.reduce((sum, { cycles }) => sum + 2 * cycles + 8, 8) + ii;
  let last: Move | undefined;
  for (let round = 0; round < rounds; round++) {
    last = undefined;
    for (const arc of arcs) {
      const before = itemAt(starts, arc.from);
      const { cycle, offset } = after(problem, arc, before, ii);
      if (!isBefore(itemAt(starts, arc.to), { cycle, offset })) continue;
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

/** The chain of moves that caused `last`, latest first. */
function wayTo(last: Move): readonly Move[] {
  const moves: Move[] = [];
  for (let move: Move | undefined = last; move; move = move.cause?.before) moves.push(move);
  return moves;
}

/**
 * The conflict on a chain that excludes most intervals; `at`: the cycle that the last move, the first in the list,
 * exceeds.
 */
function conflictIn(moves: readonly Move[], ii: number, at = Number.POSITIVE_INFINITY): Conflict | undefined {
  const conflicts: Conflict[] = [];
  /** For each operation, a step of the chain that is later than all following ones, but by less than a cycle. */
  const later = new Map<number, number>();
  moves.forEach((move, step) => {
    const end = later.get(move.operation);
    const cycles = end === undefined ? 0 : cyclesBetween(move, itemAt(moves, end));
    // Arcs are invariant under shifts by whole cycles: the same chain leads from there to the next move, and so on.
    if (end !== undefined && cycles > 0)
      conflicts.push(conflictOf(ringOf(moves.slice(end, step)), cycles, ii));
    if (end === undefined || cycles > 0) later.set(move.operation, step);
  });
  const [last] = moves;
  if (last && last.cycle > at) conflicts.push(conflictOf(moves, last.cycle - at, ii));
  const requiredInterval = ({ interval }: Conflict) => interval ?? Number.POSITIVE_INFINITY;
  const [first, ...others] = conflicts;
  return (
    first &&
    others.reduce((most, other) => (requiredInterval(other) > requiredInterval(most) ? other : most), first)
  );
}

/** The same cycle, rotated so that it starts with the operation that comes first in the problem. */
function ringOf(moves: readonly Move[]): readonly Move[] {
  const first = moves.reduce(
    (least, { operation }, k) => (operation < itemAt(moves, least).operation ? k : least),
    0,
  );
  return [...moves.slice(first + 1), ...moves.slice(0, first + 1)];
}

/** Whole cycles from one start to another. */
const cyclesBetween = (a: Start, b: Start): number =>
  b.cycle - a.cycle - (b.offset < a.offset - 1e-9 ? 1 : 0);

/** `moves`: moves, the last one first, that need `cycles` more than the intervals between them give. */
function conflictOf(moves: readonly Move[], cycles: number, ii: number): Conflict {
  const distance = moves.reduce((sum, { cause }) => sum + (cause?.arc.distance ?? 0), 0);
  const through = moves.map(({ operation }) => operation).reverse();
  return distance > 0 ? { through, interval: ii + Math.ceil(cycles / distance) } : { through };
}
