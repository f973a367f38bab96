/** How far apart in memory neighbouring iterations of a loop land, access by access. */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import {
  constantValue,
  isZero,
  type Polynomial,
  replace,
  splitAt,
  variables,
} from "../../../core/ir/analysis/polynomial.ts";
import { type Counter, idOf, type Reference, referencesOf } from "../../../core/ir/dependence/references.ts";
import type { LoopHeader } from "../../../core/ir/model/ir.ts";
import { sizeOf } from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";

/** Lanes that reach memory together, and the bytes of a piece of memory that they can share. */
const LANES = 32;
const SECTOR = 32;

/** A subscript in the first iterations of the loops inside: where these begin may depend on the loop looked at. */
function atFirst(at: Polynomial, counters: readonly Counter[], along: Symbol): Polynomial | undefined {
  let result: Polynomial | undefined = at;
  for (const c of [...counters].reverse()) {
    if (!result || c.id === idOf(along) || !variables(result).has(c.id)) continue;
    result = c.lower && replace(result, c.id, c.lower);
  }
  return result;
}

/** Pieces of memory that 32 neighbouring iterations over `along` need for one access each. */
export function sectors({ place, type, loops }: Reference, along: Symbol): number {
  const bytes = Math.max(1, sizeOf(type) ?? 8);
  const most = LANES;
  let stride: number | undefined = 0;
  const last = place.steps.length - 1;
  for (const [k, step] of place.steps.entries()) {
    if (step.is !== "index") continue;
    const at = step.at && atFirst(step.at, loops, along);
    const slope = at && splitAt(at, idOf(along))?.slope;
    if (!slope) return most;
    if (isZero(slope)) continue;
    const by = constantValue(slope);
    // An outer subscript steps over whole rows, the last of a record over whole records.
    if (by === undefined || (k !== last && !place.steps.slice(k + 1).every((s) => s.is === "field")))
      return most;
    stride = Math.abs(Number(by)) * (k === last ? 1 : 4);
  }
  if (place.base.is === "unknown") return most;
  return stride === 0 ? 1 : Math.min(most, Math.max(1, Math.ceil((LANES * stride * bytes) / SECTOR)));
}

export interface Traffic {
  /** Pieces of memory for the accesses of 32 neighbouring iterations of the loop around, and of the one inside. */
  readonly outer: number;
  readonly inner: number;
}

/**
 * What the accesses inside `inner`, a loop of `outer`'s body, cost where lanes take neighbouring iterations of the one
 * or of the other; undefined where the body cannot be analysed.
 */
export function trafficOf(outer: LoopHeader, body: Stmt, inner: readonly LoopHeader[]): Traffic | undefined {
  const uses = usesOf(body);
  const own = new Set([...uses.declared, outer.var]);
  const { list, obstacle } = referencesOf([outer], body, uses, own);
  if (obstacle) return undefined;
  let [byOuter, byInner] = [0, 0];
  for (const h of inner) {
    const inside = list.filter((r) => r.loops.some((c) => c.id === idOf(h.var)) && r.place.steps.length > 0);
    for (const r of inside) {
      byOuter += sectors(r, outer.var);
      byInner += sectors(r, h.var);
    }
  }
  return { outer: byOuter, inner: byInner };
}

export interface AccessEstimate {
  readonly access: Expr;
  readonly mode: Reference["mode"];
  /** Pieces of 32 bytes that 32 lanes need together, and how few would do. */
  readonly pieces: number;
  readonly fewest: number;
}

/** Accesses of a nest's body to memory where lanes take neighbouring iterations over `along`; undefined: not known. */
export function accessesAlong(
  headers: readonly LoopHeader[],
  body: Stmt,
  along: Symbol,
): readonly AccessEstimate[] | undefined {
  const uses = usesOf(body);
  const own = new Set([...uses.declared, ...headers.map((h) => h.var)]);
  const { list, obstacle } = referencesOf(headers, body, uses, own);
  if (obstacle) return undefined;
  return list.flatMap((r): AccessEstimate[] => {
    if (r.place.steps.length === 0) return [];
    const pieces = sectors(r, along);
    const bytes = Math.max(1, sizeOf(r.type) ?? 8);
    const whole = Math.max(1, Math.ceil((LANES * bytes) / SECTOR));
    return [{ access: r.expr, mode: r.mode, pieces, fewest: Math.min(pieces, whole) }];
  });
}

/** Likewise for all accesses of a nest's body, where lanes take neighbouring iterations over `along`. */
export function trafficAlong(headers: readonly LoopHeader[], body: Stmt, along: Symbol): number | undefined {
  const uses = usesOf(body);
  const own = new Set([...uses.declared, ...headers.map((h) => h.var)]);
  const { list, obstacle } = referencesOf(headers, body, uses, own);
  if (obstacle) return undefined;
  return list.filter((r) => r.place.steps.length > 0).reduce((sum, r) => sum + sectors(r, along), 0);
}
