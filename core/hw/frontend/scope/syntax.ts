/** Small queries on C syntax. */

import { canonical, isPointer, walkExpr, walkStmt } from "../../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { unary } from "../../../lang/tree/build.ts";

/** Strips implicit conversions between types of the same kind, and the decay of arrays. */
export function stripped(e: Expr): Expr {
  return e.kind === "cast" && e.implicit && canonical(e.arg.type).kind === canonical(e.to).kind
    ? stripped(e.arg)
    : e.kind === "cast" && e.implicit && canonical(e.arg.type).kind === "array"
      ? stripped(e.arg)
      : e;
}

/** The object that a pointer argument points to. */
export function pointee(argument: Expr): Expr {
  const pointer = stripped(argument);
  return pointer.kind === "unary" && pointer.op === "&"
    ? stripped(pointer.arg)
    : unary("*", pointer, pointer.span);
}

/** 0 for `#pragma unroll`, N for `#pragma unroll N`; undefined without. */
export function unrollOf(loop: Stmt): number | undefined {
  for (const pragma of loop.pragmas ?? []) {
    const [word, count] = pragma.tokens;
    if (word?.text !== "unroll") continue;
    return count ? Number(count.text.replace(/[()]/g, "")) || 1 : 0;
  }
  return undefined;
}

/** The variable at the root of an access, for names of signals. */
export function nameOf(e: Expr): string {
  const root = (x: Expr): string => {
    switch (x.kind) {
      case "ident":
        return x.sym.name;
      case "index":
      case "member":
        return root(x.base);
      case "cast":
      case "unary":
        return root(x.arg);
      case "binary":
        return root(isPointer(x.right.type) ? x.right : x.left);
      default:
        return "memory";
    }
  };
  return root(e);
}

/** Scalars that the statement assigns or declares. */
export function assigned(s: Stmt): ReadonlySet<Symbol> {
  const symbols = new Set<Symbol>();
  walkStmt(s, {
    expr(e) {
      const target =
        e.kind === "assign" ? stripped(e.left) : e.kind === "incdec" ? stripped(e.arg) : undefined;
      if (target?.kind === "ident") symbols.add(target.sym);
    },
    stmt(child) {
      if (child.kind === "decl") for (const d of child.decls) symbols.add(d.sym);
    },
  });
  return symbols;
}

/** Whether it only reads variables and changes none. */
export function pure(e: Expr): boolean {
  let ok = true;
  walkExpr(e, {
    expr(sub) {
      ok &&= !["index", "member", "call", "stmt-expr", "assign", "incdec"].includes(sub.kind);
      ok &&= !(sub.kind === "unary" && sub.op === "*");
    },
  });
  return ok;
}

export function holds(e: Expr, is: (part: Expr) => boolean): boolean {
  let isFound = false;
  walkExpr(e, {
    expr(part) {
      isFound ||= is(part);
      return !isFound;
    },
  });
  return isFound;
}

/**
 * Whether it is `pure` and has the same value in every iteration of a loop with this counter and these written
 * variables.
 */
export function invariant(e: Expr, assignedSymbols: ReadonlySet<Symbol>, counter: Symbol): boolean {
  let ok = pure(e);
  walkExpr(e, {
    expr(sub) {
      if (sub.kind === "ident") ok &&= !assignedSymbols.has(sub.sym) && sub.sym !== counter;
    },
  });
  return ok;
}
