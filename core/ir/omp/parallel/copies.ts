/**
 * `firstprivate` and `lastprivate` of loops. The distribution of iterations over threads is open, so every iteration
 * may start with the value from before the loop; the last one stores its value.
 *
 *     firstprivate(x) lastprivate(y)          loop over i < n
 *     for (i = 0; i < n; i++)           =>      { T x_own = x; U y_own;
 *       BODY                                      BODY with x_own for x, y_own for y
 *                                                 if (!(i + 1 < n)) y = y_own; }
 */

import { entryOf } from "../../../checked/access.ts";
import { canonical, isPointer, LONG, substitute } from "../../../lang/index.ts";
import type { Expr, Stmt } from "../../../lang/tree/ast.ts";
import {
  assign,
  binary,
  cast,
  compound,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  unary,
} from "../../../lang/tree/build.ts";
import { usesOf } from "../../analysis/access.ts";
import { ownCopies } from "../../analysis/own-copies.ts";
import { unusedName } from "../../analysis/unused-name.ts";
import { begun, copyTo } from "../../directives/copied.ts";
import type { Directive, VarRef } from "../../directives/directive.ts";
import { asNode, extStmt, type Loop, type LoopHeader } from "../../model/ir.ts";

export function withCopies(d: Directive, loop: Loop): Loop {
  const named = (name: string) => d.clauses.filter((c) => c.name === name).flatMap((c) => c.vars);
  const lasting = named("lastprivate");
  const counters = loop.headers.filter((h) => lasting.some((v) => v.sym === h.var));
  const last = lasting.filter((v) => !counters.some((h) => h.var === v.sym));
  const first = named("firstprivate");
  const changed = first.filter((v) => changes(v, loop.body));
  const { span } = loop.body;
  if (counters.length > 0) return withCopies(d, keepingCounters(loop, counters));
  const { own, body } = ownCopies(
    [...changed, ...last].map((v) => v.sym),
    loop.body,
  );
  if (own.size === 0) return loop;
  const declarations = [...own].flatMap(([from, to]) =>
    begun(to, first.some((v) => v.sym === from) ? from : undefined),
  );
  const leave = last.map(({ sym }) => copyTo(sym, entryOf(own, sym)));
  return { ...loop, body: compound([...declarations, body, ...behind(loop, leave)], span) };
}

/** The loop counts with private variables, and its last iteration stores the value that the counter would have in C. */
function keepingCounters(loop: Loop, counters: readonly LoopHeader[]): Loop {
  const all = extStmt(loop, loop.body.span);
  const own = new Map(
    counters.map((h) => [h.var, freshSymbol(unusedName(`${h.var.name}_own`, all), h.var.type)] as const),
  );
  const renamed = asNode(substitute(all, new Map([...own].map(([from, to]) => [from, ident(to)]))), "loop");
  if (!renamed) return loop;
  const leave = counters.map(({ var: sym, step }) =>
    exprStmt(assign(ident(sym), binary("+", ident(entryOf(own, sym)), step))),
  );
  return { ...renamed, body: compound([renamed.body, ...behind(renamed, leave)], loop.body.span) };
}

const behind = (loop: Loop, leave: readonly Stmt[]): readonly Stmt[] =>
  leave.length > 0 ? [ifStmt(isLast(loop.headers), compound(leave, loop.body.span))] : [];

function changes({ sym }: VarRef, body: Stmt): boolean {
  const use = usesOf(body).of.get(sym);
  const array = canonical(sym.type).kind === "array";
  return use !== undefined && (use.written || use.addressTaken || (array && use.elementsWritten));
}

/** Whether this iteration is the last in every loop of the nest. */
function isLast(headers: readonly LoopHeader[]): Expr {
  return headers
    .map(({ var: sym, relation, bound, step }): Expr => {
      const here = isPointer(sym.type) ? ident(sym) : cast(LONG, ident(sym));
      const next = binary("+", here, step);
      return relation === "!=" ? binary("==", next, bound) : unary("!", binary(relation, next, bound));
    })
    .reduce((all, one) => binary("&&", all, one));
}
