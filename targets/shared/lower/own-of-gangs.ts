/**
 * A variable per gang for reductions over gangs: the loops use the gang's variable, all other code of the region uses
 * the program's, which is unchanged until all gangs are done.
 *
 *     x = s;                                          x = s;
 *     loop gang reduction(+:s)              =>        loop gang reduction(+:own)
 *       s += a[i];                                      own += a[i];
 */
import { asNode, type Reduction, type Spmd } from "../../../core/ir/model/ir.ts";
import { mapChildren, substitute, unqualified } from "../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { freshSymbol, ident } from "../../../core/lang/tree/build.ts";

export interface GangReduction {
  readonly op: Reduction["op"];
  /** The gang's variable. */
  readonly own: Symbol;
  /** The program's. */
  readonly of: Symbol;
}

export function ownOfGangs(
  spmd: Spmd,
  reductions: readonly Reduction[],
): { readonly body: Stmt; readonly reductions: readonly GangReduction[] } {
  const found = reductions.map(
    ({ op, sym }): GangReduction => ({ op, own: freshSymbol(sym.name, unqualified(sym.type)), of: sym }),
  );
  const renamed = found.reduce((body, r) => {
    const name = new Map([[r.of, ident(r.own)]]);
    const ofConstruct = spmd.reductions.some(({ sym }) => sym === r.of);
    return ofConstruct ? substitute(body, name) : inLoops(body, r.of, (loop) => substitute(loop, name));
  }, spmd.body);
  return { body: renamed, reductions: found };
}

/** Applies `rewrite` to the outermost loops that reduce the variable. */
function inLoops(s: Stmt, sym: Symbol, rewrite: (loop: Stmt) => Stmt): Stmt {
  return asNode(s, "loop")?.reductions.some((r) => r.sym === sym)
    ? rewrite(s)
    : mapChildren(s, (child) => inLoops(child, sym, rewrite));
}
