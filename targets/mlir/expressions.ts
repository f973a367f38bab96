/** C expressions as operations of arith, math and memref. */
import { firstOf } from "../../core/checked/access.ts";
import {
  canonical,
  INT,
  isArithmetic,
  isArray,
  isPointer,
  isVoid,
  sizeOf,
  usualArithmetic,
} from "../../core/lang/index.ts";
import type { BinaryOp, CType, Expr, Symbol } from "../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../core/lang/tree/build.ts";
import { type WorkItemId, workItemIdOf } from "../shared/device/device.ts";
import type { Code } from "./code.ts";
import { operations } from "./library.ts";
import { Numbers } from "./numbers.ts";
import { isFloat, isUnsigned, memref, NotInMlir, type Shape, scalar, shapeBehind, shapeOf } from "./types.ts";

/** Memory with the indices known so far. */
interface Memory {
  readonly name: string;
  readonly type: string;
  readonly shape: Shape;
  readonly indices: readonly string[];
}

export class Expressions {
  readonly numbers: Numbers;
  private readonly code: Code;
  /** Variables and parameters that live in memory. */
  private readonly memory = new Map<Symbol, Memory>();
  private readonly called: ReadonlyMap<Symbol, string>;
  private readonly places: ReadonlyMap<WorkItemId, string>;

  constructor(code: Code, called: ReadonlyMap<Symbol, string>, places: ReadonlyMap<WorkItemId, string>) {
    this.code = code;
    this.numbers = new Numbers(code);
    this.called = called;
    this.places = places;
  }

  bind(sym: Symbol, memory: Memory): void {
    this.memory.set(sym, memory);
  }

  declare(sym: Symbol): Memory {
    if (isPointer(sym.type)) throw new NotInMlir(`the pointer variable '${sym.name}'`, sym.span.start);
    const shape = shapeOf(sym.type);
    const type = memref(shape);
    const variable = { name: this.code.variable(type), type, shape, indices: [] };
    this.memory.set(sym, variable);
    return variable;
  }

  /** A value of the expression's type. */
  value(e: Expr): string {
    switch (e.kind) {
      case "int":
      case "char":
        return this.numbers.constant(e.value, e.type);
      case "float":
        return this.numbers.constant(e.value, e.type);
      case "ident": {
        const known = workItemIdOf(e.sym);
        if (known !== undefined) return this.workItemIdValue(known);
        if (e.sym.kind === "enumerator") return this.numbers.constant(e.sym.value ?? 0n, e.type);
        return this.load(this.lvalue(e), e.type);
      }
      case "index":
        return this.load(this.lvalue(e), e.type);
      case "unary":
        return this.unary(e);
      case "binary":
        return this.binaryValue(e);
      case "assign":
        return this.assign(e);
      case "incdec": {
        const at = this.lvalue(e.arg);
        const old = this.load(at, e.arg.type);
        const next = this.numbers.combined(
          e.op === "++" ? "+" : "-",
          { value: old, type: e.arg.type },
          { value: this.numbers.constant(1n, INT), type: INT },
          e.arg.type,
        );
        this.store(next, at);
        return e.prefix ? next : old;
      }
      case "cond": {
        if (e.then === undefined) throw new NotInMlir("a condition without a middle", e.span.start);
        const { then } = e;
        const type = scalar(e.type);
        return this.numbers.either(
          this.truth(e.test),
          type,
          () => this.as(then, e.type),
          () => this.as(e.else, e.type),
        );
      }
      case "comma":
        this.effect(e.left);
        return this.value(e.right);
      case "cast":
        if (isVoid(e.to)) throw new NotInMlir("a value that is cast to void", e.span.start);
        return this.numbers.converted(this.value(e.arg), e.arg.type, e.to);
      case "sizeof": {
        const size = sizeOf(e.of ?? (e.arg as Expr).type);
        if (size === undefined) throw new NotInMlir("the size of what has none", e.span.start);
        return this.numbers.constant(BigInt(size), e.type);
      }
      case "call": {
        const found = this.call(e);
        if (found === undefined) throw new NotInMlir("a value of a function without one", e.span.start);
        return found;
      }
      default:
        throw new NotInMlir(e.kind === "member" ? "a member of a struct" : `'${e.kind}'`, e.span.start);
    }
  }

  /** Evaluates for side effects only. */
  effect(e: Expr): void {
    if (e.kind === "call") this.call(e);
    else if (e.kind === "cast" && isVoid(e.to)) this.effect(e.arg);
    else if (e.kind === "comma") {
      this.effect(e.left);
      this.effect(e.right);
    } else if (isVoid(e.type)) throw new NotInMlir("an expression without value", e.span.start);
    else this.value(e);
  }

  /** An i1. */
  truth(e: Expr): string {
    if (e.kind === "binary" && /^(==|!=|<|>|<=|>=)$/.test(e.op)) return this.compared(e);
    if (e.kind === "binary" && (e.op === "&&" || e.op === "||")) {
      const both = e.op === "&&";
      const fixed = () => this.code.value(`arith.constant ${both ? "false" : "true"}`);
      const right = () => this.truth(e.right);
      return this.numbers.either(this.truth(e.left), "i1", both ? right : fixed, both ? fixed : right);
    }
    if (e.kind === "unary" && e.op === "!") {
      const is = this.truth(e.arg);
      const one = this.code.value("arith.constant true");
      return this.code.value(`arith.xori ${is}, ${one} : i1`);
    }
    return this.numbers.nonZero(this.value(e), e.type);
  }

  private workItemIdValue(known: WorkItemId): string {
    const value = this.places.get(known);
    if (value === undefined) throw new NotInMlir(`a work-item's '${known}' outside of a kernel`);
    return value;
  }

  // ---------------------------------------------------------------- memory

  lvalue(e: Expr): Memory {
    if (e.kind === "ident") {
      const known = this.memory.get(e.sym);
      if (known === undefined) throw new NotInMlir(`the variable '${e.sym.name}'`, e.span.start);
      return known;
    }
    if (e.kind === "index") {
      const [base, index] =
        isPointer(e.base.type) || isArray(e.base.type) ? [e.base, e.index] : [e.index, e.base];
      return this.at(this.pointed(base), index);
    }
    if (e.kind === "unary" && e.op === "*") {
      return this.fixed(this.pointed(e.arg));
    }
    if (e.kind === "cast") {
      // The object under another view of its type.
      const inner = stripImplicit(e);
      if (inner !== e) return this.lvalue(inner);
    }
    throw new NotInMlir(
      e.kind === "member" ? "a member of a struct" : `an object of kind '${e.kind}'`,
      e.span.start,
    );
  }

  /** An array or a pointer's target, as the base of the next index. */
  private pointed(e: Expr): Memory {
    const inner = stripImplicit(e);
    if (inner.kind === "cast") {
      const [from, to] = [canonical(inner.arg.type), canonical(inner.to)];
      const same =
        from.kind === "pointer" &&
        to.kind === "pointer" &&
        memref(shapeBehind(from)) === memref(shapeBehind(to));
      if (!same) throw new NotInMlir("a pointer that is cast to another type", e.span.start);
      return this.pointed(inner.arg);
    }
    if (inner.kind === "binary" && (inner.op === "+" || inner.op === "-")) {
      const [base, by] =
        isPointer(inner.left.type) || isArray(inner.left.type)
          ? [inner.left, inner.right]
          : [inner.right, inner.left];
      const index = this.indexOf(by);
      const zero = this.numbers.index(0);
      const signed = inner.op === "+" ? index : this.code.value(`arith.subi ${zero}, ${index} : index`);
      return this.shifted(this.pointed(base), signed);
    }
    if (inner.kind === "unary" && inner.op === "&") return this.addressed(inner.arg);
    return this.lvalue(inner);
  }

  /** `&a[i]`: further indices count from i. */
  private addressed(e: Expr): Memory {
    const inner = stripImplicit(e);
    if (inner.kind === "index") return this.shifted(this.pointed(inner.base), this.indexOf(inner.index));
    throw new NotInMlir("the address of a variable", e.span.start);
  }

  private offsets = new Map<Memory, string>();

  private shifted(memory: Memory, by: string): Memory {
    const before = this.offsets.get(memory);
    const sum = before === undefined ? by : this.code.value(`arith.addi ${before}, ${by} : index`);
    const next = { ...memory };
    this.offsets.set(next, sum);
    return next;
  }

  private at(memory: Memory, index: Expr): Memory {
    const offset = this.offsets.get(memory);
    const own = this.indexOf(index);
    const sum = offset === undefined ? own : this.code.value(`arith.addi ${offset}, ${own} : index`);
    return { ...memory, indices: [...memory.indices, sum] };
  }

  private fixed(memory: Memory): Memory {
    const offset = this.offsets.get(memory) ?? this.numbers.index(0);
    return { ...memory, indices: [...memory.indices, offset] };
  }

  private indexOf(e: Expr): string {
    const value = this.value(e);
    return this.code.value(
      `arith.${isUnsigned(e.type) ? "index_castui" : "index_cast"} ${value} : ${scalar(e.type)} to index`,
    );
  }

  private load(memory: Memory, type: CType): string {
    if (!isArithmetic(type) && canonical(type).kind !== "enum")
      throw new NotInMlir(`a value of kind '${canonical(type).kind}'`);
    return this.code.value(`memref.load ${this.element(memory)} : ${memory.type}`);
  }

  store(value: string, memory: Memory): void {
    this.code.line(`memref.store ${value}, ${this.element(memory)} : ${memory.type}`);
  }

  /** The text of an element: all of its indices must be known. */
  element({ name, indices, shape }: Memory): string {
    if (indices.length !== shape.extents.length) throw new NotInMlir("an array as a value");
    return `${name}[${indices.join(", ")}]`;
  }

  // ---------------------------------------------------------------- arithmetic

  private unary(e: Expr & { readonly kind: "unary" }): string {
    switch (e.op) {
      case "*":
        return this.load(this.lvalue(e), e.type);
      case "+":
        return this.as(e.arg, e.type);
      case "-": {
        const value = this.as(e.arg, e.type);
        if (isFloat(e.type)) return this.code.value(`arith.negf ${value} : ${scalar(e.type)}`);
        return this.numbers.arithmetic("-", this.numbers.constant(0n, e.type), value, e.type);
      }
      case "~":
        return this.numbers.arithmetic(
          "^",
          this.as(e.arg, e.type),
          this.numbers.constant(-1n, e.type),
          e.type,
        );
      case "!":
        return this.numbers.fromTruth(this.truth(e), e.type);
      default:
        throw new NotInMlir(e.op === "&" ? "the address of a variable" : `'${e.op}'`, e.span.start);
    }
  }

  private binaryValue(e: Expr & { readonly kind: "binary" }): string {
    if (/^(==|!=|<|>|<=|>=|&&|\|\|)$/.test(e.op)) return this.numbers.fromTruth(this.truth(e), e.type);
    if (isPointer(e.type) || isPointer(e.left.type))
      throw new NotInMlir("a pointer as a value", e.span.start);
    const left = this.as(e.left, e.type);
    const right = this.as(e.right, e.type);
    return this.numbers.arithmetic(e.op, left, right, e.type);
  }

  private compared(e: Expr & { readonly kind: "binary" }): string {
    const type = usualArithmetic(e.left.type, e.right.type);
    if (type === undefined) throw new NotInMlir("a comparison of pointers", e.span.start);
    const [left, right] = [this.as(e.left, type), this.as(e.right, type)];
    const word = { "==": "eq", "!=": "ne", "<": "lt", ">": "gt", "<=": "le", ">=": "ge" }[e.op as "=="];
    if (isFloat(type))
      return this.code.value(
        `arith.cmpf ${e.op === "!=" ? "une" : `o${word}`}, ${left}, ${right} : ${scalar(type)}`,
      );
    const sign = e.op === "==" || e.op === "!=" ? "" : isUnsigned(type) ? "u" : "s";
    return this.code.value(`arith.cmpi ${sign}${word}, ${left}, ${right} : ${scalar(type)}`);
  }

  private assign(e: Expr & { readonly kind: "assign" }): string {
    if (!isArithmetic(e.left.type) && canonical(e.left.type).kind !== "enum")
      throw new NotInMlir("an assignment of a whole object or a pointer", e.span.start);
    if (e.op === "=") {
      const value = this.as(e.right, e.left.type);
      this.store(value, this.lvalue(e.left));
      return value;
    }
    const op = e.op.slice(0, -1) as BinaryOp;
    const right = this.value(e.right);
    const at = this.lvalue(e.left);
    const old = this.load(at, e.left.type);
    const value = this.numbers.combined(
      op,
      { value: old, type: e.left.type },
      { value: right, type: e.right.type },
      e.left.type,
    );
    this.store(value, at);
    return value;
  }

  /** The value converted to another type. */
  as(e: Expr, type: CType): string {
    return this.numbers.converted(this.value(e), e.type, type);
  }

  // ---------------------------------------------------------------- calls

  private call(e: Expr & { readonly kind: "call" }): string | undefined {
    const callee = stripImplicit(e.callee);
    if (callee.kind !== "ident") throw new NotInMlir("a call by pointer", e.span.start);
    const { sym } = callee;
    const own = this.called.get(sym);
    if (own !== undefined) {
      const type = canonical(sym.type);
      const params = type.kind === "function" ? type.params : [];
      const args = e.args.map((arg, k) => this.argument(arg, params[k]?.type ?? arg.type));
      const list = args.map(({ value }) => value).join(", ");
      const types = args.map(({ type: name }) => name).join(", ");
      if (isVoid(e.type)) {
        this.code.line(`func.call @${own}(${list}) : (${types}) -> ()`);
        return undefined;
      }
      return this.code.value(`func.call @${own}(${list}) : (${types}) -> ${scalar(e.type)}`);
    }
    const base = sym.name.replace(/^__builtin_/, "");
    // Of float: sqrtf, but not erf and inf.
    const plain = operations[base] || base === "inf" ? base : base.replace(/f$/, "");
    const operation = operations[plain];
    const type = scalar(e.type);
    if (operation !== undefined && isFloat(e.type)) {
      const args = e.args.map((arg) => this.as(arg, e.type));
      return this.code.value(`${operation} ${args.join(", ")} : ${type}`);
    }
    if ((plain === "fmax" || plain === "fmin") && isFloat(e.type)) {
      const [a = "", b = ""] = e.args.map((arg) => this.as(arg, e.type));
      // If one operand is NaN, the result is the other.
      const test = this.code.value(`arith.cmpf ${plain === "fmax" ? "ogt" : "olt"}, ${a}, ${b} : ${type}`);
      const none = this.code.value(`arith.cmpf uno, ${b}, ${b} : ${type}`);
      const first = this.code.value(`arith.ori ${test}, ${none} : i1`);
      return this.code.value(`arith.select ${first}, ${a}, ${b} : ${type}`);
    }
    if (/^l{0,2}abs$/.test(base))
      return this.code.value(`math.absi ${this.as(firstOf(e.args), e.type)} : ${type}`);
    const special = { inf: Infinity, huge_val: Infinity, nan: NaN }[plain];
    if (special !== undefined) return this.numbers.constant(special, e.type);
    throw new NotInMlir(`the function '${sym.name}'`, e.span.start);
  }

  private argument(arg: Expr, type: CType): { readonly value: string; readonly type: string } {
    if (!isPointer(type)) return { value: this.as(arg, type), type: scalar(type) };
    const memory = this.pointed(arg);
    const required = memref(shapeBehind(type));
    if (this.offsets.has(memory) || memory.indices.length > 0)
      throw new NotInMlir("a pointer into the middle of an array as an argument", arg.span.start);
    if (memory.type === required) return { value: memory.name, type: required };
    if (memory.type.includes("#gpu"))
      throw new NotInMlir("a pointer to a group's memory as an argument", arg.span.start);
    if (memory.shape.extents.length !== shapeBehind(type).extents.length)
      throw new NotInMlir("an array of other dimensions as an argument", arg.span.start);
    return {
      value: this.code.value(`memref.cast ${memory.name} : ${memory.type} to ${required}`),
      type: required,
    };
  }

  loadOf = (e: Expr): string => this.load(this.lvalue(e), e.type);
}
