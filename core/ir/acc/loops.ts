/** Loop directives: how the iterations of their nest are distributed. */

import { printExpr } from "../../lang/index.ts";
import type { Diagnostic, Expr, Stmt } from "../../lang/tree/ast.ts";
import { countedHeader } from "../analysis/counted.ts";
import { type Clause, clause, type Directive } from "../directives/directive.ts";
import { loop as loopOf } from "../directives/loop.ts";
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
): Loop | undefined {
  const tile = selected(reading, d, "tile")?.exprs;
  if (isLeftInOrder(reading, d, body)) return undefined;
  const depth = { collapse: selected(reading, d, "collapse"), tile: tile?.length };
  return loopOf(reading, reductionsOf, d, body, source, depth, () => parallel(reading, d, tile));
}

/**
 * `loop seq` may stand before any for loop (section 2.9: only others must be counted), which then says nothing that the
 * loop does not.
 */
export function isLeftInOrder(reading: Reading, d: Directive, body: Stmt): boolean {
  const more = d.clauses.some(({ name }) => ["private", "reduction", "collapse", "tile"].includes(name));
  return (
    body.kind === "for" &&
    selected(reading, d, "seq") !== undefined &&
    !more &&
    "severity" in countedHeader(body)
  );
}

function parallel(reading: Reading, d: Directive, tile: Clause["exprs"] | undefined): Loop["parallel"] {
  const level = (name: Level) => selected(reading, d, name);
  const levels = (["gang", "worker", "vector"] as const).filter(level);
  const size = (name: Level) => level(name)?.exprs[0] as Expr | undefined;
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
    ...(tile && { tile: tile as (Expr | "*")[] }),
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
