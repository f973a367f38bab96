/** Neutral elements of reductions. */

import { canonical, INT_BITS, intKind, isSigned, unqualified } from "../../lang/index.ts";
import type { CType, Expr } from "../../lang/tree/ast.ts";
import { cast, floatLit, intLit, unary } from "../../lang/tree/build.ts";
import type { ReductionOp } from "./ir.ts";

export function identity(op: ReductionOp, type: CType): Expr {
  const c = canonical(type);
  const real = c.kind === "float" || c.kind === "complex";
  const number = (n: bigint | number): Expr => cast(type, real ? floatLit(Number(n)) : intLit(n));
  switch (op) {
    case "+":
    case "|":
    case "^":
    case "||":
      return number(0);
    case "*":
    case "&&":
      return number(1);
    case "&":
      return cast(type, unary("~", intLit(0)));
    case "max":
    case "min": {
      if (real) {
        const infinity = floatLit(Infinity, unqualified(c));
        return op === "min" ? infinity : unary("-", infinity);
      }
      const kind = intKind(type) ?? "int";
      const bits = BigInt(INT_BITS[kind]);
      const signed = isSigned(type);
      const highest = signed ? (1n << (bits - 1n)) - 1n : (1n << bits) - 1n;
      // The lowest signed value has no literal, so it is written -max - 1.
      return op === "min"
        ? cast(type, intLit(highest, type))
        : signed
          ? {
              kind: "binary",
              op: "-",
              left: unary("-", intLit(highest, type)),
              right: intLit(1),
              type,
              span: intLit(0).span,
            }
          : number(0);
    }
  }
}
