/** The memory distance between neighbouring iterations of a loop, for each access. */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { idOf } from "../../../core/ir/dependence/memory-location.ts";
import { type Reference, referencesOf } from "../../../core/ir/dependence/references.ts";
import { strideOf } from "../../../core/ir/dependence/strides.ts";
import type { LoopHeader } from "../../../core/ir/model/ir.ts";
import { sizeOf } from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { distanceOf, type Following, following } from "./slopes.ts";

/** Lanes that access memory together, and the bytes of a memory sector that they can share. */
const LANES = 32;
const SECTOR = 32;

/**
 * Memory sectors that one access touches in 32 neighbouring iterations over `along`. `of`: how the body follows it, for
 * subscripts that are not affine.
 */
export function sectors(reference: Reference, along: Symbol, of?: Following): number {
  const bytes = Math.max(1, sizeOf(reference.type) ?? 8);
  const affine = strideOf(reference, along);
  const found = affine.is === "unknown" && of ? distanceOf(reference.expr, of) : undefined;
  const stride = !found ? affine : ({ is: found.by === 0 ? "none" : "elements", ...found } as const);
  if (stride.is === "none") return 1;
  if (stride.is !== "elements") return LANES;
  const distance = stride.by * (stride.records ? 4 : 1) * bytes;
  return Math.min(LANES, Math.max(1, Math.ceil((LANES * distance) / SECTOR)));
}

/** The accesses to memory of a nest's body; undefined if it cannot be analysed. */
export function memoryAccesses(headers: readonly LoopHeader[], body: Stmt): readonly Reference[] | undefined {
  const uses = usesOf(body);
  const own = new Set([...uses.declared, ...headers.map((h) => h.var)]);
  const { list, obstacle } = referencesOf(headers, body, uses, own);
  return obstacle ? undefined : list.filter((r) => r.location.steps.length > 0);
}

interface Traffic {
  /** Sectors for the accesses of 32 neighbouring iterations of the outer loop, and of the inner one. */
  readonly outer: number;
  readonly inner: number;
}

/**
 * The cost of accesses inside `inner`, a loop of `outer`'s body, if lanes take neighbouring iterations of either
 * loop; undefined if the body cannot be analysed.
 */
export function trafficOf(outer: LoopHeader, body: Stmt, inner: readonly LoopHeader[]): Traffic | undefined {
  const accesses = memoryAccesses([outer], body);
  if (!accesses) return undefined;
  let [byOuter, byInner] = [0, 0];
  const ofOuter = following(body, outer.var);
  for (const h of inner) {
    const ofInner = following(body, h.var);
    for (const r of accesses.filter(({ loops }) => loops.some((c) => c.id === idOf(h.var)))) {
      byOuter += sectors(r, outer.var, ofOuter);
      byInner += sectors(r, h.var, ofInner);
    }
  }
  return { outer: byOuter, inner: byInner };
}

/**
 * Whether most of what a nest's body loads lies two or more elements apart in neighbouring iterations over `along`, as
 * fields of records do that each iteration reads one by one.
 */
export function loadsApart(headers: readonly LoopHeader[], body: Stmt, along: Symbol): boolean {
  const steps = (memoryAccesses(headers, body) ?? []).flatMap((r) => {
    if (r.mode === "write") return [];
    const stride = strideOf(r, along);
    return stride.is === "elements" ? [stride.records || Math.abs(stride.by) > 1] : [];
  });
  const apart = steps.filter(Boolean).length;
  return 2 * apart > steps.length;
}

interface AccessEstimate {
  readonly access: Expr;
  readonly mode: Reference["mode"];
  /** Sectors of 32 bytes that 32 lanes touch together, and the least possible number. */
  readonly pieces: number;
  readonly fewest: number;
}

/** A nest body's memory accesses if lanes take neighbouring iterations over `along`; undefined: unknown. */
export function accessesAlong(
  headers: readonly LoopHeader[],
  body: Stmt,
  along: Symbol,
): readonly AccessEstimate[] | undefined {
  const of = following(body, along);
  return memoryAccesses(headers, body)?.map((r): AccessEstimate => {
    const pieces = sectors(r, along, of);
    const bytes = Math.max(1, sizeOf(r.type) ?? 8);
    const fullSectors = Math.max(1, Math.ceil((LANES * bytes) / SECTOR));
    return { access: r.expr, mode: r.mode, pieces, fewest: Math.min(pieces, fullSectors) };
  });
}

/** The sum for all accesses of a nest's body, if lanes take neighbouring iterations over `along`. */
export function trafficAlong(headers: readonly LoopHeader[], body: Stmt, along: Symbol): number | undefined {
  const of = following(body, along);
  return memoryAccesses(headers, body)?.reduce((sum, r) => sum + sectors(r, along, of), 0);
}
