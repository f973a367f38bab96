/** Subscripts of delay lines: a constant, or a constant and the lane of a step. */

import { evaluateInteger } from "../../core/lang/index.ts";
import type { Expr, Symbol } from "../../core/lang/tree/ast.ts";

/** `constant + lanes * lane`; undefined for anything else. */
export function linearIn(e: Expr, lane: Symbol | undefined): { constant: number; lanes: number } | undefined {
  const value = evaluateInteger(e);
  if (value !== undefined) return { constant: Number(value), lanes: 0 };
  switch (e.kind) {
    case "ident":
      return e.sym === lane ? { constant: 0, lanes: 1 } : undefined;
    case "cast":
      return linearIn(e.arg, lane);
    case "unary": {
      const arg = e.op === "-" ? linearIn(e.arg, lane) : undefined;
      return arg && { constant: -arg.constant, lanes: -arg.lanes };
    }
    case "binary": {
      const [a, b] = [linearIn(e.left, lane), linearIn(e.right, lane)];
      if (!a || !b) return undefined;
      if (e.op === "+") return { constant: a.constant + b.constant, lanes: a.lanes + b.lanes };
      if (e.op === "-") return { constant: a.constant - b.constant, lanes: a.lanes - b.lanes };
      if (e.op === "*" && a.lanes === 0)
        return { constant: a.constant * b.constant, lanes: a.constant * b.lanes };
      if (e.op === "*" && b.lanes === 0)
        return { constant: a.constant * b.constant, lanes: b.constant * a.lanes };
      return undefined;
    }
    default:
      return undefined;
  }
}
