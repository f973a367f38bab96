/** Parallel loops so short that one group runs them in less time than a launch of their own takes. */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { hasLoop } from "../../../core/ir/analysis/control.ts";
import { isBuiltin } from "../../../core/ir/analysis/routines.ts";
import { asNode } from "../../../core/ir/model/ir.ts";
import { hasNode } from "../../../core/ir/model/nodes.ts";
import { canonical } from "../../../core/lang/index.ts";
import type { Stmt } from "../../../core/lang/tree/ast.ts";
import { tripsKnown } from "./counted-loops.ts";

/** Iterations that a group of the usual size has under way at once: 256 items, each with four. */
const MOST = 1024;

/**
 * A loop of a constant number of iterations, without loops inside. Floating-point sums are left to all groups, since
 * one group would round them otherwise.
 */
export function isShort(s: Stmt): boolean {
  const loop = asNode(s, "loop");
  if (!loop || hasLoop(loop.body) || hasNode(loop.body, "threads")) return false;
  const { levels } = loop.parallel;
  if (!levels.includes("vector") && !levels.includes("worker")) return false;
  const trips = loop.headers.reduce((n, h) => n * (tripsKnown(h) ?? Number.NaN), 1);
  const { calls, indirectCall } = usesOf(loop.body);
  return (
    trips <= MOST &&
    loop.reductions.every(({ sym }) => canonical(sym.type).kind === "int") &&
    !indirectCall &&
    [...calls.keys()].every(isBuiltin)
  );
}
