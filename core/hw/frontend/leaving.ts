/** Bodies of loops after which something follows in each iteration: they have no other way out than their end. */
import { leavesEarly, leavingBy, withoutContinue } from "../../ir/analysis/control.ts";
import { INT } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { freshSymbol } from "../../lang/tree/build.ts";
import { Unsupported } from "../dfg/region.ts";
import type { LoopStmt } from "./iterations.ts";

/** The `continue` of the loop is that of a loop inside, which runs once: so would its `break` be. */
export function needsInnerLoop(body: Stmt): boolean {
  const plain = withoutContinue(body);
  return plain !== body && plain.kind === "do" && plain.body === body;
}

/** The body; `ended`, 0 before it, is 1 where it has left the loop. */
export function reachingItsEnd({ body, span }: LoopStmt, ended: Symbol): Stmt {
  const early = leavesEarly(body);
  if (early && early.kind !== "break") return body;
  if (!early && !needsInnerLoop(body)) return withoutContinue(body);
  const made = leavingBy(freshSymbol("arc_goes_on", INT), ended, body);
  if (made) return made;
  throw new Unsupported(
    "no-hardware",
    span.start,
    "a 'continue' or 'break' stands in a delay line or a reduction of this loop, which cannot be one pipeline",
    "a step of the hardware has no other way out than its end",
    "guard what follows by a condition instead",
  );
}
