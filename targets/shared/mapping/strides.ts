/** How far apart in memory neighbouring iterations of a loop land, access by access. */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { idOf, type Reference, referencesOf } from "../../../core/ir/dependence/references.ts";
import { strideOf } from "../../../core/ir/dependence/strides.ts";
import type { LoopHeader } from "../../../core/ir/model/ir.ts";
import { sizeOf } from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";

/** Lanes that reach memory together, and the bytes of a piece of memory that they can share. */
const LANES = 32;
const SECTOR = 32;

/** Pieces of memory that 32 neighbouring iterations over `along` need for one access each. */
export function sectors(reference: Reference, along: Symbol): number {
  const bytes = Math.max(1, sizeOf(reference.type) ?? 8);
  const stride = strideOf(reference, along);
  if (stride.is === "none") return 1;
  if (stride.is !== "elements") return LANES;
  const distance = stride.by * (stride.records ? 4 : 1) * bytes;
  return Math.min(LANES, Math.max(1, Math.ceil((LANES * distance) / SECTOR)));
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
