/** Loop directives: how the iterations of their nest are distributed. */

import { printExpr } from "../../lang/index.ts";
import type { Diagnostic, Expr, Stmt } from "../../lang/tree/ast.ts";
import { compound, declare } from "../../lang/tree/build.ts";
import { countedHeader } from "../analysis/loops/counted.ts";
import { ownCopies } from "../analysis/own-copies.ts";
import { type Clause, clause, type Directive, exprOf } from "../directives/directive.ts";
import { loop as loopOf } from "../directives/loop.ts";
import { ownArrays } from "../directives/own-arrays.ts";
import type { Reading } from "../directives/read-state.ts";
import type { Reductions } from "../directives/reductions.ts";
import { selected } from "../directives/selected.ts";
import type { Level, Loop } from "../model/ir.ts";

export function loop(
  reading: Reading,
  reductionsOf: Reductions,
  d: Directive,
  body: Stmt,
  source: Stmt,
): Loop | Stmt | undefined {
  const asIs = leftInOrder(reading, d, body);
  if (!asIs) return distributed(reading, reductionsOf, d, body, source);
  return reductionsOf.of(d, asIs, source, { inOrder: true }).body;
}

export function distributed(
  reading: Reading,
  reductionsOf: Reductions,
  d: Directive,
  body: Stmt,
  source: Stmt,
): Loop | undefined {
  const tile = selected(reading, d, "tile")?.exprs;
  const depth = { collapse: selected(reading, d, "collapse"), tile: tile?.length };
  return loopOf(reading, reductionsOf, d, body, source, depth, () => parallel(reading, d, tile));
}

/**
 * `loop seq` may stand before any for loop (section 2.9: only others must be counted). The loop stays as it is, with
 * copies of its own of private variables; what it reduces is combined in place.
 */
export function leftInOrder(reading: Reading, d: Directive, body: Stmt): Stmt | undefined {
  const nest = clause(d, "collapse") ?? clause(d, "tile");
  if (body.kind !== "for" || !selected(reading, d, "seq") || nest || !("severity" in countedHeader(body)))
    return undefined;
  const arrays = ownArrays(
    d.clauses.filter((c) => c.name === "private").flatMap((c) => c.vars),
    body,
  );
  if (arrays.privates.length === 0) return arrays.body;
  const copies = ownCopies(arrays.privates, arrays.body);
  return compound([...[...copies.own.values()].map((copy) => declare(copy)), copies.body], body.span);
}

function parallel(reading: Reading, d: Directive, tile: Clause["exprs"] | undefined): Loop["parallel"] {
  const level = (name: Level) => selected(reading, d, name);
  const levels = (["gang", "worker", "vector"] as const).filter(level);
  const size = (name: Level) => exprOf(level(name));
  const [gangs, workers, lanes] = [size("gang"), size("worker"), size("vector")];
  const fixed = level("gang");
  if (fixed?.static !== undefined) reading.diagnostics.push(staticChunks(fixed));
  const seq = selected(reading, d, "seq") !== undefined;
  const inKernels = d.name === "kernels loop" || reading.around.construct === "kernels";
  const isLeftOpen = clause(d, "auto") || (inKernels && !clause(d, "independent") && levels.length === 0);
  return {
    levels,
    independence: seq ? "seq" : isLeftOpen ? "auto" : "independent",
    ...(gangs && { gangs }),
    ...(level("gang")?.modifiers.includes("dim") && { dimension: true as const }),
    ...(workers && { workers }),
    ...(lanes && { lanes }),
    ...(tile && { tile }),
  };
}

/**
 * The launch decides which gang runs which iterations. Only loops that rely on each other's distribution could tell.
 */
function staticChunks({ loc, static: chunk }: Clause): Diagnostic {
  const size = chunk === "*" ? "*" : printExpr(chunk as Expr);
  return {
    severity: "note",
    code: "gang-static",
    loc,
    message: `gang(static:${size}) does not choose the gang of an iteration: arc shares iterations out by the device`,
    remedy:
      "give loops of which one reads what the other wrote in the same iteration compute constructs of their own",
  };
}
