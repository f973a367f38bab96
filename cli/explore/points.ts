/** Where candidates are on the axes that tell them apart. */
import { itemAt } from "../../core/checked/access.ts";
import type { AxisValue } from "../report/model/report.ts";
import type { Launch } from "./launches.ts";

/** A number from 0 to 1, or a word. */
export type Coordinate = number | string;

interface Sited {
  readonly id: string;
  readonly axes: Readonly<Record<string, AxisValue>>;
  /** Its clock is known where the axis only says that it is the target's own. */
  readonly clocked?: { readonly clock: number };
  readonly launches?: readonly Launch[];
}

/**
 * Positions of candidates: numbers by their logarithm, since doubling is one step at any size. Words are unchanged, and
 * 0 is one: it says that something is left out, or as the target has it.
 */
export function pointsOf(candidates: readonly Sited[]): ReadonlyMap<string, readonly Coordinate[]> {
  const rows = candidates.map((candidate) => ({ ...candidate.axes, ...knownOf(candidate) }));
  const axes = [...new Set(rows.flatMap(Object.keys))].sort();
  const scaled = axes.map((axis) => {
    const logs = rows.flatMap((row) => {
      const value = row[axis];
      return typeof value === "number" && value > 0 ? [Math.log2(value)] : [];
    });
    const finite = logs.filter(Number.isFinite);
    const [least, largest] = [Math.min(...finite), Math.max(...finite)];
    // What is as many as the sizes allow stands one step beyond the largest number.
    const most = finite.length < logs.length ? largest + 1 : largest;
    return (value: AxisValue | undefined): Coordinate =>
      typeof value === "number" && value > 0
        ? most > least
          ? (Math.min(Math.log2(value), most) - least) / (most - least)
          : 0
        : String(value);
  });
  const columns = axes.map((axis, i) => rows.map((row) => itemAt(scaled, i)(row[axis])));
  // An axis that tells no candidates apart, or the same ones as an axis before it, says nothing of its own.
  const telling = columns.filter(
    (column, i) => new Set(column).size > 1 && columns.findIndex((other) => isSame(other, column)) === i,
  );
  return new Map(candidates.map(({ id }, row) => [id, telling.map((column) => itemAt(column, row))]));
}

/** What is known where an axis leaves it to the compiler: a clock, and groups and items of launches. */
function knownOf({ clocked, launches = [] }: Sited): Sited["axes"] {
  const shapes = launches.flatMap(({ group: [x, y], items }, i) => [
    [`lanes ${i}`, x],
    [`rows ${i}`, y],
    [`items ${i}`, items],
  ]);
  return { ...(clocked && { clock: clocked.clock }), ...Object.fromEntries(shapes) };
}

/** Whether both tell the same candidates apart. */
function isSame(a: readonly Coordinate[], b: readonly Coordinate[]): boolean {
  const [there, back] = [new Map<Coordinate, Coordinate>(), new Map<Coordinate, Coordinate>()];
  for (const [i, own] of a.entries()) {
    const other = itemAt(b, i);
    if ((there.get(own) ?? other) !== other || (back.get(other) ?? own) !== own) return false;
    there.set(own, other);
    back.set(other, own);
  }
  return true;
}
