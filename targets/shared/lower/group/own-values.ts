/** Values that a kernel is passed, of which each group has a variable that its items share. */
import type { Argument } from "../../../../core/ir/model/region.ts";
import { isArray, substitute } from "../../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import { assign, exprStmt, freshSymbol, ident } from "../../../../core/lang/tree/build.ts";
import { dimensions, subscripted, unqualifiedArray } from "./array-elements.ts";
import type { Copy } from "./array-privatisation.ts";
import { atomicTargets } from "./memory.ts";

export interface Counter {
  readonly of: Argument;
  readonly own: Symbol;
}

interface OwnValues {
  readonly body: Stmt;
  /** To be declared with the values. */
  readonly counters: readonly Counter[];
  readonly arrays: readonly Copy[];
}

/** `values`: what is passed by value; `changed`: those that one of the items changes for all, beside atomic updates. */
export function ownOfGroups(
  body: Stmt,
  values: readonly Argument[],
  changed: ReadonlySet<Symbol>,
  valueOf: (argument: Argument) => Expr,
): OwnValues {
  const targets = new Set([...atomicTargets([body]), ...changed]);
  const all = values
    .filter(({ sym }) => targets.has(sym))
    .map((of): Counter => ({ of, own: freshSymbol(of.name, unqualifiedArray(of.sym.type)) }));
  const isOfArray = ({ of }: Counter) => isArray(of.sym.type);
  return {
    body: substitute(body, new Map(all.map(({ of, own }) => [of.sym, ident(own)]))),
    counters: all.filter((one) => !isOfArray(one)),
    arrays: all.filter(isOfArray).map(({ of, own: sym }) => {
      const dims = dimensions(sym.type);
      const place = (array: Expr, t: Expr) => subscripted(array, dims, t);
      return {
        sym,
        elements: dims.reduce((a, b) => a * b, 1),
        fill: (t) => exprStmt(assign(place(ident(sym), t), place(valueOf(of), t))),
      };
    }),
  };
}
