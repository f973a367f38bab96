/**
 * The gang loops of routines. All gangs call a gang routine together, and each runs its part of such a loop: every
 * `gangs`-th iteration.
 *
 *     #pragma acc loop gang                          for (long t = gang; t < n; t += gangs) {
 *     for (int i = 0; i < n; i++) a[i] *= 2;   =>      int i = t; a[i] *= 2;
 *                                                    }
 */
import { mapTuple } from "../../../core/checked/tuples.ts";
import { mapGangLoops } from "../../../core/ir/analysis/loops/gang-loops.ts";
import type { DeviceFunction } from "../../../core/ir/analysis/routines.ts";
import { teamCount, teamNumber } from "../../../core/ir/model/device-routines.ts";
import type { Loop } from "../../../core/ir/model/ir.ts";
import { LONG } from "../../../core/lang/index.ts";
import type { Stmt } from "../../../core/lang/tree/ast.ts";
import { call, cast, compound, declare, freshSymbol, ident } from "../../../core/lang/tree/build.ts";
import { sequentialNest } from "./sequential.ts";
import { tripCount, valueAt } from "./trips.ts";

export const sharedByGangs = ({ def, level }: DeviceFunction): Stmt => mapGangLoops(def.body, level, partOf);

/** The loop over a gang's part of the outermost header. */
function partOf(loop: Loop): Loop {
  const [outer, ...inner] = loop.headers;
  if (!outer) return loop;
  const at = freshSymbol("arc_part", LONG);
  const [gang, gangs] = mapTuple([teamNumber, teamCount], (f) => cast(LONG, call(ident(f), [])));
  const header = {
    ...outer,
    var: at,
    lower: gang,
    relation: "<" as const,
    bound: tripCount(outer),
    step: gangs,
  };
  const value = declare(outer.var, valueAt(outer, ident(at)));
  return {
    ...loop,
    headers: [header],
    body: compound([value, sequentialNest(inner, loop.body)], loop.body.span),
  };
}
