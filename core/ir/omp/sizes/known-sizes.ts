/**
 * Team sizes given by variables that never change their constant initial value: `int block = 256; ...
 * thread_limit(block)`.
 */
import { evaluateInteger, substituteExpr, walkExpr, walkStmt } from "../../../lang/index.ts";
import type { Expr, Symbol, TranslationUnit } from "../../../lang/tree/ast.ts";
import { intLit } from "../../../lang/tree/build.ts";
import { usesOf } from "../../analysis/access.ts";
import type { Directive } from "../../directives/directive.ts";

const sized = ["num_threads", "thread_limit"];

export class KnownSizes {
  private readonly unit: TranslationUnit;
  private values: ReadonlyMap<Symbol, Expr> | undefined;

  constructor(unit: TranslationUnit) {
    this.unit = unit;
  }

  /** The directive with such variables in its clauses replaced by constants. */
  in(d: Directive): Directive {
    if (!d.clauses.some((c) => sized.includes(c.name))) return d;
    const clauses = d.clauses.map((c) =>
      sized.includes(c.name) ? { ...c, exprs: c.exprs.map((e) => (e === "*" ? e : this.known(e))) } : c,
    );
    return { ...d, clauses };
  }

  private known(e: Expr): Expr {
    if (evaluateInteger(e) !== undefined) return e;
    const value = evaluateInteger(this.resolved(e, new Set()));
    return value === undefined ? e : intLit(value, e.type, e.span);
  }

  private resolved(e: Expr, visited: ReadonlySet<Symbol>): Expr {
    this.values ??= constants(this.unit);
    const by = new Map<Symbol, Expr>();
    walkExpr(e, {
      expr: (part) => {
        if (part.kind !== "ident" || visited.has(part.sym)) return;
        const value = this.values?.get(part.sym);
        if (value) by.set(part.sym, this.resolved(value, new Set([...visited, part.sym])));
      },
    });
    return substituteExpr(e, by);
  }
}

/** Initial values of variables that are never assigned. */
function constants({ externals }: TranslationUnit): ReadonlyMap<Symbol, Expr> {
  const values = new Map<Symbol, Expr>();
  for (const e of externals) {
    if (e.kind === "function")
      walkStmt(e.body, {
        stmt(s) {
          for (const { sym, init } of s.kind === "decl" ? s.decls : [])
            if (init?.kind === "expr") values.set(sym, init.expr);
        },
        expr: () => false,
      });
    for (const { sym, init } of e.kind === "decl" ? e.decls : [])
      if (init?.kind === "expr" && (sym.storage === "static" || sym.type.quals?.const))
        values.set(sym, init.expr);
  }
  for (const e of externals)
    if (e.kind === "function")
      for (const [sym, use] of usesOf(e.body).of) if (use.written || use.addressTaken) values.delete(sym);
  return values;
}
