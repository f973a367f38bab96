/** `atomic` and `flush` (OpenMP 5.2, sections 15.8.4 and 15.8.5). */
import type { Stmt } from "../../../lang/tree/ast.ts";
import { compound } from "../../../lang/tree/build.ts";
import { readAtomic } from "../../directives/atomic.ts";
import {
  accessStmt,
  comparisonNode,
  comparisonSteps,
  inSteps,
  isOneAccess,
  readComparison,
} from "../../directives/comparison.ts";
import { type Clause, clause, type Directive, site } from "../../directives/directive.ts";
import type { Reading } from "../../directives/read-state.ts";
import { type Atomic, extStmt, type IrNode, type Sync } from "../../model/ir.ts";
import { node } from "../../model/node-shapes.ts";

/** `allOrdered`: the program's `requires` asks that atomics without a memory order order other memory. */
export function atomic(
  reading: Reading,
  d: Directive,
  body: Stmt,
  source: Stmt,
  allOrdered: boolean,
): IrNode | Stmt | undefined {
  const what = (["read", "write", "capture"] as const).find((w) => clause(d, w)) ?? "update";
  const inOrder = (access: Atomic) => inMemoryOrder(reading, d, access, source, allOrdered);
  if (clause(d, "compare")) return comparison(reading, d, what, body, source, inOrder);
  const read = readAtomic(what, body, site(d, source));
  if (!("severity" in read)) return inOrder(read);
  reading.diagnostics.push(read);
  return undefined;
}

function comparison(
  reading: Reading,
  d: Directive,
  what: Atomic["what"],
  body: Stmt,
  source: Stmt,
  inOrder: (access: Atomic) => IrNode | Stmt | undefined,
): IrNode | Stmt | undefined {
  const found = readComparison(what, body, site(d, source));
  if ("severity" in found) {
    reading.diagnostics.push(found);
    return undefined;
  }
  if (isOneAccess(found)) return inOrder(comparisonNode(found, site(d, source)));
  if (reading.around.omp?.routine) {
    reading.report(
      "unsupported-clause",
      d.loc,
      "an atomic of a function that regions call does not say whether it exchanged the value",
      "write the atomic into the region",
    );
    return undefined;
  }
  const { access, ...rest } = comparisonSteps(found, site(d, source));
  const ordered = inOrder(access);
  return ordered && inSteps(rest, "shape" in ordered ? accessStmt(ordered as Atomic, source) : ordered);
}

const ordering = ["seq_cst", "acq_rel", "acquire", "release"];

/** The atomic, after earlier writes and before later reads of other memory if its clauses or the program ask for that. */
function inMemoryOrder(
  reading: Reading,
  d: Directive,
  access: Atomic,
  source: Stmt,
  allOrdered: boolean,
): IrNode | Stmt | undefined {
  const order = d.clauses.find(
    (c: Clause) => ordering.includes(c.name) || (c.name === "fail" && c.names[0] !== "relaxed"),
  );
  if (!order && !(allOrdered && !clause(d, "relaxed"))) return access;
  if (!reading.around.omp?.routine)
    return compound([fence(d, source), extStmt(access, source.span), fence(d, source)], source.span);
  reading.report(
    "unsupported-clause",
    order?.loc ?? d.loc,
    "an atomic of a function that regions call does not order other memory",
    "write the atomic into the region",
  );
  return undefined;
}

/** Regions end with a flush anyway. */
export function flush(reading: Reading, d: Directive): IrNode | undefined {
  if (!reading.around.omp?.routine) return flushNode(d);
  reading.report(
    "flush-in-function",
    d.loc,
    "'flush' stands in a function that regions call",
    "write it into the region, around the call",
  );
  return undefined;
}

/** A flush as a statement. */
export const fence = (d: Directive, at: Stmt): Stmt => extStmt(flushNode(d), at.span);

const flushNode = (d: Directive): Sync =>
  node<Sync>({ kind: "sync", name: "flush", site: site(d), queues: [] });
