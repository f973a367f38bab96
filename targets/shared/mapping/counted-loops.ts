/** Loops inside an iteration whose levels the user left open. */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { countedHeader } from "../../../core/ir/analysis/loops/counted.ts";
import { asNode, type Loop, type LoopHeader } from "../../../core/ir/model/ir.ts";
import { node } from "../../../core/ir/model/node-shapes.ts";
import { evaluateInteger } from "../../../core/lang/index.ts";
import type { Stmt } from "../../../core/lang/tree/ast.ts";
import { compound } from "../../../core/lang/tree/build.ts";
import { flat } from "../device/control.ts";

/** A plain counted loop, or a directive's loop with open levels; loops that the user wants in order stay so. */
export function countedLoop(s: Stmt): Loop | undefined {
  const loop = asNode(s, "loop");
  if (loop) return loop.parallel.free ? loop : undefined;
  if (s.kind !== "for" || s.pragmas?.length) return undefined;
  const header = countedHeader(s);
  if ("severity" in header || !boundsStay(header, s.body)) return undefined;
  return node<Loop>({
    kind: "loop",
    headers: [header],
    parallel: { levels: [], independence: "auto" },
    privates: [],
    reductions: [],
    body: compound(flat(s.body), s.body.span),
    site: { loc: s.span.start, what: "loop", stmt: s },
  });
}

/** The loop that is all of a body. */
export function soleLoop(body: Stmt): Loop | undefined {
  const [only, ...more] = flat(body);
  return only && more.length === 0 ? countedLoop(only) : undefined;
}

/** The number of iterations between constant bounds, for a step of one; other steps have fewer. */
export function tripsKnown({ lower, bound }: LoopHeader): number | undefined {
  const [from, to] = [evaluateInteger(lower), evaluateInteger(bound)];
  return from === undefined || to === undefined ? undefined : Number(to > from ? to - from : from - to);
}

/** The body must not change the loop's variable or anything in its bounds. */
function boundsStay({ var: counter, lower, bound, step }: LoopHeader, body: Stmt): boolean {
  const fixed = usesOf(lower, bound, step).of;
  const changed = usesOf(body).of;
  return ![...fixed.keys(), counter].some((sym) => {
    const use = changed.get(sym);
    return use?.written || use?.addressTaken || use?.elementsWritten;
  });
}
