/**
 * Choices without a middle operand (a GNU extension) whose test has side effects: stores the test in a variable:
 *
 *     y = f() ?: 3;   =>   y = (value = f(), value ? value : 3);
 */

import { hasEffects } from "../../ir/analysis/purity.ts";
import { mapStmt } from "../../lang/index.ts";
import type { Stmt } from "../../lang/tree/ast.ts";
import { assign, convert, declare, freshSymbol, ident } from "../../lang/tree/build.ts";
import { after, choice } from "./pointers/expressions.ts";

export function withMiddleOperands(s: Stmt): Stmt {
  let effects: Stmt[] = [];
  return mapStmt(s, {
    expr(e) {
      if (e.kind !== "cond" || e.then || !hasEffects(e.test)) return e;
      const value = freshSymbol("arc_value", e.test.type);
      effects.push(declare(value, undefined, e.span));
      return after(
        assign(ident(value), e.test),
        choice(ident(value), convert(ident(value, e.span), e.type), e.else),
      );
    },
    stmt(child) {
      const statements = [...effects, child];
      effects = [];
      return statements.length === 1 ? child : statements;
    },
  });
}
