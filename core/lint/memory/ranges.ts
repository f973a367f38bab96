/** Which iterations a loop has. */
import { mapTuple } from "../../checked/tuples.ts";
import type { Around } from "./access.ts";
import { loopsOfSums, type Point, prepare, type World } from "./evaluate.ts";

export interface Extent {
  readonly first: number;
  readonly step: number;
  readonly count: number;
}

export interface Range {
  /** Undefined: unknown. */
  at(point: Point): Extent | undefined;
  /** The loops around it on whose variables its iterations may depend. */
  readonly needs: readonly number[];
}

/** `outer`: the loops around it. */
export function rangeOf({ header, frame }: Around, outer: readonly Around[], world: World): Range {
  if (!header) return { at: () => undefined, needs: [] };
  const [lower, end, by] = mapTuple([header.lower, header.bound, header.step], (e) =>
    prepare(e, frame, outer, world),
  );
  const closed = header.relation === "<=" || header.relation === ">=";
  const all = outer.map((_, k) => k);
  const needs = [lower, end, by].every(({ fixed }) => fixed) ? [] : (loopsOfSums([lower, end, by]) ?? all);
  const at = (point: Point): Extent | undefined => {
    const [first, bound, step] = [lower.at(point), end.at(point), by.at(point)];
    if (first === undefined || bound === undefined || step === undefined || step === 0) return undefined;
    const distance = (bound - first) / step;
    const count = closed ? Math.floor(distance) + 1 : Math.ceil(distance);
    return { first, step, count: Math.max(0, count) };
  };
  return { at, needs };
}
