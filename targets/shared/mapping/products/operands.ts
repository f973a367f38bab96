/** What the iterations of a matrix product load for a row or a column. */

import { firstOf } from "../../../../core/checked/access.ts";
import { usesOf } from "../../../../core/ir/analysis/access.ts";
import { type Reference, referencesOf } from "../../../../core/ir/dependence/references.ts";
import type { Loop, LoopHeader } from "../../../../core/ir/model/ir.ts";
import { canonical, isScalar, printExpr, sizeOf, walkExpr } from "../../../../core/lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import { sectors } from "../strides.ts";

/** Data that a block of rows or columns loads once. */
export interface Operand {
  /** The expressions that load it. */
  readonly loads: readonly Expr[];
  readonly type: CType;
  readonly side: "row" | "column";
  /** The loop whose neighbouring iterations access neighbouring memory. */
  readonly along: "inner" | "outer";
}

const MOST_OPERANDS = 4;

export function isNumber(type: CType): boolean {
  return isScalar(type) && ["int", "float"].includes(canonical(type).kind) && (sizeOf(type) ?? 16) <= 8;
}

interface Where {
  readonly row: LoopHeader;
  readonly column: LoopHeader;
  readonly inner: Loop;
  /** The inner loop as a statement. */
  readonly at: Stmt;
}

/** Undefined: an access depends on both row and column, or one side has none. */
export function operandsOf(
  { row, column, inner, at }: Where,
  own: ReadonlySet<Symbol>,
): readonly Operand[] | undefined {
  const k = firstOf(inner.headers).var;
  const varies = new Set([...own, ...usesOf(at).declared, row.var, column.var]);
  const { list, obstacle } = referencesOf([row, column], at, usesOf(at), varies);
  if (obstacle) return undefined;
  const found = new Map<string, { refs: Reference[]; side: Operand["side"] }>();
  for (const ref of list) {
    if (ref.location.steps.length === 0) continue;
    const used = variablesIn(ref.expr);
    if (used.has(row.var) && used.has(column.var)) return undefined;
    const ofOthers = [...used].some(
      (sym) => sym !== k && sym !== row.var && sym !== column.var && varies.has(sym),
    );
    const side = used.has(row.var) ? "row" : used.has(column.var) ? "column" : undefined;
    if (!side || !used.has(k) || ofOthers || !ref.always || ref.mode !== "read" || !isNumber(ref.type))
      continue;
    const key = [printExpr(ref.expr), ...[...used].map((sym) => sym.id)].join(" ");
    const known = found.get(key);
    if (known) known.refs.push(ref);
    else found.set(key, { refs: [ref], side });
  }
  const operands = [...found.values()].map(({ refs, side }): Operand => {
    const [first] = refs as [Reference];
    const other = side === "row" ? row : column;
    return {
      loads: refs.map((r) => r.expr),
      type: first.type,
      side,
      along: sectors(first, k) < sectors(first, other.var) ? "inner" : "outer",
    };
  });
  const both = operands.some((o) => o.side === "row") && operands.some((o) => o.side === "column");
  return both && operands.length <= MOST_OPERANDS ? operands : undefined;
}

function variablesIn(e: Expr): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  walkExpr(e, {
    expr(sub) {
      if (sub.kind === "ident") found.add(sub.sym);
    },
  });
  return found;
}
