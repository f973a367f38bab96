/**
 * Reductions that loops inside do not repeat: those of a compute construct, and those of the loops around. Each gang
 * combines into its own copy, and lanes that share a loop need copies as well, which only a reduction of that loop gives
 * them:
 *
 *     parallel reduction(+:s)                  parallel reduction(+:s)
 *       loop                           =>        loop reduction(+:s)
 *         s += a[i];                               s += a[i];
 *
 *     loop gang reduction(+:s)                 loop gang reduction(+:s)
 *       loop vector                    =>        loop vector reduction(+:s)
 *         s += a[i][j];                            s += a[i][j];
 */

import { mapChildren } from "../../../lang/index.ts";
import type { Diagnostic, Stmt } from "../../../lang/tree/ast.ts";
import { usesOf } from "../../analysis/access.ts";
import { statedReductionUse } from "../../analysis/reductions.ts";
import { asNode, isOpenMp, type Loop, type Reduction, type Spmd } from "../../model/ir.ts";

/** A reduction, and what has its clause. */
interface Open {
  readonly reduction: Reduction;
  readonly by: "construct" | "loop";
}

export function repeatedInLoops({ body, reductions }: Spmd): {
  readonly body: Stmt;
  readonly remarks: readonly Diagnostic[];
} {
  const remarks: Diagnostic[] = [];
  const visit = (s: Stmt, open: readonly Open[]): Stmt => {
    const loop = asNode(s, "loop");
    if (!loop || s.kind !== "ext") return mapChildren(s, (child) => visit(child, open));
    // The variable is the loop's own further in, or the loop's clause already says how it is combined.
    const { declared } = usesOf(loop.body);
    const hidden = [...declared, ...loop.privates, ...loop.headers.map((h) => h.var)];
    const left = open.filter(({ reduction: { sym } }) => !hidden.includes(sym));
    const silent = left.filter(({ reduction: { sym } }) => !loop.reductions.some((r) => r.sym === sym));
    const unsaid = silent.filter(
      ({ reduction: { sym, op } }) => statedReductionUse(loop.body, sym, op).op === op,
    );
    const misused =
      loop.parallel.independence === "seq" ? [] : silent.flatMap((open) => readMeanwhile(loop, open));
    remarks.push(...misused.map(({ remark }) => remark));
    const inOrder = loop.parallel.independence !== "independent" || unsaid.length === 0;
    const own = inOrder ? loop.reductions : [...loop.reductions, ...unsaid.map((o) => o.reduction)];
    const within = [
      ...left.filter((o) => !misused.some(({ open }) => open === o)),
      ...own.flatMap((reduction): readonly Open[] =>
        left.some((o) => o.reduction.sym === reduction.sym) ? [] : [{ reduction, by: "loop" }],
      ),
    ];
    const ext: Loop = { ...loop, reductions: own, body: visit(loop.body, within) };
    if (!inOrder) remarks.push(...unsaid.map((o) => repeated(loop, o)));
    return { ...s, ext };
  };
  const open = reductions.map((reduction): Open => ({ reduction, by: "construct" }));
  return { body: visit(body, open), remarks };
}

/** Iterations that do more with the variable than to combine it: what they read depends on how they are shared out. */
function readMeanwhile(
  loop: Loop,
  open: Open,
): readonly { readonly open: Open; readonly remark: Diagnostic }[] {
  const { sym, op, loc } = open.reduction;
  const { other } = statedReductionUse(loop.body, sym, op);
  if (!other) return [];
  const at = other.span.start;
  const copies =
    open.by === "construct"
      ? "each gang has a copy, which holds a partial result that depends"
      : "those that share the loop around have copies, whose partial results depend";
  const remark: Diagnostic = {
    severity: "warning",
    code: "reduction-used-otherwise",
    loc: at.line > 0 ? at : loop.site.loc,
    message: `'${sym.name}' is used here in another way than combining it by '${op}'`,
    why: `${copies} on how iterations are shared out`,
    remedy: open.by === "construct" ? "use it behind the construct" : "use it behind that loop",
    notes: [{ message: whose(open), loc }],
  };
  return [{ open, remark }];
}

const repeated = ({ site }: Loop, open: Open): Diagnostic => ({
  severity: "note",
  code: "reduced-by-loop",
  loc: site.loc,
  message: `this loop reduces '${open.reduction.sym.name}': its iterations combine it by the operator of the ${open.by === "construct" ? "construct's clause" : "loop around it"}`,
  why: `${isOpenMp(site) ? "" : "OpenACC 3.3, 2.9.11: "}lanes that share a loop have copies of a variable only by a reduction of the loop`,
  remedy: `say reduction(${open.reduction.op}:${open.reduction.sym.name}) here`,
  notes: [{ message: whose(open), loc: open.reduction.loc }],
});

const whose = ({ by }: Open): string =>
  by === "construct" ? "the construct's reduction is here" : "the reduction of the loop around is here";
