/** Conditions on distributed loops. */

import { evaluateInteger, printExpr, walkExpr, walkStmt } from "../../lang/index.ts";
import type { Diagnostic, Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { leadsToConstant, usesOf } from "../analysis/access.ts";
import { statedReductionUse } from "../analysis/reductions.ts";
import type { IrNode, Loop } from "../model/ir.ts";

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

/** Only the loop's header may change its counter. */
function assignments(n: Loop): Diagnostic[] {
  if (n.parallel.independence === "seq") return [];
  const vars = new Set(n.headers.map((h) => h.var));
  return changesIn(n.body, vars).map(({ sym, at, address }) => ({
    severity: "error",
    code: "loop-variable-assigned",
    loc: at.span.start,
    message: address
      ? `the loop's body takes the address of its variable '${sym.name}', by which it may be changed`
      : `the loop's body changes its variable '${sym.name}'`,
    why: "the iterations must be known before the loop starts to share them out",
    remedy: address ? `take the address of a copy of '${sym.name}'` : OWN_COPY,
  }));
}

const OWN_COPY = "change a copy of it, or run the loop with seq";

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
  return changesIn(n.body, fixed)
    .filter(({ sym }) => !n.privates.includes(sym))
    .map(({ sym, at, address }) => ({
      severity: "error",
      code: "loop-bound-changed",
      loc: at.span.start,
      message: address
        ? `the loop's body takes the address of '${sym.name}', on which its range depends, and may change it`
        : `the loop's body changes '${sym.name}', on which its range depends`,
      why: "the iterations must be known before the loop starts to share them out",
      remedy: address ? `take the address of a copy of '${sym.name}'` : OWN_COPY,
    }));
}

interface Change {
  readonly sym: Symbol;
  readonly at: Expr;
  /** Its address is taken, so it may change indirectly. */
  readonly address?: true;
}

/** Where `body` changes one of the variables, or allows other code to. */
function changesIn(body: Stmt, vars: ReadonlySet<Symbol>): readonly Change[] {
  const found: Change[] = [];
  const onlyRead = new Set<Expr>();
  walkStmt(body, {
    expr: (e) => {
      // Never evaluated, except for sizes of arrays.
      if (e.kind === "sizeof" || e.kind === "alignof") return false;
      if (e.kind === "call") for (const arg of readOnlyArguments(e)) onlyRead.add(arg);
      if (e.kind === "cast" && leadsToConstant(e.to)) onlyRead.add(e.arg);
      const isAddress = e.kind === "unary" && e.op === "&" && !onlyRead.has(e);
      const target =
        e.kind === "assign"
          ? stripImplicit(e.left)
          : e.kind === "incdec" || isAddress
            ? stripImplicit(e.arg)
            : undefined;
      if (target?.kind === "ident" && vars.has(target.sym))
        found.push({ sym: target.sym, at: e, ...(isAddress && { address: true }) });
      return true;
    },
  });
  return found;
}

/** Arguments through which the called function changes nothing. */
function readOnlyArguments({ callee, args }: Expr & { readonly kind: "call" }): readonly Expr[] {
  const called = stripImplicit(callee);
  const definition = called.kind === "ident" ? called.sym.definition : undefined;
  if (!definition) return [];
  const uses = usesOf(definition.body).of;
  return args.filter((_, k) => {
    const use = definition.params[k] && uses.get(definition.params[k]);
    return definition.params[k] && !use?.elementsWritten && !use?.addressTaken;
  });
}

/** Inside the loop a reduction variable holds a partial result that depends on the device. */
function reductions(n: Loop): Diagnostic[] {
  if (n.parallel.independence === "seq") return [];
  const vars = new Set(n.headers.map((h) => h.var));
  return n.reductions.flatMap((r) => {
    if (vars.has(r.sym)) return [];
    const { op, other, narrowed, cut } = statedReductionUse(n.body, r.sym, r.op);
    if (narrowed && (r.op === "max" || r.op === "min")) return [narrowing(r, narrowed)];
    if (cut && !other) return [cutting(r, cut)];
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

/** `unsigned s; if ((unsigned long)x > s) s = x;` */
const narrowing = ({ op, sym, loc }: Loop["reductions"][number], value: Expr): Diagnostic => ({
  severity: "warning",
  code: "reduction-narrowed",
  loc: value.span.start.line > 0 ? value.span.start : loc,
  message: `'${printExpr(value)}' has more bits than '${sym.name}', which keeps a part of them and is compared with the next value`,
  why: `if a value does not fit, the ${op === "max" ? "largest" : "smallest"} one depends on the order of the iterations, which is open`,
  remedy: `declare '${sym.name}' with the type of what it is compared with`,
});

/** `int s; s += a[i] * 0.5` */
const cutting = ({ op, sym, loc }: Loop["reductions"][number], value: Expr): Diagnostic => ({
  severity: "warning",
  code: "reduction-narrowed",
  loc: value.span.start.line > 0 ? value.span.start : loc,
  message: `'${sym.name}' is a whole number, and '${printExpr(value)}' is not: what is behind the point is cut off at each '${op}'`,
  why: "the result depends on how iterations are shared out, unless all values are whole numbers",
  remedy: `declare '${sym.name}' as a floating-point number, or convert the value: (int)(${printExpr(value)})`,
});
