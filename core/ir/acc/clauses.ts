/** Clauses that many directives take: if, async, wait. */
import type { Expr } from "../../lang/tree/ast.ts";
import { clause, type Directive, exprOf } from "../directives/directive.ts";
import type { Reading } from "../directives/read-state.ts";
import { selected } from "../directives/selected.ts";
import type { Async, WaitList } from "../model/ir.ts";

type Queueing = { async?: Async; wait?: WaitList; condition?: Expr };

export function asyncClause(reading: Reading, d: Directive): { async?: Async } {
  const found = selected(reading, d, "async");
  return found ? { async: exprOf(found) ?? "default" } : {};
}

export function queueing(reading: Reading, d: Directive): Queueing {
  const waits = d.clauses.filter((c) => c.name === "wait");
  const condition = exprOf(clause(d, "if"));
  const here = waits.filter((w) => !w.device);
  const elsewhere = waits.flatMap(({ device, exprs }) =>
    device ? [{ device, queues: exprs as readonly Expr[] }] : [],
  );
  const wait = waits[0] && {
    queues: here.flatMap((w) => w.exprs as Expr[]),
    loc: waits[0].loc,
    ...(elsewhere.length > 0 && { elsewhere }),
  };
  return { ...asyncClause(reading, d), ...(wait && { wait }), ...(condition && { condition }) };
}
