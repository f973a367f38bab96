/** Trip counts: one formula for the index arithmetic of kernels and for the host's launch. */

import { itemAt } from "../../../core/checked/access.ts";
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { asNode, type Loop, type LoopHeader, type Spmd } from "../../../core/ir/model/ir.ts";
import {
  canonical,
  evaluateInteger,
  INT_BITS,
  intKind,
  intType,
  isPointer,
  isSigned,
  isUnsignedKind,
  LONG,
  mapChildren,
  sizeOf,
  unsignedOf,
  usualArithmetic,
  walkExpr,
  wrapInteger,
} from "../../../core/lang/index.ts";
import type { CType, Expr, IntKind, Stmt } from "../../../core/lang/tree/ast.ts";
import { binary, cast, cond, intLit, stripImplicit, unary } from "../../../core/lang/tree/build.ts";
import { soleLoop } from "../mapping/counted-loops.ts";
import { stageHeaders } from "../mapping/stages/stages.ts";

const ULONG = intType("ulong");

export const long = (e: Expr): Expr => {
  const value = evaluateInteger(e);
  if (value !== undefined) return intLit(value, LONG);
  const written = explicit(e);
  return isLong(written.type) ? written : cast(LONG, written);
};

/** Conversions that C inserts are not printed, so they are made explicit unless the context implies them. */
function explicit(e: Expr): Expr {
  if (e.kind !== "cast" || !e.implicit) return e;
  const [from, to] = [intKind(e.arg.type), intKind(e.to)];
  if (from === undefined || to === undefined) return cast(e.to, e.arg);
  const keeps =
    isUnsignedKind(from) === isUnsignedKind(to)
      ? INT_BITS[from] <= INT_BITS[to]
      : isUnsignedKind(from) && INT_BITS[from] < INT_BITS[to];
  return keeps ? explicit(e.arg) : cast(e.to, explicit(e.arg));
}

const isLong = (type: CType): boolean => {
  const c = canonical(type);
  return c.kind === "int" && c.name === "long";
};

/** Sums and products in 64 bits, with constants folded. */
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

/** The number of iterations, as C counts them, a `long`; negative means none. */
export function tripCount(h: LoopHeader): Expr {
  if (isPointer(h.var.type)) return quotient(h, h.lower, h.bound, long(h.step));
  const type = intKind(h.var.type) as IntKind;
  const common = usualArithmetic(h.var.type, h.bound.type) as CType;
  // Compared as unsigned, a negative start is very large.
  const mixed = isSigned(h.var.type) && !isSigned(common);
  const initial = inType(h.lower, h.var.type);
  const lower = mixed && !isNatural(initial) ? cast(common, initial) : initial;
  const step = long(h.step);
  if (h.relation === "!=") {
    const wraps = isUnsignedKind(type) || INT_BITS[type] < 32;
    if (wraps || mixed) return distance(h, lower, intType(wraps ? unsignedOf(type) : type));
    return quotient(h, long(lower), long(h.bound), evaluateInteger(step) === undefined ? strideOf(h) : step);
  }
  const [wide, from, to] = [(sizeOf(common) ?? 8) > 4, ...ends(h, lower)];
  if (evaluateInteger(step) === undefined || (wide && !(isNatural(from) && isSmall(to, from, h))))
    return guarded(h, from, to, common);
  return quotient(h, long(lower), long(h.bound), step);
}

/** The range of an upward loop over the same values. */
function ends(h: LoopHeader, lower: Expr): readonly [from: Expr, to: Expr] {
  return countsDown(h) ? [h.bound, lower] : [lower, h.bound];
}

/** (bound - lower) / step, rounded up. */
function quotient(h: LoopHeader, lower: Expr, bound: Expr, step: Expr): Expr {
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

/** With `!=` a variable that wraps around still reaches the bound, so the distance is computed in its type. */
function distance(h: LoopHeader, lower: Expr, type: CType): Expr {
  const [x, y] = countsDown(h) ? [lower, h.bound] : [h.bound, lower];
  const span = evaluateInteger(y) === 0n ? x : binary("-", explicit(x), explicit(y));
  return fold("/", long(converted(span, type)), strideOf(h));
}

/** For distances that may exceed signed 64 bits, and steps of unknown sign. */
function guarded(h: LoopHeader, from: Expr, to: Expr, common: CType): Expr {
  const [a, b] = [converted(from, common), converted(to, common)];
  const unsigned = (e: Expr) => converted(e, ULONG);
  const step = evaluateInteger(h.step);
  const stride = unsigned(strideOf(h));
  const span = evaluateInteger(a) === 0n ? unsigned(b) : binary("-", unsigned(b), unsigned(a));
  const one = intLit(1, ULONG);
  const inclusive = h.relation.endsWith("=");
  const count = inclusive
    ? binary("+", binary("/", span, stride), one)
    : binary("+", binary("/", binary("-", span, one), stride), one);
  const simple = inclusive ? binary("+", span, one) : span;
  const some = binary(inclusive ? "<=" : "<", a, b);
  return cond(some, long(step === 1n || step === -1n ? simple : count), intLit(0, LONG));
}

/** The step's size in the loop's direction, as added to the variable: conversions may change its sign. */
function strideOf(h: LoopHeader): Expr {
  const step = evaluateInteger(h.step);
  if (step !== undefined) return intLit(countsDown(h) ? -step : step, LONG);
  const own = intKind(h.var.type) as IntKind;
  const written = stripImplicit(h.step);
  const fits = intKind(written.type) === own || (sizeOf(written.type) ?? 8) < (sizeOf(h.var.type) ?? 8);
  const acting = fits ? written : cast(intType(own), written);
  if (isSigned(h.var.type)) return countsDown(h) ? unary("-", long(acting)) : long(acting);
  const modulo = cast(intType(own), acting);
  return long(countsDown(h) ? cast(intType(own), unary("-", modulo)) : modulo);
}

/** The initial value as the variable holds it. */
function inType(e: Expr, type: CType): Expr {
  const value = evaluateInteger(e);
  const kind = intKind(type) as IntKind;
  if (value !== undefined && wrapInteger(value, kind) === value) return e;
  return value === undefined ? converted(e, type) : intLit(wrapInteger(value, kind), LONG);
}

/** The conversion written out, if it is one. */
function converted(e: Expr, type: CType): Expr {
  const [value, kind] = [evaluateInteger(e), intKind(type) as IntKind];
  if (value !== undefined) return intLit(wrapInteger(value, kind), intType(kind));
  return intKind(e.type) === kind ? explicit(e) : cast(type, explicit(e));
}

/** A constant from 0 to 2^31 - 1: differences with it, plus a small step, fit in 64 bits. */
function isNatural(e: Expr): boolean {
  const value = evaluateInteger(e);
  return value !== undefined && value >= 0n && value < 1n << 31n;
}

/** Counting from 0, or from where `long` need not count below its smallest value. */
function isSmall(to: Expr, from: Expr, h: LoopHeader): boolean {
  const step = evaluateInteger(h.step) ?? 0n;
  const short = step > -(1n << 31n) && step < 1n << 31n;
  const end = evaluateInteger(to);
  const near = end === undefined ? evaluateInteger(from) === 0n || !isSigned(to.type) : end > -(1n << 62n);
  return short && near;
}

/** The loop variable's value in iteration `t`. */
export function valueAt(h: LoopHeader, t: Expr): Expr {
  const value = reachedAt(h, t);
  return isPointer(h.var.type) || isLong(h.var.type) ? value : cast(h.var.type, value);
}

/** The loop variable's value after `t` iterations, in 64 bits: it may not fit the variable's type. */
export function reachedAt(h: LoopHeader, t: Expr): Expr {
  if (isPointer(h.var.type)) return binary("+", h.lower, fold("*", t, long(h.step)));
  return fold("+", long(h.lower), fold("*", t, long(h.step)));
}

/** The values of a nest's loop variables in its iteration `at`. `counts`: the loops' trip counts. */
export function valuesInNest(
  headers: readonly LoopHeader[],
  counts: readonly Expr[],
  at: Expr,
): readonly Expr[] {
  const values: Expr[] = [];
  let rest = at;
  for (const [k, h] of [...headers.entries()].reverse()) {
    const n = itemAt(counts, k);
    values.unshift(valueAt(h, k === 0 ? rest : binary("%", rest, n)));
    rest = binary("/", rest, n);
  }
  return values;
}

/** Whether the host can compute a value before the launch. */
export function knownToLaunch(spmd: Spmd): (e: Expr) => boolean {
  const uses = usesOf(spmd.body);
  return (e) => {
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
}

/** Loops over gangs whose trip counts the host can compute before the launch, with their headers. */
export function launchTrips(spmd: Spmd): ReadonlyMap<LoopHeader, Expr> {
  const trips = new Map<LoopHeader, Expr>();
  const known = knownToLaunch(spmd);
  const inside: LoopHeader[] = [];
  const add = (h: LoopHeader): void => {
    const trip = tripCount(h);
    // The host counts even if the region would never reach the loop.
    const safe = evaluateInteger(h.step) === undefined ? cond(h.step, trip, intLit(0, LONG)) : trip;
    if (known(trip)) trips.set(h, safe);
  };
  const look = (s: Stmt): Stmt => {
    const loop: Loop | undefined = asNode(s, "loop");
    if (loop?.parallel.levels.includes("gang")) {
      loop.headers.forEach(add);
      const inner = loop.parallel.free ? soleLoop(loop.body) : undefined;
      if (inner) inside.push(...inner.headers);
    }
    return mapChildren(s, look);
  };
  look(spmd.body);
  // Loops that the launch may repeat, and inner loops that all groups may then share.
  for (const h of stageHeaders(spmd)) add(h);
  // Loops that may become part of a nest, which only some kinds decide: behind those whose places all kinds share.
  for (const h of inside) add(h);
  return trips;
}
