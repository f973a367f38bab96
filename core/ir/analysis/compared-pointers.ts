/**
 * Pointers whose value is all that code uses: they are compared, counted up, and given to other such pointers of the
 * code itself, but nothing is read or written through them, and no function gets them. They may lead anywhere.
 */

import { canonical, isPointer, walkStmt } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { asNode } from "../model/ir.ts";

const comparisons: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">=", "&&", "||"]);

export function comparedPointers(code: Stmt): ReadonlySet<Symbol> {
  const uses = new PointerUses();
  walkStmt(code, { expr: (e) => uses.expr(e), stmt: (s) => uses.stmt(s) });
  return uses.compared();
}

class PointerUses {
  private readonly declared = new Set<Symbol>();
  private readonly occurrences = new Map<Symbol, number>();
  private readonly ofValue = new Map<Symbol, number>();
  /** Of pointers that others get their values from. */
  private readonly given: { readonly from: Symbol; readonly to: Symbol }[] = [];
  /** A number becomes a pointer, which may lead wherever one did. */
  private fromNumber = false;

  compared(): ReadonlySet<Symbol> {
    const { occurrences, ofValue, given, declared } = this;
    if (this.fromNumber) return new Set();
    const found = new Set([...occurrences.keys()].filter((sym) => occurrences.get(sym) === ofValue.get(sym)));
    for (let before = -1; before !== found.size; ) {
      before = found.size;
      for (const { from, to } of given) if (!found.has(to) && occurrences.has(to)) found.delete(from);
    }
    return new Set([...found].filter((sym) => !declared.has(sym)));
  }

  /** Notes that the pointers which the expression's value is one of are used for that value, or given to another one. */
  private value(e: Expr | undefined, to?: Symbol): void {
    if (!e || !isPointerLike(e)) return;
    if (e.kind === "ident") {
      count(this.ofValue, e.sym);
      if (to) this.given.push({ from: e.sym, to });
    } else if (e.kind === "cast") this.value(e.arg, to);
    else if (e.kind === "comma") this.value(e.right, to);
    else if (e.kind === "binary") {
      this.value(e.left, to);
      this.value(e.right, to);
    } else if (e.kind === "cond") {
      this.value(e.then, to);
      this.value(e.else, to);
    }
  }

  /** An expression whose own value nothing uses. */
  private statement(e: Expr | undefined): void {
    if (e?.kind === "incdec") this.value(e.arg);
    else if (e?.kind === "comma") {
      this.statement(e.left);
      this.statement(e.right);
    } else if (e?.kind === "assign" && e.left.kind === "ident" && this.declared.has(e.left.sym)) {
      this.value(e.left);
      this.value(e.right, e.left.sym);
    }
  }

  expr(e: Expr): void {
    if (e.kind === "ident") {
      if (isPointer(e.sym.type)) count(this.occurrences, e.sym);
    } else if (e.kind === "binary" && (comparisons.has(e.op) || (e.op === "-" && !isPointerLike(e)))) {
      this.value(e.left);
      this.value(e.right);
    } else if (e.kind === "unary" && e.op === "!") this.value(e.arg);
    else if (e.kind === "cond") this.value(e.test);
    else if (e.kind === "cast" && !isPointerLike(e)) this.value(e.arg);
    else if (e.kind === "cast") this.fromNumber ||= !isPointerLike(e.arg) && e.arg.kind !== "int";
  }

  stmt(s: Stmt): void {
    if (s.kind === "expr") this.statement(s.expr);
    if (s.kind === "if" || s.kind === "while" || s.kind === "do" || s.kind === "for") this.value(s.test);
    if (s.kind === "for" && s.init && s.init.kind !== "decl") this.statement(s.init);
    if (s.kind === "for") this.statement(s.step);
    if (s.kind === "decl")
      for (const { sym, init } of s.decls) {
        this.declared.add(sym);
        if (init?.kind === "expr") this.value(init.expr, sym);
      }
    for (const { var: counter, lower, bound } of asNode(s, "loop")?.headers ?? []) {
      this.value(lower, counter);
      this.value(bound);
    }
  }
}

const count = (counts: Map<Symbol, number>, sym: Symbol) => counts.set(sym, (counts.get(sym) ?? 0) + 1);

const isPointerLike = (e: Expr): boolean => ["pointer", "array"].includes(canonical(e.type).kind);
