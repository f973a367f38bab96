/** What a statement stores in variables themselves. */
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import { walkStmt } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";

export interface Store {
  readonly sym: Symbol;
  readonly expr: Expr;
  /** Nothing but loops stands around it, and nothing leaves the statement in front of it. */
  readonly certain: boolean;
}

const choices: ReadonlySet<string> = new Set(["if", "switch", "while", "cond"]);
const jumps: ReadonlySet<string> = new Set(["break", "continue", "goto", "return"]);

/**
 * The first of each variable, and a certain one if there is one. Counters of loops are not among them, nor is what
 * `s += x` adds up, of which other rules tell.
 */
export function storesIn(stmt: Stmt): readonly Store[] {
  const found = new Map<Symbol, Store>();
  let leaves = false;
  const counters = new Set<Symbol>();
  walkStmt(stmt, {
    stmt(s) {
      leaves ||= jumps.has(s.kind);
      const header = s.kind === "for" ? countedHeader(s) : undefined;
      if (header && !("severity" in header)) counters.add(header.var);
    },
  });
  const collect = (certain: boolean, enters: (kind: string) => boolean): void =>
    walkStmt(stmt, {
      stmt: ({ kind }) => enters(kind),
      expr(e) {
        const target = e.kind === "assign" && e.op === "=" ? stripImplicit(e.left) : undefined;
        if (target?.kind === "ident" && !counters.has(target.sym) && !found.has(target.sym))
          found.set(target.sym, { sym: target.sym, expr: target, certain });
        return enters(e.kind) && !(e.kind === "binary" && /^(&&|\|\|)$/.test(e.op));
      },
    });
  if (!leaves) collect(true, (kind) => !choices.has(kind));
  collect(false, () => true);
  return [...found.values()];
}
