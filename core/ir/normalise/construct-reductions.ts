/**
 * Reductions of a compute construct that its loops do not repeat. Each gang combines into its own copy, and lanes that
 * share a loop need copies as well, which only a reduction of the loop gives them:
 *
 *     parallel reduction(+:s)                  parallel reduction(+:s)
 *       loop                           =>        loop reduction(+:s)
 *         s += a[i];                               s += a[i];
 */

import { mapChildren } from "../../lang/index.ts";
import type { Diagnostic, Stmt } from "../../lang/tree/ast.ts";
import { usesOf } from "../analysis/access.ts";
import { statedReductionUse } from "../analysis/reductions.ts";
import { asNode, type Loop, type Reduction, type Spmd } from "../model/ir.ts";

export function repeatedInLoops({ body, reductions }: Spmd): {
  readonly body: Stmt;
  readonly remarks: readonly Diagnostic[];
} {
  const remarks: Diagnostic[] = [];
  const visit = (s: Stmt, open: readonly Reduction[]): Stmt => {
    const loop = asNode(s, "loop");
    if (!loop || s.kind !== "ext")
      return open.length === 0 ? s : mapChildren(s, (child) => visit(child, open));
    // The variable is the loop's own further in, or the loop's clause already says how it is combined.
    const { declared } = usesOf(loop.body);
    const hidden = [...declared, ...loop.privates, ...loop.headers.map((h) => h.var)];
    const left = open.filter(({ sym }) => !hidden.includes(sym));
    const silent = left.filter(({ sym }) => !loop.reductions.some((r) => r.sym === sym));
    const unsaid = silent.filter(({ sym, op }) => statedReductionUse(loop.body, sym, op).op === op);
    const misused = loop.parallel.independence === "seq" ? [] : silent.flatMap((r) => readMeanwhile(loop, r));
    remarks.push(...misused.map(({ remark }) => remark));
    const inOrder = loop.parallel.independence !== "independent" || unsaid.length === 0;
    const ext: Loop = {
      ...loop,
      reductions: inOrder ? loop.reductions : [...loop.reductions, ...unsaid],
      body: visit(
        loop.body,
        left.filter((r) => !misused.some(({ reduction }) => reduction === r)),
      ),
    };
    if (!inOrder) remarks.push(...unsaid.map((r) => repeated(loop, r)));
    return { ...s, ext };
  };
  return { body: visit(body, reductions), remarks };
}

/** Iterations that do more with the variable than to combine it: what they read depends on how they are shared out. */
function readMeanwhile(
  loop: Loop,
  reduction: Reduction,
): readonly { readonly reduction: Reduction; readonly remark: Diagnostic }[] {
  const { sym, op, loc } = reduction;
  const { other } = statedReductionUse(loop.body, sym, op);
  if (!other) return [];
  const at = other.span.start;
  const remark: Diagnostic = {
    severity: "warning",
    code: "reduction-used-otherwise",
    loc: at.line > 0 ? at : loop.site.loc,
    message: `'${sym.name}' is used here in another way than combining it by '${op}'`,
    why: "each gang has a copy, which holds a partial result that depends on how iterations are shared out",
    remedy: "use it behind the construct",
    notes: [{ message: "the construct's reduction is here", loc }],
  };
  return [{ reduction, remark }];
}

const repeated = ({ site }: Loop, { op, sym, loc }: Reduction): Diagnostic => ({
  severity: "note",
  code: "reduced-by-loop",
  loc: site.loc,
  message: `this loop reduces '${sym.name}': its iterations combine it by the operator of the construct's clause`,
  why: "OpenACC 3.3, 2.9.11: lanes that share a loop have copies of a variable only by a reduction of the loop",
  remedy: `say reduction(${op}:${sym.name}) here`,
  notes: [{ message: "the construct's reduction is here", loc }],
});
