/**
 * What a loop's variable has behind the loop in C, for loops whose iterations count in variables of their own.
 *
 *     for (i = a; i < n; i += 3)   =>   i = a < n ? a + (n - a + 2) / 3 * 3 : a;
 */
import { isInteger, LONG, walkExpr } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { assign, binary, cast, cond, exprStmt, ident, ifStmt, intLit } from "../../lang/tree/build.ts";
import type { Loop, LoopHeader } from "../model/ir.ts";
import { usesOf } from "./access.ts";

/** Undefined: it cannot be computed behind the loop. */
export function lastValue(loop: Loop, sym: Symbol): Stmt | undefined {
  const at = loop.headers.findIndex((h) => h.var === sym);
  const header = loop.headers[at];
  if (!header || !isInteger(sym.type)) return undefined;
  const outer = loop.headers.slice(0, at);
  const changing = new Set([...loop.headers.map((h) => h.var), ...changedIn(loop.body)]);
  if (![...outer, header].every((h) => [h.lower, h.bound, h.step].every((e) => isSteady(e, changing))))
    return undefined;
  const set = exprStmt(assign(ident(sym), valueBehind(header)));
  return outer.reduceRight<Stmt>((inner, h) => ifStmt(binary(h.relation, h.lower, h.bound), inner), set);
}

function valueBehind(header: LoopHeader): Expr {
  const { lower, relation, bound, step } = header;
  if (relation === "!=") return bound;
  const reached = binary("+", wide(lower), binary("*", tripCount(header), wide(step)));
  return cond(binary(relation, lower, bound), reached, wide(lower));
}

const wide = (e: Expr): Expr => cast(LONG, e);

/** In 64 bits; below 1 if there are no iterations. */
export function tripCount({ lower, relation, bound, step }: LoopHeader): Expr {
  const span = binary("-", wide(bound), wide(lower));
  const by = wide(step);
  const open = relation === "<" || relation === ">";
  if (relation === "!=") return binary("/", span, by);
  const up = relation === "<" || relation === "<=";
  const more = open ? binary("-", by, intLit(up ? 1 : -1, LONG)) : by;
  return binary("/", binary("+", span, more), by);
}

function changedIn(body: Stmt): readonly Symbol[] {
  return [...usesOf(body).of].filter(([, use]) => use.written || use.addressTaken).map(([sym]) => sym);
}

/** Whether it has the same value before and behind the loop: of variables that the loop does not change. */
function isSteady(e: Expr, changing: ReadonlySet<Symbol>): boolean {
  let steady = true;
  walkExpr(e, {
    expr: (part) => {
      steady &&= ["ident", "int", "binary", "cast", "unary", "sizeof"].includes(part.kind);
      if (part.kind === "unary") steady &&= part.op !== "*";
      if (part.kind === "ident") steady &&= !changing.has(part.sym);
      return steady;
    },
  });
  return steady;
}
