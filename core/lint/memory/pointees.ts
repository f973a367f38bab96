/**
 * What moving pointers lead to, at the current position of a walk: after `b = a`, `b` leads where
 * `a` does. What a condition or a loop sets is unknown behind it.
 */
import { evaluateInteger, isPointer, walkExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { MemoryLocation } from "./access.ts";
import { type Facts, isOwnPointer } from "./facts.ts";

export class Pointees {
  private readonly known = new Map<Symbol, MemoryLocation>();
  private readonly facts: Facts;

  /** Whether any pointer of a function moves. */
  readonly areAny: boolean;

  constructor(facts: Facts) {
    this.facts = facts;
    this.areAny = [...facts.moving].some(isOwnPointer);
  }

  of(sym: Symbol): MemoryLocation | undefined {
    return this.known.get(sym);
  }

  /** `target`: of the value; undefined: unknown. */
  set(sym: Symbol, target: MemoryLocation | undefined): void {
    this.forget([sym]);
    if (target && this.isFollowed(sym) && hasConstantSubscripts(target) && !target.relies.includes(sym))
      this.known.set(sym, target);
  }

  /** The pointers have other values, and so has what was found through them. */
  forget(syms: Iterable<Symbol>): void {
    const gone = new Set(syms);
    for (const [sym, { relies }] of this.known)
      if (gone.has(sym) || relies.some((pointer) => gone.has(pointer))) this.known.delete(sym);
  }

  /** A place that is jumped to. */
  forgetAll(): void {
    this.known.clear();
  }

  isFollowed(sym: Symbol): boolean {
    return isOwnPointer(sym) && !this.facts.addressed.has(sym);
  }
}

const hasConstantSubscripts = ({ steps }: MemoryLocation): boolean =>
  steps.every((s) => s.is !== "index" || s.terms.every(({ expr }) => evaluateInteger(expr) !== undefined));

/** The pointers that a statement sets, and by which expressions. */
export function pointersSetIn(s: Stmt): ReadonlyMap<Symbol, readonly (Expr | undefined)[]> {
  const known = setIn.get(s);
  if (known) return known;
  const found = new Map<Symbol, (Expr | undefined)[]>();
  const add = (target: Expr, value?: Expr) => {
    const left = stripImplicit(target);
    if (left.kind !== "ident" || !isPointer(left.sym.type)) return;
    found.set(left.sym, [...(found.get(left.sym) ?? []), value]);
  };
  walkStmt(s, {
    stmt(inner) {
      if (inner.kind === "decl")
        for (const { sym } of inner.decls) if (isPointer(sym.type)) found.set(sym, []);
      return true;
    },
    expr(e) {
      if (e.kind === "assign") add(e.left, e.op === "=" ? e.right : undefined);
      if (e.kind === "incdec") add(e.arg);
    },
  });
  setIn.set(s, found);
  return found;
}

const setIn = new WeakMap<Stmt, ReadonlyMap<Symbol, readonly (Expr | undefined)[]>>();

/**
 * Pointers that each turn of a loop sets to one other pointer, `a = b`, which no turn sets: the same from the second turn
 * on.
 */
export function setByEachTurn(loop: Stmt & { readonly body: Stmt }): ReadonlyMap<Symbol, Expr> {
  const all = pointersSetIn(loop);
  const found = new Map<Symbol, Expr>();
  if (all.size === 0 || loop.body.kind !== "compound") return found;
  const asked = askedIn(loop);
  for (const s of loop.body.body) {
    const e = s.kind === "expr" && s.expr ? s.expr : undefined;
    if (e?.kind !== "assign" || e.op !== "=") continue;
    const [to, from] = [stripImplicit(e.left), stripImplicit(e.right)];
    if (to.kind !== "ident" || from.kind !== "ident" || all.get(to.sym)?.length !== 1) continue;
    if (!all.has(from.sym) && !asked.has(to.sym) && !asked.has(from.sym)) found.set(to.sym, from);
  }
  return asked.has("jumps") ? new Map() : found;
}

/** What conditions in a statement look at, and whether something leaves it out. */
function askedIn(s: Stmt): ReadonlySet<Symbol | "jumps"> {
  const found = new Set<Symbol | "jumps">();
  walkStmt(s, {
    stmt(inner) {
      if (inner.kind === "continue" || inner.kind === "goto") found.add("jumps");
      const test = "test" in inner ? inner.test : undefined;
      if (test)
        walkExpr(test, {
          expr(e) {
            if (e.kind === "ident") found.add(e.sym);
          },
        });
      return true;
    },
  });
  return found;
}
