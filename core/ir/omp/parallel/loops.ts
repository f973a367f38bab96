/**
 * Maps loops of OpenMP constructs to OpenACC's levels: a team is a gang; its threads are vector lanes, or workers if a
 * `simd` loop inside them uses the lanes.
 */

import type { Expr, Stmt } from "../../../lang/tree/ast.ts";
import { clause, type Directive } from "../../directives/directive.ts";
import { loop as loopOf } from "../../directives/loop.ts";
import type { OmpAround, Reading } from "../../directives/read-state.ts";
import type { Reductions } from "../../directives/reductions.ts";
import type { Level, Loop } from "../../model/ir.ts";
import { findNode } from "../../model/nodes.ts";
import { ruleOf } from "../directive/parse.ts";
import { withCopies } from "./copies.ts";

export interface LoopShape {
  readonly levels: readonly Level[];
  /**
   * seq: one thread runs the loop. auto: `simd` permits only lock-step execution, in which iterations may read what
   * later ones write.
   */
  readonly independence: "independent" | "auto" | "seq";
  /** Teams and their threads share it as one loop, with no required distribution. */
  readonly free?: true;
}

/** Whether a loop in the statement uses the level. */
export const hasLoopOver = (s: Stmt, level: Level): boolean =>
  findNode(s, "loop", (loop) => loop.parallel.levels.includes(level)) !== undefined;

export function shapeOf(d: Directive, body: Stmt, around: OmpAround): LoopShape {
  const { leaves } = ruleOf(d);
  const has = (leaf: (typeof leaves)[number]) => leaves.includes(leaf);
  const inOrder: LoopShape = { levels: [], independence: "seq" };
  if (around.routine) return inOrder;
  const gang: Level[] = has("distribute") ? ["gang"] : [];
  const threads: Level = hasLoopOver(body, "vector") ? "worker" : "vector";
  if (has("loop")) return ofLoop(d, around, threads);
  if (has("for")) {
    // Inside a thread, a nested team has only that thread; so has a loop without a `parallel` around it.
    const alone = has("parallel") ? around.threads === true : !around.threads;
    const combined = has("distribute") && threads === "vector";
    return alone
      ? inOrder
      : {
          levels: [...gang, threads],
          independence: "independent",
          ...(combined && { free: true as const }),
        };
  }
  if (has("simd") && !has("distribute")) return { levels: ["vector"], independence: "auto" };
  if (!has("simd")) return { levels: gang, independence: "independent" };
  return { levels: [...gang, "vector"], independence: "independent", free: true };
}

/** `loop` leaves everything that `bind` does not decide to the compiler. */
function ofLoop(d: Directive, around: OmpAround, threads: Level): LoopShape {
  const independence = "independent";
  const bind = clause(d, "bind")?.names[0];
  if (ruleOf(d).leaves.includes("parallel") || (bind === "parallel" && around.threads))
    return around.shared ? { levels: [], independence } : { levels: [threads], independence };
  // Every thread that comes here runs all of the iterations: none may be left to other threads.
  if (bind === "thread" && around.threads && !around.shared) return { levels: [], independence: "seq" };
  if (bind === "teams" && ruleOf(d).leaves.length === 1) return { levels: ["gang"], independence };
  return { levels: [], independence };
}

/** `size`: the number of threads, if the clause is on the loop and not on its region. */
export function loop(
  reading: Reading,
  reductions: Reductions,
  d: Directive,
  body: Stmt,
  source: Stmt,
  { levels, independence, free }: LoopShape,
  size?: Expr,
): Loop | undefined {
  const sizeOf = (level: Level) => levels.includes(level) && size;
  const workers = sizeOf("worker");
  const lanes = !workers && sizeOf("vector");
  const parallel = {
    levels,
    independence,
    ...(free && { free }),
    ...(workers && { workers }),
    ...(lanes && { lanes }),
  };
  const depth = { collapse: clause(d, "collapse") };
  const result = loopOf(reading, reductions, d, body, source, depth, () => parallel);
  return result && withCopies(d, result);
}
