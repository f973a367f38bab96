/** Expressions of a loop to memory locations, and subscripts to polynomials, by the variables that hold where a walk stands. */
import {
  canonical,
  elementType,
  evaluateInteger,
  intKind,
  isInteger,
  isPointer,
  printExpr,
} from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { isArray, type Uses } from "../analysis/access.ts";
import { keepsValue } from "../analysis/loops/affine.ts";
import {
  add,
  constant,
  constantValue,
  multiply,
  negate,
  type Polynomial,
  subtract,
  type Variable,
  variable,
  variables,
} from "../analysis/loops/polynomial.ts";
import { isVolatile } from "../analysis/purity.ts";
import { EvaluationWalk, indexed } from "./evaluation.ts";
import { type Counter, fieldStep, idOf, type MemoryLocation, moved, reread } from "./memory-location.ts";

/** A multiplication of an unsigned value by more than this is assumed to wrap intentionally. */
const wrapsBeyond = 1n << 16n;

export abstract class MemoryLocationWalk extends EvaluationWalk {
  protected readonly uses: Uses;
  protected readonly own: ReadonlySet<Symbol>;
  protected readonly unsigned = new Set<Variable>();
  /** Counters of the loops around the current position. */
  protected readonly counters = new Map<Symbol, Counter>();
  /** Start values of loop variables that are pointers. */
  protected readonly starts = new Map<Symbol, Expr>();
  protected nest: readonly Counter[] = [];
  protected active: readonly Counter[] = [];
  /** Initialisers of the body's variables that are never assigned again. */
  protected readonly initial = new Map<Symbol, Expr>();

  constructor(uses: Uses, own: ReadonlySet<Symbol>) {
    super();
    this.uses = uses;
    this.own = own;
  }

  protected isOwn(sym: Symbol): boolean {
    if (this.own.has(sym) || this.counters.has(sym)) return true;
    return this.uses.declared.has(sym) && sym.storage !== "static" && sym.storage !== "extern";
  }

  // ---------------------------------------------------------------- memory locations

  protected location(e: Expr): MemoryLocation {
    switch (e.kind) {
      case "ident":
        return { base: { is: "variable", sym: e.sym }, steps: [] };
      case "index": {
        const [base, index] = indexed(e);
        const at = this.polynomial(index);
        if (!isArray(base)) return moved(this.pointee(base), at);
        const array = this.location(base);
        return { ...array, steps: [...array.steps, { is: "index", at }] };
      }
      case "member": {
        const record = e.arrow ? this.pointee(e.base) : this.location(e.base);
        return { ...record, steps: [...record.steps, fieldStep(e)] };
      }
      case "unary":
        return e.op === "*" ? this.pointee(e.arg) : this.location(e.arg);
      case "cast":
        return e.implicit ? this.location(e.arg) : { base: { is: "unknown" }, steps: [] };
      default:
        return { base: { is: "unknown" }, steps: [] };
    }
  }

  /** The target of a pointer value. */
  protected pointee(e: Expr): MemoryLocation {
    const nowhere: MemoryLocation = { base: { is: "unknown" }, steps: [] };
    switch (e.kind) {
      case "cast": {
        if (isArray(e.arg)) {
          const array = this.location(e.arg);
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
        return e.op === "&" ? this.location(stripImplicit(e.arg)) : this.loaded(e);
      case "index":
      case "member":
        return this.loaded(e);
      case "incdec":
      case "assign": {
        const location = this.pointee(e.kind === "incdec" ? e.arg : e.left);
        return e.kind === "assign" && e.op === "=" ? nowhere : moved(location, undefined);
      }
      default:
        return nowhere;
    }
  }

  /** A pointer stored in memory: the same throughout the loop if its own location is. */
  private loaded(e: Expr): MemoryLocation {
    const { base, steps } = this.location(e);
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

  protected polynomial(e: Expr): Polynomial | undefined {
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
