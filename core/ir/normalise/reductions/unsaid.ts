/**
 * Variables of one iteration, or of one gang, that the loops inside it combine, though no clause says so:
 *
 *     loop gang                                    loop gang
 *       { double s = 0;                              { double s = 0;
 *         loop vector                     =>           loop vector reduction(+:s)
 *           s += a[i][j];                                s += a[i][j];
 *         q[i] = s; }                                  q[i] = s; }
 *
 * Lanes that share the inner loop share the iteration's variable, too, and would lose each other's additions. Some
 * compilers find such reductions, so that programs rely on it. The same holds for flags that the loop only sets. What
 * threads of a block declare is each thread's own and left alone, as are variables that atomic or critical code changes.
 */
import { canonical, isScalar, mapChildren } from "../../../lang/index.ts";
import type { Diagnostic, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { type Use, usesOf } from "../../analysis/access.ts";
import { definedFirst, liveAfter } from "../../analysis/liveness.ts";
import { reductionUse, statedReductionUse } from "../../analysis/reductions.ts";
import { asNode, type Loop, type Reduction, type ReductionOp } from "../../model/ir.ts";
import { hasNode, nodesIn } from "../../model/nodes.ts";
import { flagReduction } from "./flags.ts";
import { storingLast } from "./last-set.ts";

type Changed = readonly [sym: Symbol, use: Use];

/** Code that has variables of its own, which all lanes of a loop inside it share. */
interface Scope {
  readonly body: Stmt;
  owns(sym: Symbol): boolean;
}

/** `ofGang`: whether each gang of the region has a variable for itself that is declared outside of the region. */
export function withUnsaidReductions(
  body: Stmt,
  ofGang: (sym: Symbol) => boolean,
): { readonly body: Stmt; readonly remarks: readonly Diagnostic[] } {
  const remarks: Diagnostic[] = [];
  const visit = (s: Stmt, around: readonly Scope[]): Stmt => {
    if (asNode(s, "threads")) return s;
    const loop = asNode(s, "loop");
    if (!loop || s.kind !== "ext" || loop.parallel.independence !== "independent")
      return mapChildren(s, (child) => visit(child, around));
    // Gangs that share a loop each keep what their own iterations leave in their variable.
    const changed = loop.parallel.levels.includes("gang") ? [] : changedIn(loop);
    const unsaid = combined(loop, changed).filter(({ sym }) => around.some((outer) => outer.owns(sym)));
    remarks.push(...unsaid.map((r) => found(loop, r)));
    let { body } = loop;
    for (const [sym, use] of changed) {
      const outer = around.find((outer) => outer.owns(sym) && liveAfter(outer.body, s, sym));
      if (!outer || (use.read && !definedFirst(loop.body, sym))) continue;
      if (use.read) {
        body = storingLast(body, sym) ?? body;
        remarks.push(setTogether(loop, sym));
        continue;
      }
      const op = flagReduction(outer.body, s, loop, sym);
      const flag = op && reductionOf(op, sym, use, loop);
      if (flag) unsaid.push(flag);
      remarks.push(flag ? foundFlag(loop, flag) : setTogether(loop, sym));
    }
    const reductions = unsaid.length > 0 ? [...loop.reductions, ...unsaid] : loop.reductions;
    const ext: Loop = { ...loop, reductions, body: visit(body, [...around, iterationOf(loop)]) };
    return { ...s, ext };
  };
  const { declared } = usesOf(body);
  const region = { body, owns: (sym: Symbol) => declared.has(sym) || ofGang(sym) };
  return { body: visit(body, [region]), remarks };
}

/** Numbers from outside of a loop that its iterations only combine with further values, and that no clause of it names. */
const combined = (loop: Loop, changed: readonly Changed[]): Reduction[] =>
  changed.flatMap(([sym, use]) => {
    // What the loop only sets, and never reads, is a flag, for which this would be another meaning.
    const op = reductionUse(loop.body, sym).op ?? (use.read ? narrowedTo(loop.body, sym) : undefined);
    return op ? [reductionOf(op, sym, use, loop)] : [];
  });

const reductionOf = (op: ReductionOp, sym: Symbol, { at }: Use, { site }: Loop): Reduction => ({
  op,
  sym,
  loc: at.span.start.line > 0 ? at.span.start : site.loc,
});

/** Numbers from outside of a loop that its iterations change, neither as their own nor one after another. */
function changedIn(loop: Loop): readonly Changed[] {
  if (hasNode(loop.body, "sync")) return [];
  const { of, declared } = usesOf(loop.body);
  const atomic = new Set(
    [...nodesIn(loop.body, "atomic")].flatMap(({ target }) => (target.kind === "ident" ? [target.sym] : [])),
  );
  return [...of].filter(
    ([sym, use]) =>
      use.written &&
      !use.addressTaken &&
      !(declared.has(sym) || own(loop).includes(sym) || atomic.has(sym)) &&
      isScalar(sym.type) &&
      canonical(sym.type).kind !== "pointer",
  );
}

/** Greatest or least values that are converted when they are stored: in order, too, they only count where they fit. */
const narrowedTo = (body: Stmt, sym: Symbol): ReductionOp | undefined =>
  (["max", "min"] as const).find((op) => statedReductionUse(body, sym, op).op);

/** Each iteration of a loop has the variable for itself, or sets it before it reads it. */
const iterationOf = ({ privates, body }: Loop): Scope => ({
  body,
  owns: (sym) => privates.includes(sym) || usesOf(body).declared.has(sym) || definedFirst(body, sym),
});

const own = (loop: Loop): readonly Symbol[] => [
  ...loop.privates,
  ...loop.reductions.map((r) => r.sym),
  ...loop.headers.map((h) => h.var),
];

const found = (loop: Loop, reduction: Reduction): Diagnostic => ({
  ...noted(loop, reduction),
  message: `this loop reduces '${reduction.sym.name}': its iterations only combine it by '${reduction.op}'`,
  why: "those that run at the same time share the variable of the iteration around, and would lose what others add",
  notes: [{ message: "it is combined here", loc: reduction.loc }],
});

const foundFlag = (loop: Loop, reduction: Reduction): Diagnostic => ({
  ...noted(loop, reduction),
  message: `this loop reduces '${reduction.sym.name}': its iterations only set it, to one constant`,
  why: "those that run at the same time share the variable of the iteration around, and would lose what others set",
  notes: [{ message: "it is set here", loc: reduction.loc }],
});

const noted = ({ site }: Loop, { op, sym }: Reduction) =>
  ({
    severity: "note",
    code: "reduction-found",
    loc: site.loc,
    remedy: `say reduction(${op}:${sym.name}) here`,
  }) as const;

const setTogether = ({ site }: Loop, sym: Symbol): Diagnostic => ({
  severity: "warning",
  code: "set-by-lanes",
  loc: site.loc,
  message: `iterations that run at the same time set '${sym.name}', and what it is behind this loop is not defined`,
  why: "they share the variable of the iteration around, and no clause says how one value comes from what they set",
  remedy: `for a flag say reduction(max:${sym.name}) if it is set and reduction(min:${sym.name}) if it is cleared; else declare it inside the loop`,
});
