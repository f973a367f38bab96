/**
 * Values of constant variables. In `const int n = 16; float t[n];` the size is not a constant expression, but nobody
 * can change it. Treating the array's size as known lets kernels of all kinds have such arrays.
 */
import type { Expr, Symbol } from "./ast.ts";
import { intLit } from "./build.ts";
import { evaluateInteger } from "./constant-evaluation.ts";
import { mapExpr } from "./map.ts";
import { isInteger } from "./types.ts";

/** The value of an integer expression made of constants and constant variables. */
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

/** The constant value of a variable of this type with this initialiser, if nothing can change it. */
export function constantOf({ type }: Pick<Symbol, "type">, init: Expr): bigint | undefined {
  const { quals } = type;
  return quals?.const && !quals.volatile && isInteger(type) ? knownInteger(init) : undefined;
}
