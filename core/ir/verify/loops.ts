/** What loops whose iterations are shared out must be like. */
import type { Diagnostic, Expr, Symbol } from "../../lang/ast.ts";
import { evaluateInteger, walkExpr, walkStmt } from "../../lang/index.ts";
import { bare } from "../counted.ts";
import type { IrNode, Loop } from "../ir.ts";
import { reductionUse } from "../reductions.ts";

export function loops(n: IrNode): Diagnostic[] {
  if (n.kind !== "loop") return [];
  return [...rectangular(n), ...steps(n), ...assignments(n), ...bounds(n), ...reductions(n)];
}

/** The trip counts of collapsed loops must be known before the nest starts. */
function rectangular(n: Loop): Diagnostic[] {
  return n.headers.flatMap((h, k) => {
    const outer = new Set(n.headers.slice(0, k).map((o) => o.var));
    const at = [h.lower, h.bound, h.step].map((e) => uses(e, outer)).find((e) => e);
    if (at?.kind !== "ident") return [];
    return [
      {
        severity: "error" as const,
        code: "non-rectangular-collapse",
        loc: h.span.start,
        message: `the range of '${h.var.name}' depends on '${at.sym.name}', with which its loop is collapsed`,
        why: "collapsed loops share out one product of trip counts",
        remedy: "collapse fewer loops, and give the inner loop a directive of its own",
      },
    ];
  });
}

function uses(e: Expr, vars: ReadonlySet<Symbol>): Expr | undefined {
  let found: Expr | undefined;
  walkExpr(e, {
    expr: (inner) => {
      if (inner.kind === "ident" && vars.has(inner.sym)) found ??= inner;
    },
  });
  return found;
}

function steps(n: Loop): Diagnostic[] {
  return n.headers.flatMap((h) => {
    const step = evaluateInteger(h.step);
    const up = h.relation === "<" || h.relation === "<=";
    const down = h.relation === ">" || h.relation === ">=";
    if (step === undefined || (step !== 0n && !(up && step < 0n) && !(down && step > 0n))) return [];
    return [
      {
        severity: "error" as const,
        code: step === 0n ? "zero-step" : "step-direction",
        loc: h.span.start,
        message: `'${h.var.name}' never comes nearer to its bound`,
        remedy: up ? "step upwards" : down ? "step downwards" : "step towards the bound",
      },
    ];
  });
}

/** Only the loop's head may change what its iterations are. */
function assignments(n: Loop): Diagnostic[] {
  if (n.parallel.independence === "seq") return [];
  const vars = new Set(n.headers.map((h) => h.var));
  const found: Diagnostic[] = [];
  walkStmt(n.body, {
    expr: (e) => {
      const target = e.kind === "assign" ? bare(e.left) : e.kind === "incdec" ? bare(e.arg) : undefined;
      if (target?.kind !== "ident" || !vars.has(target.sym)) return;
      found.push({
        severity: "error",
        code: "loop-variable-assigned",
        loc: e.span.start,
        message: `the loop's body changes its variable '${target.sym.name}'`,
        why: "the iterations must be known before the loop starts to share them out",
        remedy: "change a copy of it, or run the loop with seq",
      });
    },
  });
  return found;
}

function bounds(n: Loop): Diagnostic[] {
  if (n.parallel.independence !== "independent") return [];
  const fixed = new Set<Symbol>();
  for (const h of n.headers)
    for (const e of [h.lower, h.bound, h.step])
      walkExpr(e, {
        expr: (inner) => {
          if (inner.kind === "ident" && n.headers.every((o) => o.var !== inner.sym)) fixed.add(inner.sym);
        },
      });
  const found: Diagnostic[] = [];
  walkStmt(n.body, {
    expr: (e) => {
      const target = e.kind === "assign" ? bare(e.left) : e.kind === "incdec" ? bare(e.arg) : undefined;
      if (target?.kind !== "ident" || !fixed.has(target.sym) || n.privates.includes(target.sym)) return;
      found.push({
        severity: "error",
        code: "loop-bound-changed",
        loc: e.span.start,
        message: `the loop's body changes '${target.sym.name}', on which its range depends`,
        why: "the iterations must be known before the loop starts to share them out",
        remedy: "change a copy of it, or run the loop with seq",
      });
    },
  });
  return found;
}

/** What a reduction variable holds inside the loop is a part of the result that depends on the device. */
function reductions(n: Loop): Diagnostic[] {
  if (n.parallel.independence === "seq") return [];
  const vars = new Set(n.headers.map((h) => h.var));
  return n.reductions.flatMap((r) => {
    if (vars.has(r.sym)) return [];
    const { op, other } = reductionUse(n.body, r.sym);
    if (!other && (op === undefined || op === r.op)) return [];
    return [
      {
        severity: "warning" as const,
        code: "reduction-used-otherwise",
        loc: other?.span.start ?? r.loc,
        message: other
          ? `'${r.sym.name}' is used here in another way than combining it by '${r.op}'`
          : `the loop combines '${r.sym.name}' by '${op}', and its clause says '${r.op}'`,
        why: "inside the loop it holds a partial result that depends on how iterations are shared out",
        remedy: other ? "use it behind the loop" : `write reduction(${op}: ${r.sym.name})`,
      },
    ];
  });
}
