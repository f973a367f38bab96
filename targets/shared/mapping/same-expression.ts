/** Expressions compared by their text and their variables: different variables may have one name. */
import { printExpr, walkExpr } from "../../../core/lang/index.ts";
import type { Expr } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";

export function keyOf(e: Expr): string {
  const ids: number[] = [];
  walkExpr(e, {
    expr(x) {
      if (x.kind === "ident") ids.push(x.sym.id);
    },
  });
  return [printExpr(e), ...ids].join(" ");
}

/** Conversions that C inserts around the whole expression do not count. */
export function same(a: Expr, b: Expr): boolean {
  const [x, y] = [stripImplicit(a), stripImplicit(b)];
  return x.kind === y.kind && keyOf(x) === keyOf(y);
}
