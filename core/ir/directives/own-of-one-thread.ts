/**
 * Copies of variables that a construct's clauses ask for, where one thread runs host code: as variables of a block.
 *
 *     single private(t) firstprivate(u)      =>      { int t_own; int u_own = u; ... }
 */
import type { Pragma, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { compound } from "../../lang/tree/build.ts";
import { ownCopies } from "../analysis/own-copies.ts";
import { begun } from "./copied.ts";

/** Whose variables keep values behind the construct. */
const keeping = /^(lastprivate|reduction|linear|copyprivate)$/;

/** Variables of `private` and `firstprivate`, the latter with true. */
export function ownOf({ tokens, scope }: Pragma): ReadonlyMap<Symbol, boolean> {
  const own = new Map<Symbol, boolean>();
  const kept = new Set<Symbol>();
  let clause = "";
  let depth = 0;
  for (const [i, token] of tokens.entries()) {
    if (depth === 0 && tokens[i + 1]?.text === "(") clause = token.text;
    if (token.text === "(") depth++;
    if (token.text === ")") depth--;
    const sym = depth === 1 && token.kind === "ident" ? scope.lookup(token.text) : undefined;
    if (sym?.kind !== "var" && sym?.kind !== "param") continue;
    if (keeping.test(clause)) kept.add(sym);
    if (/^(first)?private$/.test(clause)) own.set(sym, clause === "firstprivate");
  }
  for (const sym of kept) own.delete(sym);
  return own;
}

/** The statement with those copies. */
export function withOwn(own: ReadonlyMap<Symbol, boolean>, s: Stmt): Stmt {
  if (own.size === 0) return s;
  const copies = ownCopies(own.keys(), s);
  const begin = [...copies.own].flatMap(([from, to]) => begun(to, own.get(from) ? from : undefined));
  return compound([...begin, copies.body], s.span);
}
