/** Whether each iteration of a loop fills an array, or a record, before it reads it. */
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
} from "../analysis/polynomial.ts";
import type { Counter, Reference, References, Step } from "./references.ts";

/** Every element of `sym` that an iteration reads was written by the same iteration before. */
export function coveredFirst({ list, nest, unsigned }: References, sym: Symbol): boolean {
  const own = list.filter((r) => r.place.base.is === "variable" && r.place.base.sym === sym);
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

/** All that `write` writes while the loops run that are not around `read` as well holds what `read` reads. */
function covers(write: Reference, read: Reference, known: Facts): boolean {
  if (write.mode !== "write" || !write.always) return false;
  const shared = write.loops.filter((c, i) => read.loops[i] === c);
  const filling = write.loops.slice(shared.length);
  const reading = read.loops.slice(shared.length);
  if (write.place.steps.length > read.place.steps.length) return false;
  // Nothing of `filling`: its loops may have no iteration. That there is one follows where a subscript that they move
  // covers one that is read, and is to be shown where they move none.
  const facts = [...known, ...ranges([...shared, ...reading])];
  const spent = new Set<Counter>();
  const covered = write.place.steps.every((w, k) => {
    const r = read.place.steps[k] as Step;
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

/** The elements without a gap that a subscript goes through while loops run, each of which moves one subscript. */
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
