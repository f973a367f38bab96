/**
 * Stencils without a directive: a loop of a single work-item that reads arrays at several constant distances gets
 * windows over them if the variant asks for that, and remarks otherwise.
 *
 *     for (...) out[x] = in[x - 1] + in[x + 1];   =>   the same loop, window(in, out)
 */
import { usesOf } from "../../ir/analysis/access.ts";
import { isRefusal, neighbourhood } from "../../ir/analysis/loops/neighbourhood.ts";
import { asNode, type Loop, type Task } from "../../ir/model/ir.ts";
import { spmdOf } from "../../ir/model/region.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stencilAxis } from "./axes.ts";
import type { Pass, PassInput, PassResult, Remark } from "./rewrite/pass.ts";
import { isSingle, loopStmt, loopsIn, mapLoops, withBody } from "./rewrite/region.ts";
import { windowProblem } from "./window.ts";

export const stencil: Pass = {
  name: "stencil",
  description: "windows over arrays that are read at several distances",
  axes: [stencilAxis],
  run,
};

function run({ task, choice }: PassInput): PassResult {
  if (!isSingle(task)) return { task, remarks: [] };
  const requested = choice.stencil === true;
  const remarks: Remark[] = [];
  const body = mapLoops(spmdOf(task).body, (loop, at) => {
    if (loopsIn(loop.body).length > 0) return at;
    const { loc } = loop.site;
    const outputs = [...usesOf(loop.body).of].flatMap(([sym, use]) => (use.elementsWritten ? [sym] : []));
    return candidates(task, loop).reduce<Stmt>((rewritten, { input, distances }) => {
      const read = `'${input.name}' is read at ${distances} distances`;
      const hints = (asNode(rewritten, "loop") as Loop).hints ?? {};
      const windows = [...(hints.windows ?? []), { input, outputs, loc }];
      const hinted: Loop = { ...loop, hints: { ...hints, windows } };
      const problem = requested ? windowProblem(task, hinted, at) : undefined;
      const message = !requested
        ? `${read}: a window would load each element once (stencil: true, or #pragma openarc transform window)`
        : problem === undefined
          ? `${read}: it gets a window`
          : `${read}, but gets no window: ${problem}`;
      const applied = requested && problem === undefined;
      remarks.push({ pass: "stencil", applied, message, loc });
      return applied ? loopStmt(hinted, at) : rewritten;
    }, at);
  });
  return { task: remarks.some((r) => r.applied) ? withBody(task, body) : task, remarks };
}

interface Candidate {
  readonly input: Symbol;
  readonly distances: number;
}

/** Arrays that are read at two or more distances and have no window yet, those with the most distances first. */
function candidates(task: Task, loop: Loop): readonly Candidate[] {
  const have = new Set(loop.hints?.windows?.map((w) => w.input));
  return task.items
    .flatMap(({ sym }): Candidate[] => {
      const n = have.has(sym) ? undefined : neighbourhood(loop, sym);
      if (!n || isRefusal(n)) return [];
      const reads = n.accesses.filter((a) => a.read);
      const distances = new Set(reads.flatMap(({ range }) => [range.min, range.max])).size;
      return distances > 1 ? [{ input: sym, distances }] : [];
    })
    .sort((a, b) => b.distances - a.distances);
}
