/**
 * What `firstprivate` and `lastprivate` mean for a loop's variables. Which thread has which iterations is open, so
 * every iteration may begin with the value from before the loop; the last one leaves its value behind.
 *
 *     firstprivate(x) lastprivate(y)          loop over i < n
 *     for (i = 0; i < n; i++)           =>      { T x_own = x; U y_own;
 *       BODY                                      BODY with x_own for x, y_own for y
 *                                                 if (!(i + 1 < n)) y = y_own; }
 */

import { canonical, isPointer, LONG } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { assign, binary, cast, declare, exprStmt, ident, ifStmt, unary } from "../../lang/tree/build.ts";
import { usesOf } from "../analysis/access.ts";
import { ownCopies } from "../analysis/own-copies.ts";
import type { Directive, VarRef } from "../directives/directive.ts";
import type { Reading } from "../directives/read-state.ts";
import type { Loop, LoopHeader } from "../model/ir.ts";

export function withCopies(reading: Reading, d: Directive, loop: Loop): Loop {
  const named = (name: string) => d.clauses.filter((c) => c.name === name).flatMap((c) => c.vars);
  const last = named("lastprivate").filter((v) => mayBeLast(reading, v, loop));
  const first = named("firstprivate");
  const changed = first.filter((v) => changes(reading, v, loop.body));
  const { span } = loop.body;
  const { own, body } = ownCopies(
    [...changed, ...last].map((v) => v.sym),
    loop.body,
  );
  if (own.size === 0) return loop;
  const declarations = [...own].map(([from, to]) =>
    declare(to, first.some((v) => v.sym === from) ? ident(from) : undefined),
  );
  const leave = last.map(({ sym }) => exprStmt(assign(ident(sym), ident(own.get(sym) as Symbol))));
  const behind =
    leave.length > 0 ? [ifStmt(isLast(loop.headers), { kind: "compound", body: leave, span })] : [];
  return { ...loop, body: { kind: "compound", body: [...declarations, body, ...behind], span } };
}

function changes(reading: Reading, { sym, written, loc }: VarRef, body: Stmt): boolean {
  const use = usesOf(body).of.get(sym);
  const array = canonical(sym.type).kind === "array";
  if (!use || !(use.written || use.addressTaken || (array && use.elementsWritten))) return false;
  if (array)
    reading.report(
      "firstprivate-array",
      loc,
      `the loop changes the array '${written}', and each thread would need a copy of it`,
      "declare an array inside the loop, and fill it there",
    );
  return !array;
}

function mayBeLast(reading: Reading, { sym, written, loc }: VarRef, loop: Loop): boolean {
  const counter = loop.headers.some((h) => h.var === sym);
  if (!counter && canonical(sym.type).kind !== "array") return true;
  reading.report(
    "lastprivate-variable",
    loc,
    `'${written}' is ${counter ? "the loop's own variable" : "an array"}, which 'lastprivate' does not keep`,
    counter
      ? "compute its last value from the loop's bound"
      : "write the last iteration's values to an array of the region",
  );
  return false;
}

/** No loop of the nest goes on behind this iteration. */
function isLast(headers: readonly LoopHeader[]): Expr {
  return headers
    .map(({ var: sym, relation, bound, step }): Expr => {
      const here = isPointer(sym.type) ? ident(sym) : cast(LONG, ident(sym));
      const next = binary("+", here, step);
      return relation === "!=" ? binary("==", next, bound) : unary("!", binary(relation, next, bound));
    })
    .reduce((all, one) => binary("&&", all, one));
}
