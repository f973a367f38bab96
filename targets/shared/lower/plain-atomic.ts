/** An atomic access to an object of a single work-item, as an ordinary access. */

import { combine } from "../../../core/ir/model/combine.ts";
import type { Atomic } from "../../../core/ir/model/ir.ts";
import { unqualified } from "../../../core/lang/index.ts";
import type { AssignOp, Expr, Stmt } from "../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
} from "../../../core/lang/tree/build.ts";

export function plainAtomic(n: Atomic): Stmt {
  const access: Stmt[] = n.op === undefined && n.what !== "write" ? [] : [update(n)];
  if (!n.captured) return access[0] ?? { kind: "expr", span: n.target.span };
  const capture = exprStmt(assign(n.captured, n.target));
  if (access.length === 0) return capture;
  return compound(n.captureNew ? [...access, capture] : [capture, ...access]);
}

function update({ target, op = "=", value, expected, reversed }: Atomic): Stmt {
  const operand = value as Expr;
  if (op === "==") return ifStmt(binary("==", target, expected as Expr), exprStmt(assign(target, operand)));
  if (op === "=") return exprStmt(assign(target, operand));
  if (op === "max" || op === "min" || op === "&&" || op === "||") {
    const once = freshSymbol("arc_operand", unqualified(operand.type));
    return compound([declare(once, operand), exprStmt(assign(target, combine(op, target, ident(once))))]);
  }
  if (reversed) return exprStmt(assign(target, binary(op, operand, target)));
  return exprStmt(assign(target, operand, `${op}=` as AssignOp));
}
