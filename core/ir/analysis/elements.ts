/**
 * Reductions of arrays and structs as atomic updates of elements and members. A reduction leaves the order open, so all
 * copies that the directive speaks of may be the variable itself, provided that one operator is all that is ever applied
 * to it:
 *
 *     loop reduction(+:a)               loop
 *       a[key[i]] += w[i];        =>      atomic update a[key[i]] += w[i];
 *     loop reduction(+:s)               loop
 *       s.x += w[i];              =>      atomic update s.x += w[i];
 */

import { firstOf } from "../../checked/access.ts";
import {
  canonical,
  isPointer,
  mapStmt,
  PTRDIFF,
  printExpr,
  sizeOf,
  walkExpr,
  walkStmt,
} from "../../lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import {
  binary,
  cast,
  freshSymbol,
  ident,
  index,
  intLit,
  stripImplicit,
  unary,
} from "../../lang/tree/build.ts";
import { type Atomic, asNode, extStmt, type ReductionOp, type Site } from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";
import { mentions } from "./access.ts";
import { reductionUse } from "./reductions.ts";

/**
 * `body` with its updates of elements of `array` made atomic. Undefined if it uses the array other than by `op`, or if
 * the elements are too large for atomic operations.
 */
export function elementUpdates(body: Stmt, array: Symbol, op: ReductionOp, site: Site): Stmt | undefined {
  const places = new Set<Expr>();
  const rewritten = mapStmt(body, {
    expr: (e) => subscripted(e, array),
    stmt(s) {
      const inner = asNode(s, "atomic");
      if (inner) {
        if (inner.reduction && combines(inner) === op && isElement(inner.target, array))
          places.add(inner.target);
        return s;
      }
      const found = s.kind === "expr" || s.kind === "if" ? update(s, array, op) : undefined;
      if (!found) return s;
      places.add(found.target);
      const at = { ...site, stmt: s };
      const atomic = node<Atomic>({ kind: "atomic", what: "update", reduction: true, ...found, site: at });
      return extStmt(atomic, s.span);
    },
  });
  return usedElsewhere(rewritten, array, places) ? undefined : rewritten;
}

/** `*(a + i)`, `*(i + a)` and `(a + i)[k]` as elements of `a`. */
function subscripted(e: Expr, array: Symbol): Expr {
  if (e.kind === "index") {
    const found = placeIn(e.base, array);
    // Both are as wide as a pointer's difference, as they would be one by one.
    const wide = (at: Expr): Expr => cast(PTRDIFF, at);
    return found ? index(found.base, binary("+", wide(found.at), wide(e.index)), e.span) : e;
  }
  const found = e.kind === "unary" && e.op === "*" ? placeIn(e.arg, array) : undefined;
  return found ? index(found.base, found.at, e.span) : e;
}

/** The parts of `array + at`. */
function placeIn(pointer: Expr, array: Symbol): { readonly base: Expr; readonly at: Expr } | undefined {
  const sum = stripImplicit(pointer);
  if (sum.kind !== "binary" || sum.op !== "+") return undefined;
  const isArray = (side: Expr): boolean => {
    const inner = stripImplicit(side);
    return inner.kind === "ident" && inner.sym === array;
  };
  const [base, at] = isArray(sum.left) ? [sum.left, sum.right] : [sum.right, sum.left];
  return isArray(base) && !isPointer(at.type) ? { base: stripImplicit(base), at } : undefined;
}

/** The array whose element a statement combines with a value, and the operator; undefined for other statements. */
export function elementStep(
  s: Stmt,
  site: Site,
): { readonly array: Symbol; readonly op: ReductionOp } | undefined {
  const target = written(s);
  const array = target && arrayOf(target);
  if (!target || !array) return undefined;
  const op = elementUse(s, target).op;
  return op && elementUpdates(s, array, op, site) ? { array, op } : undefined;
}

/** The variable whose element or member an expression is. */
function arrayOf(e: Expr): Symbol | undefined {
  const at = stripImplicit(e);
  if (at.kind === "index" || at.kind === "member") return arrayOf(at.base);
  return at.kind === "ident" ? at.sym : undefined;
}

/** How a statement uses an element that it changes. */
function elementUse(s: Stmt, target: Expr) {
  const element = freshSymbol("element", target.type);
  const text = printExpr(target);
  const scalar = mapStmt(s, { expr: (e) => (printExpr(e) === text ? ident(element) : e) });
  return { element, scalar, op: reductionUse(scalar, element).op };
}

/** The reduction operator that an atomic update corresponds to. */
export function combines({ what, op, reversed }: Atomic): ReductionOp | undefined {
  if (what !== "update") return undefined;
  if (op === "-") return reversed ? undefined : "+";
  return op !== undefined && isReduction(op) ? op : undefined;
}

const isReduction = (op: string): op is ReductionOp =>
  ["+", "*", "max", "min", "&", "|", "^", "&&", "||"].includes(op);

type Update = Pick<Atomic, "target" | "value"> & { readonly op: NonNullable<Atomic["op"]> };

function update(s: Stmt, array: Symbol, op: ReductionOp): Update | undefined {
  const target = written(s);
  if (!target || !isElement(target, array) || !repeatable(target)) return undefined;
  const { element, scalar, op: found } = elementUse(s, target);
  if (found !== op) return undefined;
  const [step, value] = contribution(scalar, element, op) ?? [];
  return step && value && { target, op: step, value };
}

/** The target of an assignment statement, possibly guarded by one comparison. */
function written(s: Stmt): Expr | undefined {
  if (s.kind === "if") return s.else || isConjunction(s.test) ? undefined : written(only(s.then));
  if (s.kind !== "expr" || !s.expr) return undefined;
  if (s.expr.kind === "incdec") return stripImplicit(s.expr.arg);
  return s.expr.kind === "assign" ? stripImplicit(s.expr.left) : undefined;
}

function isConjunction(test: Expr): boolean {
  const e = stripImplicit(test);
  return e.kind === "binary" && e.op === "&&";
}

const only = (s: Stmt): Stmt => (s.kind === "compound" && s.body.length === 1 ? firstOf(s.body) : s);

/** Elements of this type are too large for atomic operations, or have none. */
export const isAtomic = (type: CType): boolean => {
  const { kind } = canonical(type);
  return (kind === "int" || kind === "float" || kind === "enum") && (sizeOf(type) ?? 16) <= 8;
};

/** A scalar part of the variable, small enough for an atomic operation, and part of its own memory. */
function isElement(e: Expr, array: Symbol): boolean {
  if (!isAtomic(e.type)) return false;
  let at = stripImplicit(e);
  if (at.kind === "member" && at.field?.bits !== undefined) return false;
  while (at.kind === "index" || at.kind === "member") {
    if (at.kind === "index" && mentions(at.index, array)) return false;
    const base = stripImplicit(at.base);
    // Behind a pointer among its members is other memory.
    if (base.kind !== "ident" && canonical(base.type).kind === "pointer") return false;
    at = base;
  }
  if (at.kind === "unary" && at.op === "*") at = stripImplicit(at.arg);
  return at !== e && at.kind === "ident" && at.sym === array;
}

/** What the recognised step combines `element` with. */
function contribution(
  s: Stmt,
  element: Symbol,
  op: ReductionOp,
): readonly [NonNullable<Atomic["op"]>, Expr] | undefined {
  if (s.kind === "if") return contribution(only(s.then), element, op);
  const e = s.kind === "expr" ? s.expr : undefined;
  if (e?.kind === "incdec") return [e.op === "++" ? "+" : "-", intLit(1)];
  if (e?.kind !== "assign") return undefined;
  if (e.op === "-=") return ["-", e.right];
  if (e.op !== "=") return [op, e.right];
  const value = mentions(e.right, element) ? without(e.right, element) : e.right;
  return value && [op, value];
}

/** The combination `e` without `element`. */
function without(e: Expr, element: Symbol): Expr | undefined {
  const inner = stripImplicit(e);
  const isIt = (side: Expr) => {
    const b = stripImplicit(side);
    return b.kind === "ident" && b.sym === element;
  };
  if (inner.kind === "cast") return without(inner.arg, element);
  if (inner.kind === "call") return inner.args.find((a) => !mentions(a, element));
  if (inner.kind === "cond") return isIt(inner.else) ? inner.then : inner.else;
  if (inner.kind !== "binary") return undefined;
  const { left, right, op } = inner;
  if (isIt(left)) return op === "-" ? unary("-", right) : right;
  if (isIt(right)) return left;
  const [l, r] = [left, right].map((side) => (mentions(side, element) ? without(side, element) : side));
  return l && r && binary(op, l, r);
}

function usedElsewhere(s: Stmt, array: Symbol, places: ReadonlySet<Expr>): boolean {
  let elsewhere = false;
  const accounted = new Set<Expr>();
  const account = (e: Expr) =>
    walkExpr(e, {
      expr(inner) {
        if (inner.kind === "ident" && inner.sym === array) accounted.add(inner);
      },
    });
  for (const place of places) account(place);
  walkStmt(s, {
    expr(e) {
      if (e.kind === "ident" && e.sym === array && !accounted.has(e)) elsewhere = true;
    },
  });
  return elsewhere;
}

/** Evaluating it once instead of twice changes nothing. */
function repeatable(e: Expr): boolean {
  let found = true;
  walkExpr(e, {
    expr: (inner) => {
      if (["assign", "incdec", "call", "stmt-expr"].includes(inner.kind)) found = false;
    },
  });
  return found;
}
