/** Trip counts: one formula, used by the index arithmetic of kernels and by the host's launch alike. */

import { usesOf } from "../../core/ir/access.ts";
import { asNode, type Loop, type LoopHeader, type Spmd } from "../../core/ir/ir.ts";
import type { CType, Expr, Stmt } from "../../core/lang/ast.ts";
import { binary, cast, cond, intLit } from "../../core/lang/build.ts";
import { canonical, evaluateInteger, isPointer, LONG, mapChildren, walkExpr } from "../../core/lang/index.ts";

export const long = (e: Expr): Expr => {
  const value = evaluateInteger(e);
  if (value !== undefined) return intLit(value, LONG);
  return isLong(e.type) ? e : cast(LONG, e);
};

const isLong = (type: CType): boolean => {
  const c = canonical(type);
  return c.kind === "int" && c.name === "long";
};

/** Sums and products in 64 bits with what is known folded in. */
function fold(op: "+" | "-" | "*" | "/", a: Expr, b: Expr): Expr {
  const [x, y] = [evaluateInteger(a), evaluateInteger(b)];
  if (x !== undefined && y !== undefined && (op !== "/" || y !== 0n))
    return intLit(op === "+" ? x + y : op === "-" ? x - y : op === "*" ? x * y : x / y, LONG);
  if (y === 0n && (op === "+" || op === "-")) return a;
  if (x === 0n && op === "+") return b;
  if (y === 1n && (op === "*" || op === "/")) return a;
  if (x === 1n && op === "*") return b;
  return binary(op, a, b);
}

/** Number of iterations; may be negative, which means none. Evaluated in 64 bits. */
export function tripCount(h: LoopHeader): Expr {
  const step = long(h.step);
  // The distance of pointers counts elements.
  const [lower, bound] = isPointer(h.var.type) ? [h.lower, h.bound] : [long(h.lower), long(h.bound)];
  const down = countsDown(h);
  const span = down ? fold("-", lower, bound) : fold("-", bound, lower);
  const stride = down ? fold("-", intLit(0, LONG), step) : step;
  if (h.relation === "!=") return fold("/", span, stride);
  const inclusive = h.relation.endsWith("=");
  const rounded = inclusive ? fold("+", span, stride) : fold("+", span, fold("-", stride, intLit(1, LONG)));
  return fold("/", rounded, stride);
}

export function countsDown({ relation, step }: LoopHeader): boolean {
  if (relation === "!=") return (evaluateInteger(step) ?? 1n) < 0n;
  return relation === ">" || relation === ">=";
}

/** The loop variable's value in iteration `t`. */
export function valueAt(h: LoopHeader, t: Expr): Expr {
  const value = reachedAt(h, t);
  return isPointer(h.var.type) || isLong(h.var.type) ? value : cast(h.var.type, value);
}

/** The value that the loop variable has after `t` iterations, in 64 bits: it may not fit the variable's type. */
export function reachedAt(h: LoopHeader, t: Expr): Expr {
  if (isPointer(h.var.type)) return binary("+", h.lower, fold("*", t, long(h.step)));
  return fold("+", long(h.lower), fold("*", t, long(h.step)));
}

/** Loops over gangs whose trip counts the host can compute before the launch, with their headers. */
export function launchTrips(spmd: Spmd): ReadonlyMap<LoopHeader, Expr> {
  const uses = usesOf(spmd.body);
  const trips = new Map<LoopHeader, Expr>();
  const known = (e: Expr): boolean => {
    let ok = true;
    walkExpr(e, {
      expr(sub) {
        if (sub.kind === "ident" && sub.sym.kind !== "enumerator")
          ok &&= !uses.declared.has(sub.sym) && !uses.of.get(sub.sym)?.written;
        else if (
          ["index", "member", "call", "stmt-expr", "assign", "incdec"].includes(sub.kind) ||
          (sub.kind === "unary" && sub.op === "*")
        )
          ok = false;
      },
    });
    return ok;
  };
  const look = (s: Stmt): Stmt => {
    const loop: Loop | undefined = asNode(s, "loop");
    if (loop?.parallel.levels.includes("gang"))
      for (const h of loop.headers) {
        const trip = tripCount(h);
        // The host counts even where the region would never reach the loop.
        const safe = evaluateInteger(h.step) === undefined ? cond(h.step, trip, intLit(0, LONG)) : trip;
        if (known(trip)) trips.set(h, safe);
      }
    return mapChildren(s, look);
  };
  look(spmd.body);
  return trips;
}
