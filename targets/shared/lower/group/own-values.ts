/** Values that a kernel is passed, of which each group has a variable that its items share. */
import type { Argument } from "../../../../core/ir/model/region.ts";
import { canonical, isArray, LONG, sizeOf, substitute, unqualified } from "../../../../core/lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  exprStmt,
  freshSymbol,
  ident,
  index,
  intLit,
} from "../../../../core/lang/tree/build.ts";
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
    .map((of): Counter => ({ of, own: freshSymbol(of.name, unqualified(of.sym.type)) }));
  const isOfArray = ({ of }: Counter) => isArray(of.sym.type);
  return {
    body: substitute(body, new Map(all.map(({ of, own }) => [of.sym, ident(own)]))),
    counters: all.filter((one) => !isOfArray(one)),
    arrays: all.filter(isOfArray).map(({ of, own: sym }) => ({
      sym,
      elements: elementsOf(sym.type),
      fill: (t) => exprStmt(assign(elementAt(ident(sym), sym.type, t), elementAt(valueOf(of), sym.type, t))),
    })),
  };
}

/** Element `t`, counted over all dimensions. */
function elementAt(array: Expr, type: CType, t: Expr): Expr {
  const inner = partOf(type);
  if (!inner || !partOf(inner)) return index(array, t);
  const each = intLit(elementsOf(inner), LONG);
  return elementAt(index(array, binary("/", t, each)), inner, binary("%", t, each));
}

function elementsOf(type: CType): number {
  const inner = partOf(type);
  return inner ? ((sizeOf(type) ?? 0) / (sizeOf(inner) ?? 1)) * elementsOf(inner) : 1;
}

function partOf(type: CType): CType | undefined {
  const array = canonical(type);
  return array.kind === "array" ? array.of : undefined;
}
