/** The statement forms of the atomic construct (OpenACC 3.3, section 2.12). */

import { firstOf } from "../../checked/access.ts";
import { isScalar, printExpr, walkExpr } from "../../lang/index.ts";
import type { Diagnostic, Expr, Stmt } from "../../lang/tree/ast.ts";
import { intLit, stripImplicit } from "../../lang/tree/build.ts";
import type { Atomic, Site } from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";

type Update = Pick<Atomic, "target" | "op" | "value" | "reversed">;
type UpdateOp = Exclude<Atomic["op"], undefined>;

const updateOps: readonly string[] = ["+", "-", "*", "/", "&", "|", "^", "<<", ">>"];

export const same = (a: Expr, b: Expr) => printExpr(stripImplicit(a)) === printExpr(stripImplicit(b));

/** An lvalue that holds one scalar. */
export function isScalarLvalue(e: Expr): boolean {
  const inner = stripImplicit(e);
  const isOne = inner.kind === "ident" || inner.kind === "index" || inner.kind === "member";
  return (isOne || (inner.kind === "unary" && inner.op === "*")) && isScalar(inner.type);
}

/** Whether evaluating `e` also reads `target`, which the atomic access would not cover. */
export function reads(e: Expr, target: Expr): boolean {
  let found = false;
  walkExpr(e, {
    expr: (inner) => {
      if (same(inner, target)) found = true;
      return !found;
    },
  });
  return found;
}

/** x++, --x, x op= e, x = x op e, x = e op x */
function update(e: Expr): Update | undefined {
  if (e.kind === "incdec") return { target: e.arg, op: e.op === "++" ? "+" : "-", value: intLit(1) };
  if (e.kind !== "assign") return undefined;
  if (e.op !== "=") {
    const op = e.op.slice(0, -1);
    return updateOps.includes(op) ? { target: e.left, op: op as UpdateOp, value: e.right } : undefined;
  }
  const right = stripImplicit(e.right);
  if (right.kind !== "binary" || !updateOps.includes(right.op)) return undefined;
  const op = right.op as UpdateOp;
  if (same(right.left, e.left)) return { target: e.left, op, value: right.right };
  if (same(right.right, e.left)) return { target: e.left, op, value: right.left, reversed: true };
  return undefined;
}

/** v = x++; v = --x; v = x op= e; */
function captureExpr(e: Expr): Partial<Atomic> | undefined {
  if (e.kind !== "assign" || e.op !== "=") return undefined;
  const inner = stripImplicit(e.right);
  const up = update(inner);
  if (!up) return undefined;
  return { ...up, captured: e.left, captureNew: !(inner.kind === "incdec" && !inner.prefix) };
}

/** { v = x; update } { update v = x; } { v = x; x = e; } */
function captureBlock(stmts: readonly Stmt[]): Partial<Atomic> | undefined {
  const [a, b] = stmts.map((s) => (s.kind === "expr" ? s.expr : undefined));
  if (stmts.length !== 2 || !a || !b) return undefined;
  const plain = (e: Expr) => (e.kind === "assign" && e.op === "=" ? e : undefined);
  const first = plain(a);
  const second = plain(b);
  const upB = update(b);
  if (first && upB && same(first.right, upB.target))
    return { ...upB, captured: first.left, captureNew: false };
  const upA = update(a);
  if (upA && second && same(second.right, upA.target))
    return { ...upA, captured: second.left, captureNew: true };
  if (first && second && same(first.right, second.left))
    return { target: second.left, op: "=", value: second.right, captured: first.left, captureNew: false };
  return undefined;
}

function match(what: Atomic["what"], stmt: Stmt): Partial<Atomic> | undefined {
  const e = stmt.kind === "expr" ? stmt.expr : undefined;
  switch (what) {
    case "read":
      return e?.kind === "assign" && e.op === "="
        ? { target: stripImplicit(e.right), captured: e.left }
        : undefined;
    case "write":
      return e?.kind === "assign" && e.op === "=" ? { target: e.left, value: e.right } : undefined;
    case "update":
      if (stmt.kind === "compound" && stmt.body.length === 1) return match(what, firstOf(stmt.body));
      return e && update(e);
    case "capture":
      return stmt.kind === "compound" ? captureBlock(stmt.body) : e && captureExpr(e);
  }
}

/** x = x && e, x = x > e ? x : e */
function combination(e: Expr): Update | undefined {
  const right = e.kind === "assign" && e.op === "=" ? stripImplicit(e.right) : undefined;
  if (e.kind !== "assign" || !right) return undefined;
  if (right.kind === "binary" && (right.op === "&&" || right.op === "||") && same(right.left, e.left))
    return { target: e.left, op: right.op, value: right.right };
  const test = right.kind === "cond" ? stripImplicit(right.test) : undefined;
  if (right.kind !== "cond" || test?.kind !== "binary" || !same(test.left, e.left)) return undefined;
  if (test.op !== ">" && test.op !== "<") return undefined;
  return { target: e.left, op: test.op === ">" ? "max" : "min", value: right.else };
}

/** A step of an array reduction, in the form that `elementUpdates` and the IR's text use. */
export function readCombination(stmt: Stmt, site: Site): Atomic | Diagnostic {
  const found = stmt.kind === "expr" && stmt.expr && combination(stmt.expr);
  if (!found) {
    const atomic = readAtomic("update", stmt, site);
    return "severity" in atomic ? atomic : { ...atomic, reduction: true };
  }
  const { target } = found;
  return node<Atomic>({
    kind: "atomic",
    what: "update",
    reduction: true,
    site,
    ...found,
    target: stripImplicit(target),
  });
}

const forms: Record<Atomic["what"], string> = {
  read: "v = x;",
  write: "x = expr;",
  update: "x++; x--; x op= expr; x = x op expr; or x = expr op x;",
  capture: "v = x op= expr; v = x++; or a block { v = x; x op= expr; }",
};

export function readAtomic(what: Atomic["what"], stmt: Stmt, site: Site): Atomic | Diagnostic {
  const found = match(what, stmt);
  if (!found?.target || !isScalarLvalue(found.target) || (found.value && reads(found.value, found.target)))
    return {
      severity: "error",
      code: "atomic-form",
      loc: stmt.span.start,
      message: `this statement is not an atomic ${what}`,
      why: "the hardware performs one read, write or read-modify-write indivisibly",
      remedy: `atomic ${what} takes: ${forms[what]}`,
    };
  return node<Atomic>({ kind: "atomic", what, site, ...found, target: stripImplicit(found.target) } as Omit<
    Atomic,
    "shape"
  >);
}
