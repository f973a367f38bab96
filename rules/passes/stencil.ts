/**
 * Stencils that no directive names: a loop of a single work-item that reads an array at several constant distances
 * gets a window over it where the variant asks for that, and a remark where it does not.
 *
 *     for (...) out[x] = in[x - 1] + in[x + 1];   =>   the same loop, window(in, out)
 */
import { usesOf } from "../../core/ir/access.ts";
import type { Loop, Task } from "../../core/ir/ir.ts";
import { isRefusal, neighbourhood } from "../../core/ir/neighbourhood.ts";
import { spmdOf } from "../../core/ir/region.ts";
import type { Symbol } from "../../core/lang/ast.ts";
import { stencilAxis } from "./axes.ts";
import type { Pass, PassInput, PassResult, Remark } from "./pass.ts";
import { isSingle, loopStmt, loopsIn, mapLoops, withBody } from "./region.ts";
import { windowProblem } from "./window.ts";

export const stencil: Pass = {
  name: "stencil",
  description: "windows over arrays that are read at several distances",
  axes: [stencilAxis],
  run,
};

function run({ task, choice }: PassInput): PassResult {
  if (!isSingle(task)) return { task, remarks: [] };
  const wanted = choice.stencil === true;
  const remarks: Remark[] = [];
  const body = mapLoops(spmdOf(task).body, (loop, at) => {
    if (loop.hints?.window || loopsIn(loop.body).length > 0) return at;
    const found = candidate(task, loop);
    if (!found) return at;
    const { input, distances } = found;
    const { loc } = loop.site;
    const read = `'${input.name}' is read at ${distances} distances`;
    const outputs = [...usesOf(loop.body).of].flatMap(([sym, use]) => (use.elementsWritten ? [sym] : []));
    const hinted: Loop = { ...loop, hints: { ...loop.hints, window: { input, outputs, loc } } };
    const problem = wanted ? windowProblem(task, hinted, at) : undefined;
    const message = !wanted
      ? `${read}: a window would load each element once (stencil: true, or #pragma openarc transform window)`
      : problem === undefined
        ? `${read}: it gets a window`
        : `${read}, but gets no window: ${problem}`;
    const applied = wanted && problem === undefined;
    remarks.push({ pass: "stencil", applied, message, loc });
    return applied ? loopStmt(hinted, at) : at;
  });
  return { task: remarks.some((r) => r.applied) ? withBody(task, body) : task, remarks };
}

/** The array that is read at the most distances, two at least. */
function candidate(
  task: Task,
  loop: Loop,
): { readonly input: Symbol; readonly distances: number } | undefined {
  let best: { input: Symbol; distances: number } | undefined;
  for (const { sym } of task.items) {
    const n = neighbourhood(loop, sym);
    if (isRefusal(n)) continue;
    const reads = n.accesses.filter((a) => a.read);
    const places = new Set(reads.flatMap(({ range }) => [range.min, range.max]));
    if (places.size > 1 && places.size > (best?.distances ?? 0))
      best = { input: sym, distances: places.size };
  }
  return best;
}
