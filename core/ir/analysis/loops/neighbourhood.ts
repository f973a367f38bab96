/**
 * Which elements of an array one iteration touches, relative to a position that moves with the iteration: the
 * neighbourhood of a stencil. Subscripts may use loop variables, scalars that stand for such expressions, variables of
 * inner loops with constant ranges, and choices between such subscripts.
 */

import { evaluateInteger, printExpr, walkExpr, walkStmt } from "../../../lang/index.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { stripImplicit } from "../../../lang/tree/build.ts";
import { asNode, type Loop, type LoopHeader } from "../../model/ir.ts";
import { definitionsIn, forwarded } from "../locals.ts";
import { affine } from "./affine.ts";
import { countedHeader } from "./counted.ts";

/** A subscript relative to the moving position. */
export type Offset =
  | { readonly kind: "sum"; readonly constant: bigint; readonly inner: ReadonlyMap<Symbol, bigint> }
  | { readonly kind: "choice"; readonly test: Expr; readonly then: Offset; readonly else: Offset };

export interface Interval {
  readonly min: bigint;
  readonly max: bigint;
}

/** One `a[e]` in the loop's body. */
export interface ElementAccess {
  /** The index expression in the body; its object identity identifies the access later. */
  readonly expr: Expr & { readonly kind: "index" };
  readonly offset: Offset;
  readonly range: Interval;
  readonly read: boolean;
  readonly written: boolean;
  /** Not executed in every iteration. */
  readonly conditional: boolean;
}

/** The moving position: sum of coefficient * variable. */
export interface Base {
  readonly loop: ReadonlyMap<Symbol, bigint>;
  readonly invariant: ReadonlyMap<Symbol, bigint>;
}

export interface Neighbourhood {
  readonly base: Base;
  readonly accesses: readonly ElementAccess[];
  /** Ranges of the variables of inner loops. */
  readonly ranges: ReadonlyMap<Symbol, Interval>;
}

interface Refusal {
  readonly reason: string;
  readonly loc: Loc;
}

export function isRefusal(x: object): x is Refusal {
  return "reason" in x;
}

/** All accesses of `array` in the body of `loop`, or a refusal if any does not have the form above. */
export function neighbourhood(loop: Loop, array: Symbol): Neighbourhood | Refusal {
  return new Reader(loop, array).run();
}

class Reader {
  private readonly vars: ReadonlySet<Symbol>;
  private readonly definitions: ReadonlyMap<Symbol, Expr>;
  private readonly ranges = new Map<Symbol, Interval>();
  private readonly allRanges = new Map<Symbol, Interval>();
  private readonly accesses: ElementAccess[] = [];
  private base: Base | undefined;
  private refusal: Refusal | undefined;
  private readonly loop: Loop;
  private readonly array: Symbol;
  private readonly changing: ReadonlySet<Symbol>;

  constructor(loop: Loop, array: Symbol) {
    this.loop = loop;
    this.array = array;
    this.vars = new Set(loop.headers.map((h) => h.var));
    this.definitions = definitionsIn(loop.body, loop.privates);
    this.changing = assignedIn(loop.body);
  }

  run(): Neighbourhood | Refusal {
    this.stmt(this.loop.body, false);
    if (this.refusal) return this.refusal;
    if (!this.base) return { reason: `the loop does not use '${this.array.name}'`, loc: this.loop.site.loc };
    return { base: this.base, accesses: this.accesses, ranges: this.allRanges };
  }

  private refuse(reason: string, e: Expr): void {
    this.refusal ??= { reason, loc: e.span.start };
  }

  // -------------------------------------------------------------- finding accesses

  private stmt(s: Stmt, conditional: boolean): void {
    switch (s.kind) {
      case "compound":
        for (const child of s.body) this.stmt(child, conditional);
        return;
      case "if":
        this.expr(s.test, conditional);
        this.stmt(s.then, true);
        if (s.else) this.stmt(s.else, true);
        return;
      case "for": {
        const header = countedHeader(s);
        const counted = !("severity" in header) && !assignedIn(s.body).has(header.var);
        const runs = counted && this.enter(header);
        if (s.init?.kind === "decl") this.stmt(s.init, conditional);
        else if (s.init) this.expr(s.init, conditional);
        if (s.test) this.expr(s.test, conditional);
        if (s.step) this.expr(s.step, conditional || !runs);
        this.stmt(s.body, conditional || !runs);
        if (counted) this.ranges.delete(header.var);
        return;
      }
      case "ext": {
        const { exprs, stmts } = s.ext.shape.parts(s.ext);
        for (const e of exprs) this.expr(e, conditional);
        let runs = true;
        const headers = asNode(s, "loop")?.headers ?? [];
        for (const h of headers) runs = this.enter(h) && runs;
        for (const child of stmts) this.stmt(child, conditional || !runs);
        for (const h of headers) this.ranges.delete(h.var);
        return;
      }
      default: {
        // The expressions of this statement first, then its conditional parts.
        const inner: Stmt[] = [];
        walkStmt(s, {
          stmt: (c) => {
            if (c === s) return undefined;
            inner.push(c);
            return false;
          },
          expr: (e) => {
            this.expr(e, conditional);
            return false;
          },
        });
        for (const child of inner) this.stmt(child, true);
      }
    }
  }

  private expr(e: Expr, conditional: boolean, mode: "read" | "write" | "both" = "read"): void {
    switch (e.kind) {
      case "ident":
        if (e.sym === this.array) this.refuse(`'${e.sym.name}' is used other than with one subscript`, e);
        return;
      case "cast":
        this.expr(e.arg, conditional, mode);
        return;
      case "index": {
        const root = stripImplicit(e.base);
        if (root.kind === "ident" && root.sym === this.array) {
          this.access(e, conditional, mode);
          this.expr(e.index, conditional);
          return;
        }
        this.expr(e.base, conditional, mode);
        this.expr(e.index, conditional);
        return;
      }
      case "member":
        this.expr(e.base, conditional, e.arrow ? "read" : mode);
        return;
      case "assign":
        this.expr(e.right, conditional);
        this.expr(e.left, conditional, e.op === "=" ? "write" : "both");
        return;
      case "incdec":
        this.expr(e.arg, conditional, "both");
        return;
      case "cond":
        this.expr(e.test, conditional);
        if (e.then) this.expr(e.then, true);
        this.expr(e.else, true);
        return;
      case "binary":
        this.expr(e.left, conditional);
        this.expr(e.right, conditional || e.op === "&&" || e.op === "||");
        return;
      case "unary": {
        const target = e.op === "&" ? stripImplicit(e.arg) : undefined;
        if (target && rootIs(target, this.array))
          this.refuse(`the address of an element of '${this.array.name}' is taken`, e);
        this.expr(e.arg, conditional);
        return;
      }
      default: {
        const self = e;
        walkExpr(e, {
          expr: (x) => {
            if (x === self) return undefined;
            this.expr(x, conditional);
            return false;
          },
          stmt: (s) => {
            this.stmt(s, true);
            return false;
          },
        });
      }
    }
  }

  /** Records the range of an inner loop's variable; returns whether the loop certainly runs. */
  private enter(h: LoopHeader): boolean {
    const [lower, bound, step] = [this.interval(h.lower), this.interval(h.bound), evaluateInteger(h.step)];
    if (!lower || !bound || step === undefined || step === 0n || h.relation === "!=") return false;
    const inclusive = h.relation.endsWith("=") ? 0n : 1n;
    const up = step > 0n;
    if (up !== h.relation.startsWith("<")) return false;
    const range = up
      ? { min: lower.min, max: bound.max - inclusive }
      : { min: bound.min + inclusive, max: lower.max };
    if (range.min > range.max) return false;
    this.ranges.set(h.var, range);
    this.allRanges.set(h.var, range);
    return up ? lower.max <= bound.min - inclusive : lower.min >= bound.max + inclusive;
  }

  private interval(e: Expr): Interval | undefined {
    const form = affine(forwarded(e, this.definitions));
    if (!form) return undefined;
    return spread(form.constant, form.terms, this.ranges);
  }

  // -------------------------------------------------------------- subscripts

  private access(e: Expr & { kind: "index" }, conditional: boolean, mode: "read" | "write" | "both"): void {
    const offset = this.offset(forwarded(e.index, this.definitions), e);
    if (!offset) return;
    const range = rangeOf(offset, this.ranges);
    if (!range) {
      this.refuse(`the offset of '${printExpr(e)}' is not constant: an inner loop's range is not known`, e);
      return;
    }
    this.accesses.push({
      expr: e,
      offset,
      range,
      conditional,
      read: mode !== "write",
      written: mode !== "read",
    });
  }

  private offset(index: Expr, at: Expr): Offset | undefined {
    const e = pulled(index);
    if (e.kind === "cond" && e.then) {
      const [then, other] = [this.offset(stripImplicit(e.then), at), this.offset(stripImplicit(e.else), at)];
      return then && other && { kind: "choice", test: e.test, then, else: other };
    }
    const form = affine(e);
    if (!form) {
      this.refuse(`the subscript of '${printExpr(at)}' is not a sum of loop variables and constants`, at);
      return undefined;
    }
    const loop = new Map<Symbol, bigint>();
    const inner = new Map<Symbol, bigint>();
    const invariant = new Map<Symbol, bigint>();
    for (const [sym, c] of form.terms) {
      if (this.vars.has(sym)) loop.set(sym, c);
      else if (this.ranges.has(sym)) inner.set(sym, c);
      else if (this.changing.has(sym)) {
        this.refuse(
          `'${sym.name}' in the subscript of '${printExpr(at)}' changes from one iteration to the next in a way that is not known`,
          at,
        );
        return undefined;
      } else invariant.set(sym, c);
    }
    if (!this.base) this.base = { loop, invariant };
    else if (!sameMap(this.base.loop, loop) || !sameMap(this.base.invariant, invariant)) {
      this.refuse(
        `'${printExpr(at)}' is not at a constant distance from the other accesses of '${this.array.name}'`,
        at,
      );
      return undefined;
    }
    return { kind: "sum", constant: form.constant, inner };
  }
}

/** Turns a choice inside a sum into a choice between sums. */
function pulled(e: Expr): Expr {
  const b = stripImplicit(e);
  if (b.kind === "cast" && b.type.kind !== "float") {
    const inner = pulled(b.arg);
    return inner.kind === "cond" ? inner : b;
  }
  if (b.kind !== "binary" || (b.op !== "+" && b.op !== "-")) return b;
  for (const side of ["left", "right"] as const) {
    const choice = pulled(b[side]);
    if (choice.kind !== "cond" || !choice.then) continue;
    const put = (part: Expr): Expr => ({ ...b, [side]: part });
    return { ...choice, then: put(choice.then), else: put(choice.else), type: b.type };
  }
  return b;
}

function rootIs(e: Expr, array: Symbol): boolean {
  const b = stripImplicit(e);
  if (b.kind === "ident") return b.sym === array;
  return b.kind === "index" || b.kind === "member" ? rootIs(b.base, array) : false;
}

/** Variables that the body sets, except those declared in loop headers. */
function assignedIn(body: Stmt): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  walkStmt(body, {
    expr(e) {
      const target =
        e.kind === "assign"
          ? stripImplicit(e.left)
          : e.kind === "incdec" || (e.kind === "unary" && e.op === "&")
            ? stripImplicit(e.arg)
            : undefined;
      if (target?.kind === "ident") found.add(target.sym);
    },
    stmt(s) {
      if (s.kind === "decl") for (const d of s.decls) found.add(d.sym);
    },
  });
  return found;
}

const least = (a: bigint, b: bigint) => (a < b ? a : b);
const most = (a: bigint, b: bigint) => (a > b ? a : b);

function spread(
  constant: bigint,
  terms: ReadonlyMap<Symbol, bigint>,
  ranges: ReadonlyMap<Symbol, Interval>,
): Interval | undefined {
  let [min, max] = [constant, constant];
  for (const [sym, c] of terms) {
    const r = ranges.get(sym);
    if (!r) return undefined;
    min += c > 0n ? c * r.min : c * r.max;
    max += c > 0n ? c * r.max : c * r.min;
  }
  return { min, max };
}

function rangeOf(offset: Offset, ranges: ReadonlyMap<Symbol, Interval>): Interval | undefined {
  if (offset.kind === "sum") return spread(offset.constant, offset.inner, ranges);
  const [a, b] = [rangeOf(offset.then, ranges), rangeOf(offset.else, ranges)];
  return a && b && { min: least(a.min, b.min), max: most(a.max, b.max) };
}

function sameMap(a: ReadonlyMap<Symbol, bigint>, b: ReadonlyMap<Symbol, bigint>): boolean {
  return a.size === b.size && [...a].every(([s, c]) => b.get(s) === c);
}
