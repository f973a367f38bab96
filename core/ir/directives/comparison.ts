/**
 * The statement forms of `atomic compare` (OpenMP 5.2, section 15.8.4): a value that is raised, lowered, or exchanged
 * if it equals another, and what the construct captures of it.
 *
 *     { r = x == e; if (r) { x = d; } else { v = x; } }    =>    { T old; atomic { old = x; x = x == e ? d : x; }
 *                                                                  r = old == e; if (!r) v = old; }
 */
import { unqualified } from "../../lang/index.ts";
import type { Diagnostic, Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  stripBlocks,
  stripImplicit,
} from "../../lang/tree/build.ts";
import { type Atomic, extStmt, type Site } from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";
import { isScalarLvalue, reads, same } from "./atomic.ts";

type Change = Pick<Atomic, "target" | "op" | "value" | "expected">;
type Assignment = Extract<Expr, { kind: "assign" }>;

interface Comparison {
  readonly change: Change;
  /** `v = x`, before or after the change. */
  readonly captured?: Expr;
  readonly captureNew?: boolean;
  /** `v = x` if nothing was exchanged. */
  readonly otherwise?: Expr;
  /** `r`: whether a value was exchanged. */
  readonly result?: Expr;
}

function assignment(s: Stmt | undefined): Assignment | undefined {
  const e = s && stripBlocks(s);
  return e?.kind === "expr" && e.expr?.kind === "assign" && e.expr.op === "=" ? e.expr : undefined;
}

/** The `v = x` that captures the changing `x`. */
function capture(s: Stmt | undefined, target: Expr): Expr | undefined {
  const e = assignment(s);
  return e && same(e.right, target) ? e.left : undefined;
}

/** If `test` holds, `target` becomes `value`. */
function change(test: Expr, target: Expr, value: Expr): Change | undefined {
  const of = stripImplicit(test);
  if (of.kind !== "binary") return undefined;
  const [own, other] = same(of.left, target) ? [of.left, of.right] : [of.right, of.left];
  if (!same(own, target)) return undefined;
  if (of.op === "==") return { target, op: "==", value, expected: other };
  if ((of.op !== "<" && of.op !== ">") || !same(other, value)) return undefined;
  const grows = (of.op === "<") === (own === of.left);
  return { target, op: grows ? "max" : "min", value };
}

/** if (x < e) { x = e; }, if (e < x) x = e;, if (x == e) { x = d; }, x = x < e ? e : x;, x = x == e ? d : x; */
function changed(s: Stmt): Comparison | undefined {
  const inner = stripBlocks(s);
  const set = assignment(inner);
  const right = set && stripImplicit(set.right);
  if (set && right?.kind === "cond" && right.then && same(right.else, set.left)) {
    const found = change(right.test, set.left, right.then);
    return found && { change: found };
  }
  if (inner.kind !== "if") return undefined;
  const then = assignment(inner.then);
  const found = then && change(inner.test, then.left, then.right);
  if (!found || !inner.else) return found && { change: found };
  const otherwise = found.op === "==" ? capture(inner.else, found.target) : undefined;
  return otherwise && { change: found, otherwise };
}

/** { r = x == e; if (r) { x = d; } else { v = x; } } */
function tested(first: Stmt, second: Stmt): Comparison | undefined {
  const set = assignment(first);
  const inner = stripBlocks(second);
  if (!set || inner.kind !== "if" || !same(inner.test, set.left)) return undefined;
  const then = assignment(inner.then);
  const found = then && change(set.right, then.left, then.right);
  if (found?.op !== "==") return undefined;
  if (!inner.else) return { change: found, result: set.left };
  const otherwise = capture(inner.else, found.target);
  return otherwise && { change: found, result: set.left, otherwise };
}

/** A comparing statement, with a capture before or after it. */
function capturing(s: Stmt): Comparison | undefined {
  if (s.kind !== "compound" || s.body.length !== 2) return changed(s);
  const [first, second] = s.body as [Stmt, Stmt];
  const behind = changed(second);
  const before = behind && capture(first, behind.change.target);
  if (behind && before && !behind.otherwise) return { ...behind, captured: before, captureNew: false };
  const front = changed(first);
  const after = front && capture(second, front.change.target);
  if (front && after && !front.otherwise) return { ...front, captured: after, captureNew: true };
  return tested(first, second);
}

const isAtomic = ({ target, value, expected }: Change): boolean =>
  isScalarLvalue(target) && ![value, expected].some((e) => e && reads(e, target));

/** `atomic compare`: the access, and the values that its thread obtains. */
export function readComparison(what: Atomic["what"], stmt: Stmt, site: Site): Comparison | Diagnostic {
  const found = what === "capture" ? capturing(stmt) : what === "update" ? changed(stmt) : undefined;
  const captures = found && [found.captured, found.otherwise, found.result].some((e) => e);
  if (found && isAtomic(found.change) && captures === (what === "capture")) return found;
  return {
    severity: "error",
    code: "atomic-form",
    loc: stmt.span.start ?? site.loc,
    message: "this statement is none of the forms of 'atomic compare'",
    why: "OpenMP 5.2, section 15.8.4, has the forms of one comparison and one change of the same variable",
    remedy:
      what === "capture"
        ? "atomic compare capture takes: { v = x; if (x == e) { x = d; } } or { r = x == e; if (r) { x = d; } else { v = x; } }"
        : "atomic compare takes: if (x == e) { x = d; } if (x < e) { x = e; } or x = x < e ? e : x;",
  };
}

/** The access as a single node, as far as one node can express it. */
export const comparisonNode = ({ change, captured, captureNew }: Comparison, site: Site): Atomic =>
  node<Atomic>({
    kind: "atomic",
    what: captured ? "capture" : "update",
    ...change,
    target: stripImplicit(change.target),
    ...(captured && { captured, captureNew: captureNew === true }),
    site,
  });

/** Whether a single node expresses all of it. */
export const isOneAccess = ({ otherwise, result }: Comparison): boolean => !otherwise && !result;

/** The access that captures the old value, and the statements derived from it. */
export function comparisonSteps(
  { change, otherwise, result }: Comparison,
  site: Site,
): { readonly before: readonly Stmt[]; readonly access: Atomic; readonly behind: readonly Stmt[] } {
  const expected = change.expected as Expr;
  const fresh = (name: string, of: Expr): Symbol => freshSymbol(name, unqualified(of.type));
  const old = fresh("arc_old", change.target);
  const sought = fresh("arc_expected", expected);
  const holds = binary("==", ident(old), ident(sought));
  const access = comparisonNode(
    { change: { ...change, expected: ident(sought) }, captured: ident(old), captureNew: false },
    site,
  );
  const saveOld =
    otherwise && ifStmt(binary("!=", ident(old), ident(sought)), exprStmt(assign(otherwise, ident(old))));
  return {
    before: [declare(old), declare(sought, expected)],
    access,
    behind: [...(result ? [exprStmt(assign(result, holds))] : []), ...(saveOld ? [saveOld] : [])],
  };
}

export const inSteps = (
  { before, behind }: Pick<ReturnType<typeof comparisonSteps>, "before" | "behind">,
  access: Stmt,
): Stmt => compound([...before, access, ...behind], access.span);

export const accessStmt = (access: Atomic, at: Stmt): Stmt => extStmt(access, at.span);
