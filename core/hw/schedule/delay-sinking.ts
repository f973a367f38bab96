/**
 * Moves delay lines in registers to the cycle in which their places are read. Read later, every place would have to be
 * carried on through the pipeline's stages; the line itself takes in only one value.
 */
import { entryOf, firstOf } from "../../checked/access.ts";
import type { Value } from "../dfg/value.ts";
import { LONGEST_REGISTER_LINE } from "../operators/timing.ts";

/** A use of a value in a cycle, by something other than a place of a delay line. */
export interface Use {
  readonly value: Value;
  readonly cycle: number;
}

/**
 * The cycles of delays that move. `before`: the input of each place; `start`: present cycles; `uses`: all uses except
 * those by places.
 */
export function lateDelays(
  before: ReadonlyMap<Value, Value>,
  start: ReadonlyMap<Value, number>,
  uses: readonly Use[],
): ReadonlyMap<Value, number> {
  const lines = new Map<Value, Value[]>();
  for (const place of before.keys()) {
    const source = firstOf(place.args);
    lines.set(source, [...(lines.get(source) ?? []), place]);
  }
  const delays = new Map<Value, number>();
  for (const [source, places] of lines) {
    const inRegisters = places.every((p) => {
      const from = entryOf(before, p);
      const newer = from === source ? 0 : (from.distance as number);
      return (p.distance as number) - newer <= LONGEST_REGISTER_LINE;
    });
    const cycles = new Set(places.map((p) => start.get(p)));
    if (!inRegisters || cycles.size !== 1) continue;
    const first = Math.min(...uses.filter((u) => places.includes(u.value)).map((u) => u.cycle));
    // Until then its source is carried on anyway.
    const carried = Math.max(0, ...uses.filter((u) => u.value === source).map((u) => u.cycle));
    const now = entryOf(start, firstOf(places));
    if (first > now && first <= carried && Number.isFinite(first))
      for (const place of places) delays.set(place, first);
  }
  return delays;
}
