/** Finding clauses of a directive, and those that many directives take: if, async, wait. */
import type { Expr } from "../../lang/ast.ts";
import { type Clause, clause, type Directive } from "../directive.ts";
import type { Async, WaitList } from "../ir.ts";
import type { Reading } from "../reading.ts";

type Queueing = { async?: Async; wait?: WaitList; condition?: Expr };

/** A clause that device_type may vary: the default one, else the one for every device. */
export function selected(reading: Reading, d: Directive, name: string): Clause | undefined {
  const found = d.clauses.filter((c) => c.name === name);
  for (const c of found)
    if (
      c.deviceTypes &&
      !c.deviceTypes.includes("*") &&
      !c.deviceTypes.includes("default") &&
      !reading.diagnostics.some((n) => n.loc === c.loc)
    )
      reading.diagnostics.push({
        severity: "note",
        code: "device-type",
        loc: c.loc,
        message: `'${name}' for device_type(${c.deviceTypes.join(", ")}) is not used: one host program serves every target`,
        remedy: "put sizes into the default clauses, or use a variant axis",
      });
  return (
    found.find((c) => !c.deviceTypes) ??
    found.find((c) => c.deviceTypes?.some((t) => t === "*" || t === "default"))
  );
}

export function asyncClause(reading: Reading, d: Directive): { async?: Async } {
  const found = selected(reading, d, "async");
  return found ? { async: (found.exprs[0] as Expr | undefined) ?? "default" } : {};
}

export function queueing(reading: Reading, d: Directive): Queueing {
  const waits = d.clauses.filter((c) => c.name === "wait");
  const condition = clause(d, "if")?.exprs[0] as Expr | undefined;
  const wait = waits[0] && { queues: waits.flatMap((w) => w.exprs as Expr[]), loc: waits[0].loc };
  return { ...asyncClause(reading, d), ...(wait && { wait }), ...(condition && { condition }) };
}
