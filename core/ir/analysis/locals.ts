/** Scalars of a loop body that stand for an expression: they are set once per iteration, before any use. */

import { isInteger, mapExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { asNode } from "../model/ir.ts";
import { usesOf } from "./access.ts";
import { definedFirst } from "./liveness.ts";

/**
 * Integer variables of `body` that are set once, by their initialiser or by an assignment at the body's top level, to a
 * value that stays the same for the rest of the iteration.
 */
export function definitionsIn(body: Stmt, privates: readonly Symbol[] = []): ReadonlyMap<Symbol, Expr> {
  const uses = usesOf(body);
  const writes = new Map<Symbol, number>();
  const values = new Map<Symbol, Expr>();
  /** By an assignment, in front of which they may be read. */
  const assigned = new Set<Symbol>();
  const count = (sym: Symbol) => writes.set(sym, (writes.get(sym) ?? 0) + 1);
  const top = new Set<Stmt>(body.kind === "compound" ? body.body : [body]);
  const isOwn = (sym: Symbol) => uses.declared.has(sym) || privates.includes(sym);
  walkStmt(body, {
    stmt(s) {
      if (s.kind === "decl")
        for (const d of s.decls) {
          if (!d.init) continue;
          count(d.sym);
          if (d.init.kind === "expr" && isInteger(d.sym.type)) values.set(d.sym, d.init.expr);
        }
      if (s.kind !== "expr" || !s.expr || !top.has(s)) return;
      const e = stripImplicit(s.expr);
      const left = e.kind === "assign" && e.op === "=" ? stripImplicit(e.left) : undefined;
      if (e.kind === "assign" && left?.kind === "ident" && isOwn(left.sym) && isInteger(left.sym.type)) {
        values.set(left.sym, e.right);
        assigned.add(left.sym);
      }
    },
    expr(e) {
      const target =
        e.kind === "assign" ? stripImplicit(e.left) : e.kind === "incdec" ? stripImplicit(e.arg) : undefined;
      if (target?.kind === "ident") count(target.sym);
    },
  });
  const loopVars = new Set<Symbol>();
  walkStmt(body, {
    stmt(s) {
      for (const h of asNode(s, "loop")?.headers ?? []) loopVars.add(h.var);
    },
  });
  // Last, as it walks the whole body for each of them.
  for (const sym of [...values.keys()])
    if (
      writes.get(sym) !== 1 ||
      uses.of.get(sym)?.addressTaken ||
      (assigned.has(sym) && !definedFirst(body, sym))
    )
      values.delete(sym);
  const found = new Map<Symbol, Expr>();
  const stable = (e: Expr): boolean => {
    const inner = usesOf(e);
    if (inner.calls.size > 0 || inner.indirectCall) return false;
    return [...inner.of].every(
      ([sym, use]) =>
        !use.elementsRead &&
        !use.written &&
        (found.has(sym) || (!uses.of.get(sym)?.written && !uses.of.get(sym)?.addressTaken) || counted(sym)),
    );
  };
  // Counters of inner loops keep their value during an iteration of those loops.
  const counted = (sym: Symbol): boolean => loopVars.has(sym) || forVariables(body).has(sym);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [sym, value] of values) {
      if (found.has(sym) || !stable(value)) continue;
      found.set(sym, value);
      grown = true;
    }
  }
  return found;
}

/** Variables of plain `for` loops that only the loop's header changes. */
function forVariables(body: Stmt): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  walkStmt(body, {
    stmt(s) {
      if (s.kind !== "for" || s.init?.kind !== "decl") return;
      const sym = s.init.decls[0]?.sym;
      const use = sym && usesOf(s.body).of.get(sym);
      if (sym && !use?.written && !use?.addressTaken) found.add(sym);
    },
  });
  return found;
}

/** `e` with variables replaced by the expressions that they stand for. */
export function forwarded(e: Expr, definitions: ReadonlyMap<Symbol, Expr>): Expr {
  if (definitions.size === 0) return e;
  return mapExpr(e, {
    expr: (x) => {
      const value = x.kind === "ident" ? definitions.get(x.sym) : undefined;
      return value ? forwarded(value, definitions) : x;
    },
  });
}
