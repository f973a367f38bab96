/** Builds graph nodes from the expressions of a body: variables, memory locations, operators. */

import { canonical, evaluate, printExpr, sizeOf } from "../../lang/index.ts";
import type { CType, Expr, FunctionDef, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { isArray, rootOf, usesOf } from "../analysis/access.ts";
import { isPureMath } from "../analysis/purity.ts";
import { typeName } from "../model/device-profile.ts";
import { Graph, type NodeId } from "./graph.ts";
import type { MemoryAccess } from "./pipeline.ts";

/** State shared by the bodies of one region. */
export interface Around {
  readonly single: boolean;
  readonly functions: ReadonlyMap<Symbol, FunctionDef>;
  /** Arrays and variables of the region. */
  readonly local: Set<Symbol>;
  readonly definitions: ReadonlyMap<Symbol, Expr>;
  /** Local arrays with variable indices. */
  readonly memories: Set<Symbol>;
  readonly delayLines: Set<Symbol>;
}

/** The location that an lvalue designates. */
type Lvalue =
  | { readonly is: "register"; readonly key: string; readonly sym: Symbol }
  | { readonly is: "ram"; readonly sym: Symbol; readonly index: NodeId }
  | { readonly is: "global"; readonly array: Symbol; readonly path: string; readonly index: NodeId };

const comparisons = new Set(["<", ">", "<=", ">=", "==", "!="]);

/** The elements of a delay line that are read before anything is written to them. */
export interface Line {
  readonly shift: number;
  readonly taps: Map<number, NodeId>;
}

export abstract class Expressions {
  protected readonly around: Around;
  protected readonly graph = new Graph();
  /** Current values of variables, and of array elements by constant index. */
  protected env = new Map<string, NodeId>();
  /** Which variable a key of `env` stands for. */
  protected readonly origins = new Map<string, { readonly sym: Symbol; readonly type: string }>();
  private readonly written: ReadonlySet<Symbol>;
  protected readonly declared = new Set<Symbol>();
  protected readonly accesses: MemoryAccess[] = [];
  /** Values from the previous iteration. */
  protected readonly sources = new Map<string, NodeId>();
  protected readonly lines = new Map<Symbol, Line>();
  /** Locations of assignments to variables. */
  protected readonly places = new Map<Symbol, Loc>();
  protected guard: NodeId | undefined;
  /** Number of stores so far per array, to distinguish loads before and after a store. */
  private readonly stores = new Map<Symbol, number>();
  private active: readonly Symbol[] = [];
  protected returned: NodeId | undefined;

  constructor(around: Around, body: Stmt) {
    this.around = around;
    const written = new Set<Symbol>();
    for (const [sym, use] of usesOf(body).of) if (use.written || use.elementsWritten) written.add(sym);
    this.written = written;
  }

  protected abstract stmt(s: Stmt): void;

  protected placeIn(line: Symbol, key: string): number | undefined {
    const name = `${this.graph.nameOf(line)}[`;
    return key.startsWith(name) ? Number(key.slice(name.length, -1)) : undefined;
  }
  // ---------------------------------------------------------------- variables

  protected read(key: string, sym: Symbol, type: string): NodeId {
    const known = this.env.get(key);
    if (known !== undefined) return known;
    this.origins.set(key, { sym, type });
    const source = this.sources.get(key);
    if (source !== undefined) return source;
    const carried = this.written.has(sym) && !this.declared.has(sym);
    const sourceValue = this.graph.source(carried ? "carried" : "invariant", key, sym, type, sym.span.start);
    if (carried) this.sources.set(key, sourceValue);
    return sourceValue;
  }

  protected write(key: string, sym: Symbol, type: string, value: NodeId): void {
    this.origins.set(key, { sym, type });
    this.env.set(key, value);
  }

  protected isLocal(sym: Symbol): boolean {
    return this.around.local.has(sym);
  }

  // ---------------------------------------------------------------- places

  protected lvalue(e: Expr): Lvalue | undefined {
    const root = rootOf(e);
    if (!root || (root.sym.kind !== "var" && root.sym.kind !== "param")) return undefined;
    const { sym } = root;
    if (e.kind === "ident") return { is: "register", key: this.graph.nameOf(sym), sym };
    const { index, path } = this.path(e);
    const pointer = canonical(sym.type).kind === "pointer";
    if (pointer || (canonical(sym.type).kind === "array" && !this.isLocal(sym)))
      return { is: "global", array: sym, path, index };
    const constant = this.graph.integer(index);
    if (constant === undefined) {
      this.around.memories.add(sym);
      return { is: "ram", sym, index };
    }
    return { is: "register", key: `${this.graph.nameOf(sym)}${path}[${constant}]`, sym };
  }

  /** The element that an lvalue designates: all subscripts combined into one index, fields separately. */
  protected path(e: Expr): { index: NodeId; path: string } {
    const zero = { index: this.graph.constant(0n), path: "" };
    switch (e.kind) {
      case "index": {
        const { index, path } = this.path(e.base);
        const scaled = this.scaled(index, e.base);
        return { index: this.plus(scaled, this.expr(e.index)), path };
      }
      case "member": {
        const { index, path } = this.path(e.base);
        return { index, path: `${path}.${e.name}` };
      }
      case "unary":
        return e.op === "*" || e.op === "&" ? this.path(e.arg) : zero;
      case "cast":
        return this.path(e.arg);
      case "binary": {
        const left = canonical(e.left.type).kind;
        const [pointer, offset] =
          left === "pointer" || left === "array" ? [e.left, e.right] : [e.right, e.left];
        const { index, path } = this.path(pointer);
        const by = this.expr(offset);
        return { index: this.plus(index, e.op === "-" ? this.times(by, -1n) : by), path };
      }
      default:
        return zero;
    }
  }

  /** A row index in elements: `a[i]` of `a[i][j]` is `i` times the row's length. */
  protected scaled(index: NodeId, row: Expr): NodeId {
    const type = canonical(row.type);
    if (type.kind !== "array" || (row.kind === "ident" && this.graph.integer(index) === 0n)) return index;
    if (typeof type.size === "number") return this.times(index, BigInt(type.size));
    return typeof type.size === "object"
      ? this.graph.operator("*", "int", [index, this.expr(type.size)])
      : index;
  }

  protected plus(a: NodeId, b: NodeId): NodeId {
    return this.graph.operator("+", "int", [a, b]);
  }

  protected times(a: NodeId, by: bigint): NodeId {
    return this.graph.operator("*", "int", [a, this.graph.constant(by)]);
  }

  protected load(e: Expr): NodeId {
    const lvalue = this.lvalue(e);
    if (!lvalue) return this.unknown(e);
    const type = typeName(e.type);
    const { graph } = this;
    if (lvalue.is === "register") return this.readRegister(lvalue, type);
    if (lvalue.is === "ram") {
      const key = `${graph.nameOf(lvalue.sym)}[]`;
      const contents = this.read(key, lvalue.sym, type);
      return graph.intern(`ram ${key} ${lvalue.index} ${contents}`, () => ({
        kind: "ram",
        op: "ram",
        type,
        args: [lvalue.index, contents],
        sym: lvalue.sym,
        loc: e.span.start,
      }));
    }
    const { array, path, index } = lvalue;
    // A load after a store to the same array may return another value.
    const epoch = this.stores.get(array) ?? 0;
    const before = graph.nodes.length;
    const node = graph.intern(`load ${graph.nameOf(array)}${path} ${index} ${epoch}`, () => ({
      kind: "load",
      op: "load",
      type,
      args: [index],
      sym: array,
      loc: e.span.start,
    }));
    if (graph.nodes.length > before)
      this.accesses.push({
        array,
        path,
        write: false,
        index,
        bytes: sizeOf(e.type) ?? 4,
        node,
        text: printExpr(e),
        loc: e.span.start,
      });
    return node;
  }

  protected readRegister({ key, sym }: Lvalue & { readonly is: "register" }, type: string): NodeId {
    const line = this.lines.get(sym);
    const place = line && this.placeIn(sym, key);
    if (!line || place === undefined || this.env.has(key)) return this.read(key, sym, type);
    const tap = this.graph.source("carried", `tap ${key}`, sym, type, sym.span.start);
    line.taps.set(place, tap);
    return tap;
  }

  protected store(e: Expr, value: NodeId): void {
    const lvalue = this.lvalue(e);
    if (!lvalue) return;
    const type = typeName(e.type);
    if (lvalue.is === "register") {
      this.places.set(lvalue.sym, e.span.start);
      this.write(lvalue.key, lvalue.sym, type, value);
      return;
    }
    const { graph, guard } = this;
    if (lvalue.is === "ram") {
      const key = `${graph.nameOf(lvalue.sym)}[]`;
      const before = this.read(key, lvalue.sym, type);
      const node = graph.fresh({
        kind: "ram",
        op: "ram",
        type,
        args: [lvalue.index, value, before],
        sym: lvalue.sym,
        loc: e.span.start,
      });
      this.write(key, lvalue.sym, type, node);
      return;
    }
    const { array, path, index } = lvalue;
    this.changed(array);
    this.accesses.push({
      array,
      path,
      write: true,
      index,
      bytes: sizeOf(e.type) ?? 4,
      node: value,
      ...(guard !== undefined && { guard }),
      text: printExpr(e),
      loc: e.span.start,
    });
  }

  protected changed(array: Symbol): void {
    this.stores.set(array, (this.stores.get(array) ?? 0) + 1);
  }

  // ---------------------------------------------------------------- expressions

  protected unknown(e: Expr): NodeId {
    return this.graph.intern(`expression ${printExpr(e)}`, () => ({
      kind: "invariant",
      op: "",
      type: typeName(e.type),
      args: [],
      loc: e.span.start,
    }));
  }

  protected expr(e: Expr): NodeId {
    const { graph } = this;
    const value = evaluate(e);
    if (value !== undefined) return graph.constant(value);
    switch (e.kind) {
      case "ident":
        return isArray(e) ? this.unknown(e) : this.load(e);
      case "index":
      case "member":
        return this.load(e);
      case "unary":
        return this.unary(e);
      case "incdec": {
        const before = this.load(e.arg);
        const after = this.plus(before, graph.constant(e.op === "++" ? 1n : -1n));
        this.store(e.arg, after);
        return e.prefix ? after : before;
      }
      case "assign": {
        const right = this.expr(e.right);
        const value =
          e.op === "=" ? right : this.binary(e.op.slice(0, -1), e.left.type, this.load(e.left), right, e);
        this.store(e.left, value);
        return value;
      }
      case "binary": {
        const pointer = ["pointer", "array"].includes(canonical(e.type).kind);
        if (pointer) return this.path(e).index;
        return this.binary(e.op, e.left.type, this.expr(e.left), this.expr(e.right), e);
      }
      case "comma":
        this.expr(e.left);
        return this.expr(e.right);
      case "cond": {
        const test = this.expr(e.test);
        const then = e.then ? this.guarded(test, () => this.expr(e.then as Expr)) : test;
        const other = this.guarded(test, () => this.expr(e.else));
        return graph.operator("?:", typeName(e.type), [test, then, other], e.span.start);
      }
      case "cast":
        return this.cast(e.to, e.arg, e.span.start);
      case "call":
        return this.call(e);
      case "stmt-expr":
        this.stmt(e.body);
        return this.unknown(e);
      case "generic": {
        const chosen = e.assocs[e.chosen];
        return chosen ? this.expr(chosen.value) : this.unknown(e);
      }
      default:
        return this.unknown(e);
    }
  }

  protected unary(e: Expr & { readonly kind: "unary" }): NodeId {
    const type = typeName(e.type);
    switch (e.op) {
      case "*":
        return this.load(e);
      case "&":
        return this.unknown(e);
      case "-": {
        const arg = this.expr(e.arg);
        // The sign of a floating-point number is one bit.
        return type === "int" ? this.times(arg, -1n) : this.graph.operator("wires", type, [arg]);
      }
      case "!":
      case "~":
        return this.graph.operator(e.op, "int", [this.expr(e.arg)], e.span.start);
      default:
        return this.expr(e.arg);
    }
  }

  protected binary(op: string, operand: CType, a: NodeId, b: NodeId, at: Expr): NodeId {
    const { graph } = this;
    const type = typeName(operand);
    const loc = at.span.start;
    if (op === "-" && type === "int") return this.plus(a, this.times(b, -1n));
    if (op === "&&" || op === "||" || op === "&" || op === "|" || op === "^")
      return this.logic(op, a, b, loc);
    if (comparisons.has(op)) return this.comparison(op, type, a, b, loc);
    if (op === "<<" || op === ">>") {
      // A shift by a constant needs only wires.
      const by = graph.integer(b);
      if (op === "<<" && by !== undefined && by >= 0n && by < 64n) return this.times(a, 1n << by);
      return graph.operator(by === undefined ? "<<" : "wires", "int", [a, b], loc);
    }
    return graph.operator(op, type, [a, b], loc);
  }

  protected logic(op: string, a: NodeId, b: NodeId, loc?: Loc): NodeId {
    const [x, y] = [this.graph.integer(a), this.graph.integer(b)];
    if (op === "&&") {
      if (x === 0n || y === 0n) return this.graph.constant(0n);
      if (x !== undefined) return b;
      if (y !== undefined) return a;
    }
    if (op === "||") {
      if (x === 0n) return b;
      if (y === 0n) return a;
    }
    return this.graph.operator(op, "int", [a, b], loc);
  }

  protected comparison(op: string, type: string, a: NodeId, b: NodeId, loc: Loc): NodeId {
    const [x, y] = [this.graph.integer(a), this.graph.integer(b)];
    if (x !== undefined && y !== undefined) {
      const holds = { "<": x < y, ">": x > y, "<=": x <= y, ">=": x >= y, "==": x === y, "!=": x !== y };
      return this.graph.constant(holds[op as keyof typeof holds] ? 1n : 0n);
    }
    return this.graph.operator(op, type, [a, b], loc);
  }

  protected cast(to: CType, arg: Expr, loc: Loc): NodeId {
    const [from, into] = [typeName(arg.type), typeName(to)];
    if (isArray(arg)) return this.unknown(arg);
    const value = this.expr(arg);
    return from === into ? value : this.graph.operator("cast", into, [value], loc);
  }

  protected call(e: Expr & { readonly kind: "call" }): NodeId {
    const callee = e.callee.kind === "cast" ? e.callee.arg : e.callee;
    const sym = callee.kind === "ident" ? callee.sym : undefined;
    const def = sym && this.around.functions.get(sym);
    if (sym && def && !this.active.includes(sym)) return this.inlined(sym, def, e.args);
    const args = e.args.map((arg) => this.expr(arg));
    const name = sym?.name.replace(/^__builtin_/, "") ?? "call";
    const known = sym !== undefined && (isPureMath({ ...sym, name }) || sym.name.startsWith("__builtin_"));
    const operator = known ? name.replace(/(?<=.{3})f$/, "") : name;
    return this.graph.operator(operator, typeName(e.type), args, e.span.start);
  }

  protected inlined(sym: Symbol, def: FunctionDef, args: readonly Expr[]): NodeId {
    const values = args.map((arg) => (isArray(stripImplicit(arg)) ? undefined : this.expr(arg)));
    def.params.forEach((p, i) => {
      this.around.local.add(p);
      this.declared.add(p);
      const value = values[i];
      if (value !== undefined) this.write(this.graph.nameOf(p), p, typeName(p.type), value);
    });
    const [active, returned] = [this.active, this.returned];
    this.active = [...active, sym];
    this.returned = undefined;
    this.stmt(def.body);
    const result = this.returned;
    this.active = active;
    this.returned = returned;
    return result ?? this.graph.constant(0n);
  }

  protected guarded<T>(test: NodeId, run: () => T): T {
    const outer = this.guard;
    this.guard = outer === undefined ? test : this.logic("&&", outer, test, this.graph.at(test).loc);
    const result = run();
    this.guard = outer;
    return result;
  }
}
