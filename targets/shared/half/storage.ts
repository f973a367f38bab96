/**
 * Numbers of 16 bits as gcc computes with them on x86-64 (excess precision, C11 5.2.4.2.2): in float within an expression,
 * rounded where they are stored, passed, returned or cast. Objects keep their type, which the dialects print as an
 * unsigned integer; values are floats.
 *
 *     z = x * y + 1;    =>    z = arc_half(arc_half_value(x) * arc_half_value(y) + 1);
 *
 * Inside a rewritten tree an expression of type `_Float16` is therefore what an object holds, and `computed` has the floats
 * that stand for expressions of that type.
 */
import { lastOf } from "../../../core/checked/access.ts";
import { asNode } from "../../../core/ir/model/ir.ts";
import {
  arrayOf,
  build,
  calleeType,
  canonical,
  evaluate,
  FLOAT,
  halfBits,
  isArithmetic,
  SIZE,
  unqualified,
  walkStmt,
} from "../../../core/lang/index.ts";
import type { BinaryOp, Expr, Init, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";
import { type Kernel, type LoweredRegion, mapBodies } from "../device/device.ts";
import { calledFunction } from "../device/math.ts";
import { resolved } from "../legalise/resolved.ts";
import { oncePlace, statementExpression, type Valued, withChanges } from "../legalise/single-evaluation.ts";
import { atomicOfHalf } from "./atomics.ts";
import { type Combined, combinedAsFloats } from "./combined.ts";
import { HALF, halfValue, isHalf, storedHalf } from "./conversions.ts";

const { assign, binary, cast, declare, exprStmt, freshSymbol, ident, intLit } = build;

/** The region with halves as numbers that are only stored. */
export function withHalfStorage(region: LoweredRegion): LoweredRegion {
  if (!usesHalf(region)) return region;
  const scratch = new Map<Symbol, Symbol>();
  const asFloats = (of: Symbol): Symbol => {
    const known = scratch.get(of);
    if (known) return known;
    const array = canonical(of.type);
    const size = array.kind === "array" ? array.size : 1;
    const made = { ...freshSymbol(of.name, arrayOf(FLOAT, size)), ...(of.attrs && { attrs: of.attrs }) };
    scratch.set(of, made);
    return made;
  };
  const rewritten = mapBodies(resolved(region), (body) => new Storage(asFloats).of(body));
  return { ...rewritten, kernels: rewritten.kernels.map((k) => withScratch(k, scratch)) };
}

/** Group memory through which sums go, as floats. */
function withScratch(kernel: Kernel, scratch: ReadonlyMap<Symbol, Symbol>): Kernel {
  const used = new Set<Symbol>();
  for (const s of kernel.body)
    walkStmt(s, {
      expr(e) {
        if (e.kind === "ident") used.add(e.sym);
      },
    });
  const shared = kernel.shared.flatMap((sym) => {
    const floats = scratch.get(sym);
    return floats ? [sym, floats].filter((each) => used.has(each)) : [sym];
  });
  return { ...kernel, shared };
}

function usesHalf({ functions, kernels }: LoweredRegion): boolean {
  let found = false;
  const visit = {
    expr(e: Expr): void {
      found ||= isHalf(e.type);
    },
    stmt(s: Stmt): void {
      if (s.kind === "decl") found ||= s.decls.some(({ sym }) => isHalf(sym.type));
    },
  };
  for (const f of functions) walkStmt(f.body, visit);
  for (const k of kernels) for (const s of k.body) walkStmt(s, visit);
  return found;
}

class Storage {
  private readonly asFloats: (scratch: Symbol) => Symbol;
  /** Floats that stand for expressions of type `_Float16`. */
  private readonly computed = new Set<Expr>();

  constructor(asFloats: (scratch: Symbol) => Symbol) {
    this.asFloats = asFloats;
  }

  of(body: Stmt): Stmt {
    return withChanges(
      body,
      (e, valued) => this.expression(e, valued),
      (s) => this.statement(s),
    );
  }

  // -------------------------------------------------------------- values

  private isNumber(e: Expr): boolean {
    return isHalf(e.type) || this.computed.has(e);
  }

  private float(e: Expr): Expr {
    this.computed.add(e);
    return e;
  }

  /** As an operand. Integers beside halves become floats, as C converts them to the common type. */
  private readonly value = (e: Expr): Expr => {
    if (!isHalf(e.type)) return e;
    return isPending(e) ? cast(FLOAT, e.arg, e.span) : halfValue(e);
  };

  /** As an object of type `_Float16` gets it; what is none stays. */
  private readonly stored = (e: Expr): Expr => {
    if (isPending(e)) return rounded(e.arg);
    return this.computed.has(e) ? rounded(e) : e;
  };

  private readonly initial = (init: Init): Init => {
    if (init.kind === "expr") {
      const expr = this.stored(init.expr);
      return expr === init.expr ? init : { ...init, expr };
    }
    return { ...init, items: init.items.map((item) => ({ ...item, init: this.initial(item.init) })) };
  };

  // -------------------------------------------------------------- expressions

  private expression(e: Expr, valued: Valued): Expr {
    switch (e.kind) {
      case "float":
        return isHalf(e.type) ? this.float(asFloat(e)) : e;
      case "cast":
        return this.cast(e);
      case "unary":
        return this.unary(e);
      case "binary":
        return this.binary(e);
      case "cond":
        return this.conditional(e);
      case "comma":
        return this.computed.has(e.right) ? this.float({ ...e, type: FLOAT }) : e;
      case "assign":
        return this.assignment(e);
      case "incdec":
        return isHalf(e.arg.type) ? step(e, valued) : e;
      case "call":
        return this.call(e);
      case "compound":
        return { ...e, init: this.initial(e.init) };
      case "sizeof":
        return e.arg && this.isNumber(e.arg) ? intLit(2, SIZE, e.span) : e;
      case "stmt-expr":
        return isHalf(e.type) ? this.lastStored(e) : e;
      default:
        return e;
    }
  }

  private cast(e: Expr & { readonly kind: "cast" }): Expr {
    if (!isHalf(e.to))
      return this.isNumber(e.arg) && isArithmetic(e.to) ? { ...e, arg: this.value(e.arg) } : e;
    if (e.implicit || (isHalf(e.arg.type) && !isPending(e.arg))) return e;
    return rounded(this.value(e.arg));
  }

  private unary(e: Expr & { readonly kind: "unary" }): Expr {
    if (!this.isNumber(e.arg) || e.op === "&") return e;
    if (e.op === "__imag__") return this.float(build.floatLit(0, FLOAT, e.span));
    if (e.op === "__extension__" && !this.computed.has(e.arg)) return e;
    const arg = this.value(e.arg);
    return isHalf(e.type) ? this.float({ ...e, arg, type: FLOAT }) : { ...e, arg };
  }

  private binary(e: Expr & { readonly kind: "binary" }): Expr {
    if (!this.isNumber(e.left) && !this.isNumber(e.right)) return e;
    const operands = { left: this.value(e.left), right: this.value(e.right) };
    return isHalf(e.type) ? this.float({ ...e, ...operands, type: FLOAT }) : { ...e, ...operands };
  }

  private conditional(e: Expr & { readonly kind: "cond" }): Expr {
    const test = this.value(e.test);
    if (!isHalf(e.type)) return test === e.test ? e : { ...e, test };
    const then = e.then && this.value(e.then);
    return this.float({ ...e, test, ...(then && { then }), else: this.value(e.else), type: FLOAT });
  }

  private assignment(e: Expr & { readonly kind: "assign" }): Expr {
    const op = e.op.slice(0, -1) as BinaryOp;
    if (isHalf(e.left.type)) {
      if (e.op === "=") return { ...e, right: this.stored(e.right) };
      const right = this.value(e.right);
      return oncePlace(e.left, (place) => assigned(place, rounded(binary(op, halfValue(place), right)), e));
    }
    if (!this.isNumber(e.right)) return e;
    const right = this.value(e.right);
    if (e.op === "=") return { ...e, right };
    // An integer is computed with in float, too.
    const type = unqualified(e.left.type);
    return oncePlace(e.left, (place) =>
      assigned(place, cast(type, binary(op, cast(FLOAT, place), right)), e),
    );
  }

  private call(e: Expr & { readonly kind: "call" }): Expr {
    const builtin = /^(fabs|copysign)f16$/.exec(calledFunction(e) ?? "")?.[1];
    if (builtin) return this.float(inFloat(e, builtin, e.args.map(this.passed)));
    const type = calleeType(e.callee.type);
    const args = e.args.map((arg, k) => {
      const param = type && !type.unprototyped ? type.params[k] : undefined;
      return (param && isHalf(param.type)) || isPending(arg) ? this.stored(arg) : this.value(arg);
    });
    return { ...e, args };
  }

  /** The number that a function gets for a parameter of type `_Float16`. */
  private readonly passed = (arg: Expr): Expr => {
    const own = this.stored(arg);
    return halfValue(isHalf(own.type) ? own : rounded(own));
  };

  /** The value of `({ ...; x; })` is rounded. */
  private lastStored(e: Expr & { readonly kind: "stmt-expr" }): Expr {
    const last = lastOf(e.body.body);
    if (last.kind !== "expr" || !last.expr) return e;
    const expr = this.stored(last.expr);
    if (expr === last.expr) return e;
    return { ...e, body: { ...e.body, body: [...e.body.body.slice(0, -1), { ...last, expr }] } };
  }

  // -------------------------------------------------------------- statements

  private statement(s: Stmt): Stmt {
    switch (s.kind) {
      case "decl":
        return {
          ...s,
          decls: s.decls.map((d) => (d.init ? { ...d, init: this.initial(d.init) } : d)),
        };
      case "return": {
        const value = s.value && this.stored(s.value);
        return value === s.value ? s : { ...s, ...(value && { value }) };
      }
      case "if":
      case "while":
      case "do":
        return { ...s, test: this.value(s.test) };
      case "for":
        return s.test ? { ...s, test: this.value(s.test) } : s;
      case "ext":
        return this.extension(s);
      default:
        return s;
    }
  }

  private extension(s: Stmt & { readonly kind: "ext" }): Stmt {
    const atomic = asNode(s, "atomic");
    if (atomic) return atomicOfHalf(s, atomic, { value: this.value, stored: this.stored });
    if (["group-reduce", "team-reduce", "team-scan"].includes(s.ext.kind))
      return combinedAsFloats(s, s.ext as Combined, this.asFloats);
    return s;
  }
}

/** An implicit conversion to `_Float16`: what stands around decides whether it rounds. */
const isPending = (e: Expr): e is Expr & { readonly kind: "cast" } =>
  e.kind === "cast" && e.implicit === true && isHalf(e.to);

/** Constants have the digits of a float until they are stored. */
function asFloat(e: Expr & { readonly kind: "float" }): Expr {
  const text = e.text.replace(/f16$/i, "f");
  return { ...e, value: Math.fround(e.value), text, type: FLOAT };
}

/** The bits of a number, by which a constant is spelled. */
function rounded(number: Expr): Expr {
  const value = evaluate(number);
  if (value === undefined) return storedHalf(number);
  const bits = halfBits(Number(value));
  return { kind: "int", value: BigInt(bits), text: `0x${bits.toString(16)}`, type: HALF, span: number.span };
}

const assigned = (place: Expr, right: Expr, like: Expr): Expr => ({
  ...assign(place, right),
  span: like.span,
});

/** `++` and `--` add and subtract 1. */
function step(e: Expr & { readonly kind: "incdec" }, valued: Valued): Expr {
  const op = e.op === "++" ? "+" : "-";
  const change = oncePlace(e.arg, (place) =>
    assigned(place, rounded(binary(op, halfValue(place), intLit(1))), e),
  );
  if (e.prefix) return change;
  const value = oncePlace(e.arg, (place) => {
    const old = freshSymbol("arc_value", HALF);
    const next = assigned(place, rounded(binary(op, halfValue(ident(old)), intLit(1))), e);
    return statementExpression([declare(old, place), exprStmt(next)], ident(old));
  });
  return valued(change, value);
}

/** A builtin whose result is exact, by the function of floats. */
function inFloat(e: Expr & { readonly kind: "call" }, name: string, args: readonly Expr[]): Expr {
  const callee = stripImplicit(e.callee);
  if (callee.kind !== "ident") return e;
  const ofFloats = { ...callee.sym, name: `__builtin_${name}f` };
  return { ...e, callee: ident(ofFloats, e.callee.span), args, type: FLOAT };
}
