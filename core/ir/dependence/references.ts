/** The memory that a loop's body touches, in a form that lets two accesses be compared. */

import {
  canonical,
  elementType,
  evaluateInteger,
  isPointer,
  isScalar,
  printExpr,
  walkStmt,
} from "../../lang/index.ts";
import type { CType, Expr, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Uses } from "../analysis/access.ts";
import { countedHeader } from "../analysis/loops/counted.ts";
import { constant, type Variable } from "../analysis/loops/polynomial.ts";
import { isVolatile, pureReads } from "../analysis/purity.ts";
import type { IrNode, LoopHeader } from "../model/ir.ts";
import type { Touch } from "./evaluation.ts";
import { type Counter, idOf, type MemoryLocation, rangeOf } from "./memory-location.ts";
import { MemoryLocationWalk } from "./memory-location-walk.ts";

export interface Reference {
  readonly location: MemoryLocation;
  readonly type: CType;
  readonly mode: "read" | "write" | "atomic";
  readonly expr: Expr;
  /** The counted loops around it inside the body, outermost first. */
  readonly loops: readonly Counter[];
  /** The access is made in every iteration of all of them. */
  readonly always: boolean;
}

/** Why a body cannot be analysed. */
interface Obstacle {
  readonly why: string;
  readonly loc: Loc;
}

export interface References {
  readonly list: readonly Reference[];
  /** The variables of the nest, outermost first. */
  readonly nest: readonly Counter[];
  /** Variables that are never negative. */
  readonly unsigned: ReadonlySet<Variable>;
  readonly obstacle?: Obstacle;
}

/**
 * `uses`: uses of the body. `own`: variables private to each iteration. Index arithmetic is assumed not to wrap, which
 * C guarantees for signed integers only.
 */
export function referencesOf(
  headers: readonly LoopHeader[],
  body: Stmt,
  uses: Uses,
  own: ReadonlySet<Symbol>,
): References {
  return new Collector(uses, own).run(headers, body);
}

class Collector extends MemoryLocationWalk {
  private readonly list: Reference[] = [];
  private obstacle: Obstacle | undefined;
  /** Number of enclosing loops and switches of the body that a `break` may leave. */
  private breakable = 0;
  /** Number of enclosing constructs whose contents may not run. */
  private conditional = 0;

  run(headers: readonly LoopHeader[], body: Stmt): References {
    for (const h of headers) {
      for (const e of [h.lower, h.bound, h.step]) this.value(e);
      this.nest = [...this.nest, this.enter(h)];
    }
    this.unlessLeft(body, () => this.stmt(body));
    const { list, nest, unsigned, obstacle } = this;
    return { list, nest, unsigned, ...(obstacle && { obstacle }) };
  }

  private stop(why: string, at: { readonly span: { readonly start: Loc } }): void {
    this.obstacle ??= { why, loc: at.span.start };
  }

  // ---------------------------------------------------------------- loops

  private enter(h: LoopHeader): Counter {
    const step = evaluateInteger(h.step);
    const counter = isPointer(h.var.type) ? this.pointerCounter(h, step) : this.counter(h, step);
    this.counters.set(h.var, counter);
    return counter;
  }

  private counter(h: LoopHeader, step: bigint | undefined): Counter {
    const [lower, bound] = [this.polynomial(h.lower), this.polynomial(h.bound)];
    const range = rangeOf(h.relation, lower, bound, step);
    return { id: idOf(h.var), range, ...(lower && { lower }), ...(step !== undefined && { step }) };
  }

  /** Counts elements from the pointer's start. */
  private pointerCounter(h: LoopHeader, step: bigint | undefined): Counter {
    this.starts.set(h.var, h.lower);
    const zero = constant(0);
    const range = step === undefined ? {} : step > 0n ? { low: zero } : { high: zero };
    return { id: idOf(h.var), range, lower: zero, ...(step !== undefined && { step }) };
  }

  private inside(headers: readonly LoopHeader[], body: Stmt): void {
    const outer = this.active;
    for (const h of headers) {
      for (const e of [h.lower, h.bound, h.step]) this.value(e);
      this.active = [...this.active, this.enter(h)];
    }
    this.breakable++;
    this.unlessLeft(body, () => this.stmt(body));
    this.breakable--;
    for (const h of headers) this.counters.delete(h.var);
    this.active = outer;
  }

  /** If a loop's body may be left early, not every iteration runs all of it. */
  private unlessLeft(body: Stmt, walk: () => void): void {
    if (leaves(body)) this.sometimes(walk);
    else walk();
  }

  private sometimes(walk: () => void): void {
    this.conditional++;
    walk();
    this.conditional--;
  }

  protected maybe(_test: Expr, _holds: boolean, walk: () => void): void {
    this.sometimes(walk);
  }

  // ---------------------------------------------------------------- statements

  protected stmt(s: Stmt): void {
    switch (s.kind) {
      case "expr":
        if (s.expr) this.value(s.expr);
        return;
      case "decl":
        for (const { sym, init } of s.decls) {
          if (isVolatile(sym.type)) this.stop(`'${sym.name}' is volatile`, s);
          if (init) this.init(init);
          const use = this.uses.of.get(sym);
          if (init?.kind === "expr" && !use?.written && !use?.addressTaken) this.initial.set(sym, init.expr);
        }
        return;
      case "compound":
        for (const child of s.body) this.stmt(child);
        return;
      case "if":
        this.value(s.test);
        this.sometimes(() => this.stmt(s.then));
        if (s.else) this.sometimes(() => this.stmt(s.else as Stmt));
        return;
      case "for": {
        const header = countedHeader(s);
        if (!("severity" in header) && this.counts(header, s.body)) {
          this.inside([header], s.body);
          return;
        }
        if (s.init?.kind === "decl") this.stmt(s.init);
        else if (s.init) this.value(s.init);
        for (const e of [s.test, s.step]) if (e) this.value(e);
        this.loopBody(s.body);
        return;
      }
      case "while":
      case "do":
      case "switch":
        this.value(s.test);
        this.loopBody(s.body);
        return;
      case "case":
        this.stmt(s.body);
        return;
      case "return":
        this.stop("it may return from inside the loop", s);
        return;
      case "break":
        if (this.breakable === 0) this.stop("'break' may end it early", s);
        return;
      case "goto":
      case "label":
        this.stop("it jumps with 'goto'", s);
        return;
      case "asm":
        this.stop("it contains assembly code", s);
        return;
      case "ext":
        this.node(s.ext as IrNode, s);
        return;
      default:
        return;
    }
  }

  private loopBody(body: Stmt): void {
    this.breakable++;
    this.sometimes(() => this.stmt(body));
    this.breakable--;
  }

  /** Only the loop's header changes its variable. */
  private counts(header: LoopHeader, body: Stmt): boolean {
    const use = this.uses.of.get(header.var);
    return !use?.addressTaken && !assigns(body, header.var);
  }

  private node(n: IrNode, s: Stmt): void {
    switch (n.kind) {
      case "loop":
        this.inside(n.headers, n.body);
        return;
      case "atomic":
        if (n.value) this.value(n.value);
        if (n.expected) this.value(n.expected);
        this.atomic(n.target);
        if (n.captured) this.access(n.captured, { mode: "write", update: false });
        return;
      case "cache":
        return;
      default:
        this.stop("it contains a directive that is no loop", s);
    }
  }

  protected override builtin(e: Expr & { readonly kind: "builtin" }): void {
    this.stop(`it uses '${e.name}'`, e);
  }

  protected call(e: Expr & { readonly kind: "call" }): void {
    const callee = stripImplicit(e.callee);
    if (callee.kind !== "ident" || callee.sym.kind !== "function")
      return this.stop("it calls a function through a pointer", e);
    const reads = pureReads(callee.sym);
    if (!reads) return this.stop(`it calls '${callee.sym.name}', which may have side effects`, e);
    for (const arg of e.args) {
      this.value(arg);
      if (reads.pointees && isPointer(arg.type)) {
        const { base } = this.pointee(arg);
        const to = elementType(arg.type) ?? arg.type;
        // Through pointers inside the argument's target the function may reach any memory.
        this.record(
          { base: isScalar(to) && !isPointer(to) ? base : { is: "unknown" }, steps: [] },
          to,
          "read",
          e,
        );
      }
    }
    for (const g of reads.globals)
      this.record({ base: { is: "variable", sym: g }, steps: [] }, g.type, "read", e);
  }

  protected touch(object: Expr, { mode }: Touch): void {
    this.object(object, mode);
  }

  private object(object: Expr, mode: Reference["mode"]): void {
    if (isVolatile(object.type) && canonical(object.type).kind !== "pointer")
      this.stop(`'${printExpr(object)}' is volatile`, object);
    this.record(this.location(object), object.type, mode, object);
  }

  private atomic(e: Expr): void {
    const object = stripImplicit(e);
    this.path(object);
    this.object(object, "atomic");
  }

  private record(location: MemoryLocation, type: CType, mode: Reference["mode"], expr: Expr): void {
    if (location.base.is === "variable" && this.isOwn(location.base.sym)) return;
    this.list.push({ location, type, mode, expr, loops: this.active, always: this.conditional === 0 });
  }
}

/** Whether a jump may skip a part of the body. */
function leaves(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    stmt: (s) => {
      if (s.kind === "break" || s.kind === "continue" || s.kind === "goto" || s.kind === "return")
        found = true;
    },
    expr: () => false,
  });
  return found;
}

function assigns(body: Stmt, sym: Symbol): boolean {
  let found = false;
  const visit = (e: Expr) => {
    const target =
      e.kind === "assign" ? stripImplicit(e.left) : e.kind === "incdec" ? stripImplicit(e.arg) : undefined;
    if (target?.kind === "ident" && target.sym === sym) found = true;
  };
  walkStmt(body, { expr: visit });
  return found;
}
