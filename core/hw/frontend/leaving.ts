/** Rewrites loop bodies that are followed by code in each iteration, so that they leave only at their end. */
import { leavesEarly, leavingBy, withoutContinue } from "../../ir/analysis/control.ts";
import { INT } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { freshSymbol } from "../../lang/tree/build.ts";
import { Unsupported } from "../dfg/region.ts";
import type { LoopStmt } from "./iterations.ts";

/** Whether `continue` needs an inner loop that runs once; a `break` would then leave only that. */
export function needsInnerLoop(body: Stmt): boolean {
  const plain = withoutContinue(body);
  return plain !== body && plain.kind === "do" && plain.body === body;
}

/** The body; `hasEnded`, 0 before, becomes 1 if the body leaves the loop. */
export function reachingItsEnd({ body, span }: LoopStmt, hasEnded: Symbol): Stmt {
  const early = leavesEarly(body);
  if (early && early.kind !== "break") return body;
  if (!early && !needsInnerLoop(body)) return withoutContinue(body);
  const rewritten = leavingBy(freshSymbol("arc_goes_on", INT), hasEnded, body);
  if (rewritten) return rewritten;
  throw new Unsupported(
    "no-hardware",
    span.start,
    "a 'continue' or 'break' stands in a delay line or a reduction of this loop, which cannot be one pipeline",
    "a step of the hardware has no other way out than its end",
    "guard what follows by a condition instead",
  );
}
