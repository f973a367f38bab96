/** Whether each iteration of a loop writes an array or record completely before it reads it. */
import { itemAt } from "../../checked/access.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import {
  constantValue,
  extreme,
  type Facts,
  isZero,
  notNegative,
  type Polynomial,
  type Range,
  splitAt,
  subtract,
  type Variable,
  variable,
  variables,
} from "../analysis/loops/polynomial.ts";
import type { Counter } from "./memory-location.ts";
import type { Reference, References } from "./references.ts";

/** Every element of `sym` that an iteration reads was written earlier by the same iteration. */
export function coveredFirst({ list, nest, unsigned }: References, sym: Symbol): boolean {
  const own = list.filter((r) => r.location.base.is === "variable" && r.location.base.sym === sym);
  const known: Facts = [...unsigned].map((v) => variable(v));
  return own.every(
    (read, i) =>
      read.mode === "write" ||
      own.slice(0, i).some((write) => covers(write, read, [...known, ...ranges(nest)])),
  );
}

function ranges(counters: readonly Counter[]): Facts {
  return counters.flatMap(({ id, range: { low, high } }) => [
    ...(low && high ? [subtract(high, low)] : []),
    ...(low ? [subtract(variable(id), low)] : []),
    ...(high ? [subtract(high, variable(id))] : []),
  ]);
}

/**
 * Whether the elements written by `write`, while the loops around it that are not around `read` run, include those that
 * `read` reads.
 */
function covers(write: Reference, read: Reference, known: Facts): boolean {
  if (write.mode !== "write" || !write.always) return false;
  const shared = write.loops.filter((c, i) => read.loops[i] === c);
  const filling = write.loops.slice(shared.length);
  const reading = read.loops.slice(shared.length);
  if (write.location.steps.length > read.location.steps.length) return false;
  // No facts about `filling`: its loops may have no iterations. That they have one follows if a subscript that they
  // move covers one that is read, and must be proved if they move none.
  const facts = [...known, ...ranges([...shared, ...reading])];
  const spent = new Set<Counter>();
  const covered = write.location.steps.every((w, k) => {
    const r = itemAt(read.location.steps, k);
    if (w.is === "field" || r.is === "field")
      return w.is === "field" && r.is === "field" && w.name === r.name;
    if (!w.at || !r.at) return false;
    const filled = filledBy(w.at, filling, spent);
    const order = [...reading].reverse().map((c): readonly [Variable, Range] => [c.id, c.range]);
    const [least, greatest] = [extreme("least", r.at, order, facts), extreme("greatest", r.at, order, facts)];
    return (
      filled !== undefined &&
      least !== undefined &&
      greatest !== undefined &&
      notNegative(subtract(least, filled.low), facts) &&
      notNegative(subtract(filled.high, greatest), facts)
    );
  });
  return covered && filling.every((c) => spent.has(c) || runs(c, facts));
}

function runs({ range: { low, high } }: Counter, facts: Facts): boolean {
  return low !== undefined && high !== undefined && notNegative(subtract(high, low), facts);
}

/** The contiguous elements that a subscript takes while the loops run, each loop moving one subscript. */
function filledBy(
  at: Polynomial,
  loops: readonly Counter[],
  spent: Set<Counter>,
): { low: Polynomial; high: Polynomial } | undefined {
  const moving = loops.filter((c) => variables(at).has(c.id));
  const [counter, ...more] = moving;
  if (!counter) return { low: at, high: at };
  const { low, high } = counter.range;
  const parts = splitAt(at, counter.id);
  const slope = parts && constantValue(parts.slope);
  if (more.length > 0 || spent.has(counter) || !low || !high || !parts || slope === undefined)
    return undefined;
  const steady = [low, high].every((end) => loops.every((c) => !variables(end).has(c.id)));
  const everyOne = (slope === 1n || slope === -1n) && (counter.step === 1n || counter.step === -1n);
  if (!steady || !everyOne || isZero(parts.slope)) return undefined;
  spent.add(counter);
  const end = (value: Polynomial) =>
    extreme("least", at, [[counter.id, { low: value, high: value }]], []) as Polynomial;
  return slope === 1n ? { low: end(low), high: end(high) } : { low: end(high), high: end(low) };
}
