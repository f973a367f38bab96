/**
 * The memory accesses of an expression in order of evaluation. Where C leaves the order of operands open, they come
 * from left to right, and the right side of an assignment before its left.
 */

import { isInteger } from "../../lang/index.ts";
import type { Expr, Init, Stmt } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { isArray } from "../analysis/access.ts";

/** `update`: the object is read, and the value written may depend on it, as with `+=`. */
export interface Touch {
  readonly mode: "read" | "write";
  readonly update: boolean;
}

export abstract class EvaluationWalk {
  /** An object without conversions; reads needed to locate it were visited before. */
  protected abstract touch(object: Expr, how: Touch): void;
  protected abstract call(e: Expr & { readonly kind: "call" }): void;
  /** Visits code that is evaluated only if `test` is (not) zero. */
  protected abstract maybe(test: Expr, holds: boolean, inside: () => void): void;
  protected abstract stmt(s: Stmt): void;
  protected builtin(_: Expr & { readonly kind: "builtin" }): void {}

  protected value(e: Expr): void {
    switch (e.kind) {
      case "ident":
      case "index":
      case "member":
        return this.access(e, { mode: "read", update: false });
      case "unary":
        if (e.op === "*") return this.access(e, { mode: "read", update: false });
        return e.op === "&" ? this.path(e.arg) : this.value(e.arg);
      case "cast":
        // An array name converted to a pointer accesses nothing yet.
        return isArray(e.arg) ? this.path(e.arg) : this.value(e.arg);
      case "incdec":
        return this.access(e.arg, { mode: "read", update: true }, { mode: "write", update: true });
      case "assign":
        return this.assign(e);
      case "binary":
        this.value(e.left);
        if (e.op === "&&" || e.op === "||")
          return this.maybe(e.left, e.op === "&&", () => this.value(e.right));
        return this.value(e.right);
      case "comma":
        this.value(e.left);
        return this.value(e.right);
      case "cond":
        this.value(e.test);
        if (e.then) this.maybe(e.test, true, () => this.value(e.then as Expr));
        return this.maybe(e.test, false, () => this.value(e.else));
      case "call":
        return this.call(e);
      case "compound":
        return this.init(e.init);
      case "generic": {
        const chosen = e.assocs[e.chosen];
        if (chosen) this.value(chosen.value);
        return;
      }
      case "stmt-expr":
        return this.stmt(e.body);
      case "builtin":
        return this.builtin(e);
      default:
        return;
    }
  }

  protected assign(e: Expr & { readonly kind: "assign" }): void {
    this.value(e.right);
    const write: Touch = { mode: "write", update: e.op !== "=" };
    if (e.op === "=") this.access(e.left, write);
    else this.access(e.left, { mode: "read", update: true }, write);
  }

  protected init(init: Init): void {
    if (init.kind === "expr") this.value(init.expr);
    else for (const item of init.items) this.init(item.init);
  }

  /** Touches an object in several ways, after the reads that locate it. */
  protected access(e: Expr, ...how: readonly Touch[]): void {
    const object = stripImplicit(e);
    if (object.kind === "ident" && object.sym.kind !== "var" && object.sym.kind !== "param") return;
    if (!isObject(object)) return this.value(object);
    this.path(object);
    for (const one of how) this.touch(object, one);
  }

  /** The reads that locate the object `e`: subscripts, and pointers on the way. */
  protected path(e: Expr): void {
    switch (e.kind) {
      case "index": {
        const [base, index] = indexed(e);
        this.value(index);
        return isArray(base) ? this.path(base) : this.value(base);
      }
      case "member":
        return e.arrow ? this.value(e.base) : this.path(e.base);
      case "unary":
        return e.op === "*" ? this.value(e.arg) : this.path(e.arg);
      case "cast":
        return isArray(e.arg) ? this.path(e.arg) : this.value(e.arg);
      case "ident":
        return;
      default:
        return this.value(e);
    }
  }
}

/** The array and the subscript: `1[a]` is `a[1]`. */
export function indexed(e: Expr & { readonly kind: "index" }): [Expr, Expr] {
  return isInteger(e.base.type) ? [e.index, e.base] : [e.base, e.index];
}

function isObject(e: Expr): boolean {
  return (
    e.kind === "ident" ||
    e.kind === "index" ||
    e.kind === "member" ||
    (e.kind === "unary" && ["*", "__real__", "__imag__"].includes(e.op))
  );
}
