/**
 * Tells the vendor's compiler about arrays that a pipelined loop writes and whose elements its iterations provably do
 * not share, or share only at a distance. Without that it must assume that unknown subscripts may be equal.
 *
 *     for (i...) y[p + i] += x[i];   =>   the same loop, apart(y)
 *     for (i...) y[i] += y[i - 4];   =>   the same loop, apart(y: 4)
 */
import { type Sharing, sharedMemory } from "../../ir/dependence/dependence.ts";
import type { Apart, Loop, LoopHints, Task } from "../../ir/model/ir.ts";
import { spmdOf } from "../../ir/model/region.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import { distinct } from "./rewrite/aliasing.ts";
import type { Pass, PassInput, PassResult, Remark } from "./rewrite/pass.ts";
import { isSingle, loopStmt, mapLoops, withBody } from "./rewrite/region.ts";

export const independence: Pass = {
  name: "independence",
  description: "arrays in which iterations of a pipelined loop do not meet",
  axes: [],
  run,
};

function run({ task }: PassInput): PassResult {
  if (!isSingle(task)) return { task, remarks: [] };
  const remarks: Remark[] = [];
  const body = mapLoops(spmdOf(task).body, (loop, at) => {
    const found = sharing(loop, task);
    for (const [array, how] of found) remarks.push(remark(array, how, loop));
    return found.length > 0 ? loopStmt(annotated(loop, found), at) : at;
  });
  return { task: remarks.length > 0 ? withBody(task, body) : task, remarks };
}

/** The loop with what is proved about it, for nests made from several loops. */
export function withIndependence(loop: Loop, task: Task): Loop {
  const { apart: _, ...hints } = loop.hints ?? {};
  return annotated({ ...loop, hints }, sharing(loop, task));
}

type Found = readonly (readonly [Symbol, Sharing])[];

/** Only for arrays passed by the region's launch; the region's own arrays have separate memory. */
function sharing(loop: Loop, task: Task): Found {
  const arrays = new Set(task.items.map((i) => i.sym));
  return [...sharedMemory(loop, distinct)].filter(([array]) => arrays.has(array));
}

function annotated(loop: Loop, found: Found): Loop {
  const apart = found.flatMap(([array, how]): Apart[] =>
    "why" in how ? [] : [how.distance === "never" ? { array } : { array, distance: Number(how.distance) }],
  );
  if (apart.length === 0) return loop;
  const hints: LoopHints = { ...loop.hints, apart };
  return { ...loop, hints };
}

function remark({ name }: Symbol, how: Sharing, loop: Loop): Remark {
  const pass = "independence";
  const at = { pass, loc: loop.site.loc };
  if ("why" in how)
    return { pass, loc: how.loc, applied: false, message: `iterations may meet in '${name}': ${how.why}` };
  return how.distance === "never"
    ? { ...at, applied: true, message: `no two iterations meet in '${name}'` }
    : {
        ...at,
        applied: true,
        message: `iterations that meet in '${name}' are at least ${how.distance} apart`,
      };
}
