/** The memory that a loop's body touches, in a form that lets two accesses be compared. */

import {
  canonical,
  elementType,
  evaluateInteger,
  intKind,
  isInteger,
  isPointer,
  isScalar,
  printExpr,
  sizeOf,
  walkStmt,
} from "../../lang/index.ts";
import type { CType, Expr, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { isArray, type Uses } from "../analysis/access.ts";
import type { Base } from "../analysis/alias.ts";
import { keepsValue } from "../analysis/loops/affine.ts";
import { countedHeader } from "../analysis/loops/counted.ts";
import {
  add,
  constant,
  constantValue,
  multiply,
  negate,
  type Polynomial,
  type Range,
  subtract,
  type Variable,
  variable,
  variables,
} from "../analysis/loops/polynomial.ts";
import { isVolatile, pureReads } from "../analysis/purity.ts";
import type { IrNode, LoopHeader } from "../model/ir.ts";
import { EvaluationWalk, indexed, type Touch } from "./evaluation.ts";

/** From a base to the part of it that is accessed, outermost first. */
export type Step =
  /** `at` undefined: the element is unknown. */
  | { readonly is: "index"; readonly at: Polynomial | undefined }
  /** `apart`: other fields of the record occupy other bytes. */
  | { readonly is: "field"; readonly name: string; readonly apart: boolean };

interface Place {
  readonly base: Base;
  readonly steps: readonly Step[];
}

/** A counted loop's variable. */
export interface Counter {
  readonly id: Variable;
  readonly range: Range;
  /** Its first value and step, if known. */
  readonly lower?: Polynomial;
  readonly step?: bigint;
}

export interface Reference {
  readonly place: Place;
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

/** A multiplication of an unsigned value by more than this is assumed to wrap intentionally. */
const wrapsBeyond = 1n << 16n;

class Collector extends EvaluationWalk {
  private readonly uses: Uses;
  private readonly own: ReadonlySet<Symbol>;
  private readonly list: Reference[] = [];
  private readonly unsigned = new Set<Variable>();
  private obstacle: Obstacle | undefined;
  /** Counters of the loops around the current position. */
  private readonly counters = new Map<Symbol, Counter>();
  /** Start values of loop variables that are pointers. */
  private readonly starts = new Map<Symbol, Expr>();
  private nest: readonly Counter[] = [];
  private active: readonly Counter[] = [];
  /** Initialisers of the body's variables that are never assigned again. */
  private readonly initial = new Map<Symbol, Expr>();
  /** Number of enclosing loops and switches of the body that a `break` may leave. */
  private breakable = 0;
  /** Number of enclosing constructs whose contents may not run. */
  private conditional = 0;

  constructor(uses: Uses, own: ReadonlySet<Symbol>) {
    super();
    this.uses = uses;
    this.own = own;
  }

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
    this.record(this.place(object), object.type, mode, object);
  }

  private atomic(e: Expr): void {
    const object = stripImplicit(e);
    this.path(object);
    this.object(object, "atomic");
  }

  private record(place: Place, type: CType, mode: Reference["mode"], expr: Expr): void {
    if (place.base.is === "variable" && this.isOwn(place.base.sym)) return;
    this.list.push({ place, type, mode, expr, loops: this.active, always: this.conditional === 0 });
  }

  private isOwn(sym: Symbol): boolean {
    if (this.own.has(sym) || this.counters.has(sym)) return true;
    return this.uses.declared.has(sym) && sym.storage !== "static" && sym.storage !== "extern";
  }

  // ---------------------------------------------------------------- places

  private place(e: Expr): Place {
    switch (e.kind) {
      case "ident":
        return { base: { is: "variable", sym: e.sym }, steps: [] };
      case "index": {
        const [base, index] = indexed(e);
        const at = this.polynomial(index);
        if (!isArray(base)) return moved(this.pointee(base), at);
        const array = this.place(base);
        return { ...array, steps: [...array.steps, { is: "index", at }] };
      }
      case "member": {
        const record = e.arrow ? this.pointee(e.base) : this.place(e.base);
        return { ...record, steps: [...record.steps, fieldStep(e)] };
      }
      case "unary":
        return e.op === "*" ? this.pointee(e.arg) : this.place(e.arg);
      case "cast":
        return e.implicit ? this.place(e.arg) : { base: { is: "unknown" }, steps: [] };
      default:
        return { base: { is: "unknown" }, steps: [] };
    }
  }

  /** The target of a pointer value. */
  private pointee(e: Expr): Place {
    const nowhere: Place = { base: { is: "unknown" }, steps: [] };
    switch (e.kind) {
      case "cast": {
        if (isArray(e.arg)) {
          const array = this.place(e.arg);
          return { ...array, steps: [...array.steps, { is: "index", at: constant(0) }] };
        }
        if (!isPointer(e.arg.type)) return nowhere;
        return reread(this.pointee(e.arg), elementType(e.arg.type), elementType(e.to));
      }
      case "ident": {
        const value = this.initial.get(e.sym);
        if (value) return this.pointee(value);
        const counter = this.counters.get(e.sym);
        const start = this.starts.get(e.sym);
        if (counter && start) return moved(this.pointee(start), variable(counter.id));
        const changes = this.uses.of.get(e.sym)?.written || this.uses.declared.has(e.sym);
        const at = changes ? undefined : constant(0);
        return { base: { is: "pointee", sym: e.sym }, steps: [{ is: "index", at }] };
      }
      case "binary": {
        const [pointer, offset] = isPointer(e.left.type) ? [e.left, e.right] : [e.right, e.left];
        const by = this.polynomial(offset);
        return moved(this.pointee(pointer), by && (e.op === "-" ? negate(by) : by));
      }
      case "unary":
        return e.op === "&" ? this.place(stripImplicit(e.arg)) : this.loaded(e);
      case "index":
      case "member":
        return this.loaded(e);
      case "incdec":
      case "assign": {
        const place = this.pointee(e.kind === "incdec" ? e.arg : e.left);
        return e.kind === "assign" && e.op === "=" ? nowhere : moved(place, undefined);
      }
      default:
        return nowhere;
    }
  }

  /** A pointer stored in memory: the same throughout the loop if its own location is. */
  private loaded(e: Expr): Place {
    const { base, steps } = this.place(e);
    const fixed = steps.every((s) => s.is === "field" || (s.at && this.isFixed(s.at)));
    const local = base.is === "variable" && this.isOwn(base.sym);
    if (base.is === "unknown" || !fixed || local) return { base: { is: "unknown" }, steps: [] };
    return { base: { is: "loaded", text: printExpr(e) }, steps: [{ is: "index", at: constant(0) }] };
  }

  private isFixed(p: Polynomial): boolean {
    const varying = new Set([...this.nest, ...this.active].map((c) => c.id));
    return [...variables(p)].every((v) => !varying.has(v));
  }

  // ---------------------------------------------------------------- subscripts

  private polynomial(e: Expr): Polynomial | undefined {
    const result = this.arithmetic(e);
    const kind = result && intKind(canonical(e.type));
    if (!result || !kind?.startsWith("u")) return result;
    const limit = kind === "uint" ? wrapsBeyond : wrapsBeyond ** 2n;
    return [...result].every(([m, c]) => m === "" || (c < limit && c > -limit)) ? result : undefined;
  }

  private arithmetic(e: Expr): Polynomial | undefined {
    if (!isInteger(e.type)) return undefined;
    const value = evaluateInteger(e);
    if (value !== undefined) return constant(value);
    switch (e.kind) {
      case "ident":
        return this.variableValue(e.sym);
      case "cast":
        return keepsValue(e.arg.type, e.to) ? this.polynomial(e.arg) : undefined;
      case "unary": {
        const arg = e.op === "-" || e.op === "+" ? this.polynomial(e.arg) : undefined;
        return arg && (e.op === "-" ? negate(arg) : arg);
      }
      case "binary": {
        const [a, b] = [this.polynomial(e.left), this.polynomial(e.right)];
        if (!a || !b) return undefined;
        if (e.op === "+") return add(a, b);
        if (e.op === "-") return subtract(a, b);
        if (e.op === "*") return multiply(a, b);
        const by = e.op === "<<" ? constantValue(b) : undefined;
        return by !== undefined && by >= 0n && by < 32n ? multiply(a, constant(1n << by)) : undefined;
      }
      default:
        return undefined;
    }
  }

  private variableValue(sym: Symbol): Polynomial | undefined {
    const counter = this.counters.get(sym);
    if (counter) return variable(counter.id);
    const value = this.initial.get(sym);
    if (value) return keepsValue(value.type, sym.type) ? this.polynomial(value) : undefined;
    const use = this.uses.of.get(sym);
    if (use?.written || use?.addressTaken || this.uses.declared.has(sym) || isVolatile(sym.type))
      return undefined;
    if (intKind(canonical(sym.type))?.startsWith("u")) this.unsigned.add(idOf(sym));
    return variable(idOf(sym));
  }
}

/** Name of a variable in polynomials. */
export const idOf = (sym: Symbol): Variable => `${sym.name}#${sym.id}`;

function rangeOf(
  relation: LoopHeader["relation"],
  lower: Polynomial | undefined,
  bound: Polynomial | undefined,
  step: bigint | undefined,
): Range {
  const one = constant(1);
  const up = relation === "<" || relation === "<=" || (relation === "!=" && step === 1n);
  const down = relation === ">" || relation === ">=" || (relation === "!=" && step === -1n);
  const last =
    bound && (relation === "<=" || relation === ">=" ? bound : up ? subtract(bound, one) : add(bound, one));
  const [low, high] = up ? [lower, last] : down ? [last, lower] : [undefined, undefined];
  return { ...(low && { low }), ...(high && { high }) };
}

/** `place` moved by `by` elements. */
function moved(place: Place, by: Polynomial | undefined): Place {
  const last = place.steps.at(-1);
  if (last?.is === "index")
    return {
      ...place,
      steps: [...place.steps.slice(0, -1), { is: "index", at: last.at && by && add(last.at, by) }],
    };
  if (by && constantValue(by) === 0n) return place;
  return { base: place.base, steps: [{ is: "index", at: undefined }] };
}

/** The target of a pointer that was cast to elements of another size. */
function reread(place: Place, from: CType | undefined, to: CType | undefined): Place {
  const last = place.steps.at(-1);
  const sizes = [from, to].map((t) => t && t.kind !== "void" && sizeOf(t));
  if (sizes[0] && sizes[0] === sizes[1]) return place;
  if (last?.is === "index" && last.at && constantValue(last.at) === 0n) return place;
  return { base: place.base, steps: [{ is: "index", at: undefined }] };
}

function fieldStep(e: Expr & { readonly kind: "member" }): Step {
  const record = canonical(e.arrow ? (elementType(e.base.type) ?? e.base.type) : e.base.type);
  const field = record.kind === "record" ? record.decl.fields?.find((f) => f.name === e.name) : undefined;
  const apart =
    record.kind === "record" && !record.decl.union && field !== undefined && field.bits === undefined;
  return { is: "field", name: e.name, apart };
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
