/** The distance in memory between neighbouring iterations of a loop. */
import type { Symbol } from "../../lang/tree/ast.ts";
import {
  constantValue,
  isZero,
  type Polynomial,
  replace,
  splitAt,
  variables,
} from "../analysis/loops/polynomial.ts";
import type { Counter } from "./memory-location.ts";
import { idOf } from "./memory-location.ts";
import type { Reference } from "./references.ts";

type Stride =
  /** All iterations use one location. */
  | { readonly is: "none" }
  /** A number of elements. `records`: elements of an array of records, of which a field is used. */
  | { readonly is: "elements"; readonly by: number; readonly records: boolean }
  /** An outer subscript steps over whole rows. */
  | { readonly is: "rows" }
  /** A number of elements that variables determine. */
  | { readonly is: "variable" }
  | { readonly is: "unknown" };

/** A subscript in the first iterations of the inner loops, whose start may depend on the examined loop. */
function atFirst(at: Polynomial, counters: readonly Counter[], along: Symbol): Polynomial | undefined {
  let result: Polynomial | undefined = at;
  for (const c of [...counters].reverse()) {
    if (!result || c.id === idOf(along) || !variables(result).has(c.id)) continue;
    result = c.lower && replace(result, c.id, c.lower);
  }
  return result;
}

export function strideOf({ location, loops }: Reference, along: Symbol): Stride {
  if (location.base.is === "unknown") return { is: "unknown" };
  let stride: Stride = { is: "none" };
  const last = location.steps.length - 1;
  for (const [k, step] of location.steps.entries()) {
    if (step.is !== "index") continue;
    const at = step.at && atFirst(step.at, loops, along);
    const slope = at && splitAt(at, idOf(along))?.slope;
    if (!slope) return { is: "unknown" };
    if (isZero(slope)) continue;
    // The last subscript of a record steps over whole records.
    if (k !== last && !location.steps.slice(k + 1).every((s) => s.is === "field")) return { is: "rows" };
    const by = constantValue(slope);
    if (by === undefined) return { is: "variable" };
    stride = { is: "elements", by: Math.abs(Number(by)), records: k !== last };
  }
  return stride;
}
