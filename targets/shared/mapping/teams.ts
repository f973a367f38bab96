/**
 * Loops shared by teams: each iteration of an outer loop goes to a team of lanes, which share the loops inside the
 * iteration.
 *
 *     for (i = 0; i < n; i++) {            a team for each i: its lanes
 *       double s = 0;                        every lane has its own s
 *       for (j = 0; j < m; j++)              lanes take every n-th j (n lanes), then combine their sums
 *         s += a[i * m + j] * x[j];
 *       y[i] = s;                            one lane stores
 *       for (j = 0; j < m; j++)              lanes share independent iterations
 *         b[i * m + j] /= s;
 *     }
 *
 * Lanes of a team are adjacent if the inner loop accesses contiguous memory; if the outer loop does, adjacent lanes
 * take different iterations of it.
 */
import { routineCalled } from "../../../core/ir/model/device-routines.ts";
import type { Loop, Spmd } from "../../../core/ir/model/ir.ts";
import { walkStmt } from "../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { compound } from "../../../core/lang/tree/build.ts";
import { escapes, flat } from "../device/control.ts";
import { areFixed } from "./nests.ts";
import { leavesOpen } from "./open-levels.ts";
import { hasPartition } from "./partition.ts";
import { withPositions } from "./positions.ts";
import { withOneDeclaration } from "./scans.ts";
import { trafficOf } from "./strides.ts";
import { ownOf, type Step, sharedLoops, stepsOf } from "./team-steps.ts";

export interface TeamLoop {
  readonly loop: Loop;
  /** The parts of an iteration, in order. */
  readonly steps: readonly Step[];
  /** Pointers that must not point to the same memory. */
  readonly pairs: readonly (readonly [Symbol, Symbol])[];
  /** inner: lanes of a team take neighbouring iterations of the inner loop; outer: neighbouring teams those of the outer. */
  readonly along: "inner" | "outer";
}

/** Lanes along the inner loop must reduce memory traffic to this fraction. */
const WORTH = 0.6;

/** The loop that makes up a region, if teams may and should share it. `isArgument`: a variable from outside. */
export function teamLoop(
  spmd: Spmd,
  given: Loop,
  isArgument: (sym: Symbol) => boolean,
  isBuffer: (sym: Symbol) => boolean,
): TeamLoop | undefined {
  const { stmts, of } = withPositions(given, ownOf(isArgument));
  const loop = withPlainLoops(of.size > 0 ? { ...given, body: compound(stmts, given.body.span) } : given);
  const { headers, reductions } = loop;
  const last = headers.at(-1);
  if (!leavesOpen(spmd, loop) || !last || reductions.length > 0) return undefined;
  if (headers.length > 1 && !areFixed(headers, loop.body)) return undefined;
  if (escapes(loop.body) || hasPartition(loop.body) || asksItsPlace(loop.body)) return undefined;
  const steps = stepsOf(loop, isArgument, isBuffer, of);
  if (!steps) return undefined;
  const shared = sharedLoops(steps);
  const traffic = trafficOf(
    last,
    loop.body,
    shared.map((s) => s.header),
  );
  if (!traffic) return undefined;
  const along = traffic.inner < WORTH * traffic.outer ? "inner" : "outer";
  if (along === "outer") {
    // Otherwise one lane for each iteration does as well.
    const sums = shared.some((s) => s.reductions.length > 0) && !shared.some((s) => s.scan);
    if (traffic.outer >= traffic.inner || headers.length > 1 || !sums) return undefined;
  }
  return { loop, steps, pairs: shared.flatMap((s) => s.scan?.pairs ?? []), along };
}

/** Moves further declarations in loop headers of the body before the loop. */
function withPlainLoops(loop: Loop): Loop {
  const stmts = flat(loop.body).flatMap((s) => {
    const { loop: plain, before } = withOneDeclaration(s);
    return before.length > 0 ? [...before, plain] : [s];
  });
  return stmts.length > flat(loop.body).length ? { ...loop, body: compound(stmts, loop.body.span) } : loop;
}

/** OpenMP's routines return a thread's number, which teams would change. */
export function asksItsPlace(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    expr(e) {
      found ||= routineCalled(e) !== undefined;
    },
  });
  return found;
}
