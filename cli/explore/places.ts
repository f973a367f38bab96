/** Where candidates are on the axes that tell them apart. */
import type { AxisValue } from "../report/model/report.ts";

/** A number from 0 to 1, or a word. */
export type Place = number | string;

interface Sited {
  readonly id: string;
  readonly axes: Readonly<Record<string, AxisValue>>;
  /** Its clock is known where the axis only says that it is the target's own. */
  readonly clocked?: { readonly clock: number };
}

/**
 * Positions of candidates: numbers by their logarithm, since doubling is one step at any size. Words are unchanged, and
 * 0 is one: it says that something is left out, or as the target has it.
 */
export function placesOf(candidates: readonly Sited[]): ReadonlyMap<string, readonly Place[]> {
  const axes = [...new Set(candidates.flatMap((candidate) => Object.keys(candidate.axes)))].sort();
  const valueOf = ({ axes: own, clocked }: Sited, axis: string) =>
    axis === "clock" && clocked !== undefined ? clocked.clock : own[axis];
  const scaled = axes.map((axis) => {
    const values = candidates.map((candidate) => valueOf(candidate, axis));
    const logs = values.flatMap((value) =>
      typeof value === "number" && value > 0 ? [Math.log2(value)] : [],
    );
    const [least, most] = [Math.min(...logs), Math.max(...logs)];
    return (value: AxisValue | undefined): Place =>
      typeof value === "number" && value > 0
        ? most > least
          ? (Math.log2(value) - least) / (most - least)
          : 0
        : String(value);
  });
  const columns = axes.map((axis, i) =>
    candidates.map((candidate) => (scaled[i] as (v?: AxisValue) => Place)(valueOf(candidate, axis))),
  );
  // An axis that tells no candidates apart, or the same ones as an axis before it, says nothing of its own.
  const telling = columns.filter(
    (column, i) => new Set(column).size > 1 && columns.findIndex((other) => isSame(other, column)) === i,
  );
  return new Map(candidates.map(({ id }, row) => [id, telling.map((column) => column[row] as Place)]));
}

/** Whether both tell the same candidates apart. */
function isSame(a: readonly Place[], b: readonly Place[]): boolean {
  const [there, back] = [new Map<Place, Place>(), new Map<Place, Place>()];
  for (const [i, own] of a.entries()) {
    const other = b[i] as Place;
    if ((there.get(own) ?? other) !== other || (back.get(other) ?? own) !== own) return false;
    there.set(own, other);
    back.set(other, own);
  }
  return true;
}
