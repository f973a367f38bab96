/** Expressions that use a value several times, and code that uses none. */

import { build, mapStmt, pointerTo, unqualified } from "../../../core/lang/index.ts";
import type { Expr, Stmt } from "../../../core/lang/tree/ast.ts";

const { addressOf, compound, declare, deref, exprStmt, freshSymbol, ident } = build;

/**
 * Applies `make` to a value that is computed once: stored in a new variable, unless it is a variable or constant
 * already.
 */
export function once(value: Expr, make: (value: Expr) => Expr): Expr {
  if (isRepeatable(value)) return make(value);
  const sym = freshSymbol("arc_value", unqualified(value.type));
  return statementExpression([declare(sym, value)], make(ident(sym)));
}

/** Applies `make` to an lvalue that is evaluated once, by its address. */
export function oncePlace(place: Expr, make: (place: Expr) => Expr): Expr {
  if (isRepeatable(place)) return make(place);
  const sym = freshSymbol("arc_place", pointerTo(place.type));
  return statementExpression([declare(sym, addressOf(place))], make(deref(ident(sym))));
}

/** A value or lvalue that can be evaluated again without effects or cost. */
export function isRepeatable(e: Expr): boolean {
  switch (e.kind) {
    case "ident":
    case "int":
    case "float":
    case "char":
      return true;
    case "cast":
      return isRepeatable(e.arg);
    case "member":
      return isRepeatable(e.base);
    case "index":
      return isRepeatable(e.base) && isRepeatable(e.index);
    case "unary":
      return isRepeatable(e.arg);
    case "binary":
      return isRepeatable(e.left) && isRepeatable(e.right);
    default:
      return false;
  }
}

/** GNU `({ before; value; })`. */
export function statementExpression(before: readonly Stmt[], value: Expr): Expr {
  return {
    kind: "stmt-expr",
    body: compound([...before, exprStmt(value)], value.span),
    type: unqualified(value.type),
    span: value.span,
  };
}

/** Combines a change with the value that remains of it, if the value is used. */
export type Valued = (change: Expr, value: Expr) => Expr;

/**
 * `s` with changes of variables rewritten; `rewrite` is applied to inner expressions first, and `statement` to each
 * statement behind its expressions.
 */
export function withChanges(
  s: Stmt,
  rewrite: (e: Expr, valued: Valued) => Expr,
  statement: (s: Stmt) => Stmt = (child) => child,
): Stmt {
  const changes = new Map<Expr, Expr>();
  const valued: Valued = (change, value) => {
    changes.set(value, change);
    return value;
  };
  const unused = (e: Expr): Expr => changes.get(e) ?? e;
  return mapStmt(s, {
    expr(e) {
      const left = e.kind === "comma" ? unused(e.left) : undefined;
      return rewrite(e.kind === "comma" && left && left !== e.left ? { ...e, left } : e, valued);
    },
    stmt(given) {
      const child = statement(given);
      if (child.kind === "expr" && child.expr) {
        const expr = unused(child.expr);
        return expr === child.expr ? child : { ...child, expr };
      }
      if (child.kind !== "for") return child;
      const init = child.init && child.init.kind !== "decl" ? unused(child.init) : child.init;
      const step = child.step && unused(child.step);
      return init === child.init && step === child.step
        ? child
        : { ...child, ...(init && { init }), ...(step && { step }) };
    },
  });
}
