/**
 * Values of constant variables. `const int n = 16; float t[n];` has no constant expression as a size, and yet nobody can
 * change it: the array is one whose size is known, so that kernels of all kinds may have it.
 */
import type { Expr, Symbol } from "./ast.ts";
import { intLit } from "./build.ts";
import { evaluateInteger } from "./constant-evaluation.ts";
import { mapExpr } from "./map.ts";
import { isInteger } from "./types.ts";

/** The value of an integer expression of constants and of variables that are constant. */
export function knownInteger(expr: Expr): bigint | undefined {
  return (
    evaluateInteger(expr) ??
    evaluateInteger(
      mapExpr(expr, {
        expr: (e) =>
          e.kind === "ident" && e.sym.constant !== undefined ? intLit(e.sym.constant, e.type, e.span) : e,
      }),
    )
  );
}

/** What a variable of this type keeps that begins with the expression. */
export function keptConstant({ type }: Pick<Symbol, "type">, init: Expr): bigint | undefined {
  const { quals } = type;
  return quals?.const && !quals.volatile && isInteger(type) ? knownInteger(init) : undefined;
}
