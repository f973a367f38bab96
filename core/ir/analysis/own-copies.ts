/** Copies of variables for each thread or each iteration. */
import { substitute } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { freshSymbol, ident } from "../../lang/tree/build.ts";
import { unusedName } from "./unused-name.ts";

interface OwnCopies {
  /** Copy by variable, in order of first request. The caller declares them. */
  readonly own: ReadonlyMap<Symbol, Symbol>;
  /** The statement with the variables replaced by their copies. */
  readonly body: Stmt;
}

export function ownCopies(syms: Iterable<Symbol>, body: Stmt): OwnCopies {
  const own = new Map(
    [...syms].map((sym) => [sym, freshSymbol(unusedName(`${sym.name}_own`, body), sym.type)]),
  );
  return { own, body: substitute(body, new Map([...own].map(([from, to]) => [from, ident(to)]))) };
}
