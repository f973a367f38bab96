/** From the body of a region, as the passes leave it, to its pipelines. */
import type { CType, Expr, FunctionDef, Init, Loc, Pragma, Stmt, Symbol } from "../../lang/ast.ts";
import { canonical, evaluate, printExpr, sizeOf, walkStmt } from "../../lang/index.ts";
import { isArray, rootOf, usesOf } from "../access.ts";
import { bare, countedHeader } from "../counted.ts";
import { typeName } from "../device-profile.ts";
import type { Accumulate, Accumulator, ChannelRead, ChannelWrite, DelayLine } from "../idioms.ts";
import type { Atomic, Loop, LoopHeader } from "../ir.ts";
import { isPureMath } from "../purity.ts";
import { Graph, type NodeId } from "./graph.ts";
import type { Carried, MemoryAccess, Pipeline, Storage } from "./pipeline.ts";
import { constantTrips } from "./trips.ts";

/** Vendors' compilers unroll loops of so few iterations by themselves. */
const UNROLLED_UNASKED = 16;
/** Beyond so many nodes a body is taken to stay a loop. */
const LARGEST = 200_000;

export interface Region {
  readonly body: Stmt;
  /** The kernel is one work-item: loops are pipelined in order. */
  readonly single: boolean;
  readonly privates: readonly Symbol[];
  readonly functions: ReadonlyMap<Symbol, FunctionDef>;
}

export function pipelineOf({ body, single, privates, functions }: Region): Pipeline {
  const around: Around = {
    single,
    functions,
    local: new Set(privates),
    definitions: definitionsOf(body),
    memories: new Set(),
    delayLines: new Set(),
  };
  return new Body(around, [], body).run({ copies: 1, independent: false, shared: false }, body.span.start);
}

interface Around {
  readonly single: boolean;
  readonly functions: ReadonlyMap<Symbol, FunctionDef>;
  /** Arrays and variables of the region. */
  readonly local: Set<Symbol>;
  readonly definitions: ReadonlyMap<Symbol, Expr>;
  /** Local arrays that are addressed by a variable. */
  readonly memories: Set<Symbol>;
  readonly delayLines: Set<Symbol>;
}

interface Kind {
  readonly copies: number;
  readonly independent: boolean;
  readonly shared: boolean;
  readonly reductions?: Pipeline["reductions"];
  readonly uncounted?: true;
}

/** Variables that only their declaration sets. */
function definitionsOf(body: Stmt): ReadonlyMap<Symbol, Expr> {
  const uses = usesOf(body);
  const found = new Map<Symbol, Expr>();
  walkStmt(body, {
    stmt(s) {
      if (s.kind !== "decl") return;
      for (const { sym, init } of s.decls) {
        const use = uses.of.get(sym);
        if (init?.kind === "expr" && !use?.written && !use?.addressTaken) found.set(sym, init.expr);
      }
    },
  });
  return found;
}

/** Where an lvalue is. */
type Place =
  | { readonly is: "register"; readonly key: string; readonly sym: Symbol }
  | { readonly is: "ram"; readonly sym: Symbol; readonly index: NodeId }
  | { readonly is: "global"; readonly array: Symbol; readonly path: string; readonly index: NodeId };

const comparisons = new Set(["<", ">", "<=", ">=", "==", "!="]);

class Body {
  private readonly around: Around;
  private readonly headers: readonly LoopHeader[];
  private readonly graph = new Graph();
  private env = new Map<string, NodeId>();
  /** Where variables with a key come from, to read what they had before. */
  private readonly origins = new Map<string, { readonly sym: Symbol; readonly type: string }>();
  private readonly written: ReadonlySet<Symbol>;
  private readonly declared = new Set<Symbol>();
  private readonly accesses: MemoryAccess[] = [];
  private readonly carried: Carried[] = [];
  private readonly arrays: { readonly sym: Symbol; readonly bits: number }[] = [];
  private readonly combines: { op: string; type: string; count: number }[] = [];
  private readonly inner: Pipeline[] = [];
  private readonly sources = new Map<string, NodeId>();
  private readonly lines = new Map<Symbol, { shift: number; length: number; taps: Map<number, NodeId> }>();
  private readonly places = new Map<Symbol, Loc>();
  private guard: NodeId | undefined;
  /** Stores so far, by array: loads before and after one are different. */
  private readonly stores = new Map<Symbol, number>();
  private active: readonly Symbol[] = [];
  private returned: NodeId | undefined;

  constructor(around: Around, headers: readonly LoopHeader[], body: Stmt) {
    this.around = around;
    this.headers = headers;
    const written = new Set<Symbol>();
    for (const [sym, use] of usesOf(body).of) if (use.written || use.elementsWritten) written.add(sym);
    this.written = written;
    this.body = body;
  }
  private readonly body: Stmt;

  run(kind: Kind, loc: Loc): Pipeline {
    const strides = new Map<NodeId, bigint>();
    for (const h of this.headers) {
      const node = this.graph.source("counter", this.graph.nameOf(h.var), h.var, "int", h.span.start);
      this.env.set(this.graph.nameOf(h.var), node);
      // Of a nest, the innermost loop steps from one iteration to the next.
      const step = evaluate(h.step);
      if (h === this.headers.at(-1) && typeof step === "bigint") strides.set(node, step);
    }
    this.stmt(this.body);
    this.finish(strides);
    const { headers, graph, accesses, carried, combines, inner } = this;
    const storage = this.arrays.map(
      ({ sym, bits }): Storage => ({ name: sym.name, bits, as: this.storedAs(sym) }),
    );
    return {
      headers,
      copies: kind.copies,
      independent: kind.independent,
      shared: kind.shared,
      reductions: kind.reductions ?? [],
      ...(kind.uncounted && { uncounted: true }),
      loc,
      graph,
      accesses,
      carried,
      storage,
      combines,
      strides,
      inner,
      definitions: this.around.definitions,
    };
  }

  private storedAs(sym: Symbol): Storage["as"] {
    if (this.around.delayLines.has(sym)) return "delay line";
    return this.around.memories.has(sym) ? "memory" : "registers";
  }

  /** What iterations hand to later ones. */
  private finish(strides: Map<NodeId, bigint>): void {
    const { graph } = this;
    for (const [key, from] of this.sources) {
      const to = this.env.get(key);
      if (to === undefined || to === from) continue;
      const { sym } = this.origins.get(key) as { sym: Symbol };
      this.carried.push({
        from,
        to,
        distance: 1,
        name: asWritten(sym),
        loc: graph.at(to).loc ?? this.places.get(sym) ?? sym.span.start,
      });
    }
    this.addStrides(strides);
    for (const [line, { shift, taps }] of this.lines)
      for (const [key, to] of this.env) {
        const place = this.placeIn(line, key);
        if (place === undefined) continue;
        for (const [tap, from] of taps) {
          const distance = (place - tap) / shift;
          if (distance > 0 && Number.isInteger(distance))
            this.carried.push({
              from,
              to,
              distance,
              name: asWritten(line),
              loc: graph.at(to).loc ?? line.span.start,
            });
        }
      }
  }

  /**
   * What an iteration adds to a variable, mostly: of a nest's counters the inner one starts anew, and the outer one
   * steps, only where a row is through.
   */
  private addStrides(strides: Map<NodeId, bigint>): void {
    const counters = this.carried.filter(({ from }) => this.graph.at(from).type === "int");
    const rare = new Map<NodeId, "then" | "else">();
    for (const { from, to } of counters) this.stepOf(from, to, rare, new Map());
    for (const { from, to } of counters) {
      const step = this.stepOf(from, to, rare, new Map());
      if (step !== undefined) strides.set(from, step);
    }
  }

  /** `rare`: branches in which a variable gets a value that does not come from the iteration before. */
  private stepOf(
    from: NodeId,
    to: NodeId,
    rare: Map<NodeId, "then" | "else">,
    known: Map<NodeId, bigint | undefined>,
  ): bigint | undefined {
    if (from === to) return 0n;
    if (known.has(to)) return known.get(to);
    const node = this.graph.at(to);
    const step = (id: NodeId) => this.stepOf(from, id, rare, known);
    let result: bigint | undefined;
    if (node.op === "+") {
      const [a, b] = node.args as [NodeId, NodeId];
      const [x, y] = [this.graph.integer(a), this.graph.integer(b)];
      const before = x === undefined ? (y === undefined ? undefined : step(a)) : step(b);
      if (before !== undefined) result = before + (x ?? y ?? 0n);
    } else if (node.op === "?:") {
      const [test, a, b] = node.args as [NodeId, NodeId, NodeId];
      const [then, other] = [step(a), step(b)];
      if (then === undefined && other !== undefined) rare.set(test, "then");
      if (other === undefined && then !== undefined) rare.set(test, "else");
      const skip = rare.get(test);
      if (skip === "then" || then === undefined) result = other;
      else if (skip === "else" || other === undefined) result = then;
      else result = then === 0n ? other : then;
    }
    known.set(to, result);
    return result;
  }

  private placeIn(line: Symbol, key: string): number | undefined {
    const name = `${this.graph.nameOf(line)}[`;
    return key.startsWith(name) ? Number(key.slice(name.length, -1)) : undefined;
  }

  // ---------------------------------------------------------------- variables

  private read(key: string, sym: Symbol, type: string): NodeId {
    const known = this.env.get(key);
    if (known !== undefined) return known;
    this.origins.set(key, { sym, type });
    const source = this.sources.get(key);
    if (source !== undefined) return source;
    const carried = this.written.has(sym) && !this.declared.has(sym);
    const made = this.graph.source(carried ? "carried" : "invariant", key, sym, type, sym.span.start);
    if (carried) this.sources.set(key, made);
    return made;
  }

  private write(key: string, sym: Symbol, type: string, value: NodeId): void {
    this.origins.set(key, { sym, type });
    this.env.set(key, value);
  }

  private isLocal(sym: Symbol): boolean {
    return this.around.local.has(sym);
  }

  // ---------------------------------------------------------------- places

  private place(e: Expr): Place | undefined {
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

  /** The element that an lvalue designates: all subscripts as one, fields beside. */
  private path(e: Expr): { index: NodeId; path: string } {
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

  /** The index of a row in elements: `a[i]` of `a[i][j]` is `i` times the row's length. */
  private scaled(index: NodeId, row: Expr): NodeId {
    const type = canonical(row.type);
    if (type.kind !== "array" || (row.kind === "ident" && this.graph.integer(index) === 0n)) return index;
    if (typeof type.size === "number") return this.times(index, BigInt(type.size));
    return typeof type.size === "object"
      ? this.graph.operator("*", "int", [index, this.expr(type.size)])
      : index;
  }

  private plus(a: NodeId, b: NodeId): NodeId {
    return this.graph.operator("+", "int", [a, b]);
  }

  private times(a: NodeId, by: bigint): NodeId {
    return this.graph.operator("*", "int", [a, this.graph.constant(by)]);
  }

  private load(e: Expr): NodeId {
    const place = this.place(e);
    if (!place) return this.unknown(e);
    const type = typeName(e.type);
    const { graph } = this;
    if (place.is === "register") return this.readRegister(place, type);
    if (place.is === "ram") {
      const key = `${graph.nameOf(place.sym)}[]`;
      const contents = this.read(key, place.sym, type);
      return graph.intern(`ram ${key} ${place.index} ${contents}`, () => ({
        kind: "ram",
        op: "ram",
        type,
        args: [place.index, contents],
        sym: place.sym,
        loc: e.span.start,
      }));
    }
    const { array, path, index } = place;
    // A load after a store to the same array may give something else.
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

  private readRegister({ key, sym }: Place & { readonly is: "register" }, type: string): NodeId {
    const line = this.lines.get(sym);
    const place = line && this.placeIn(sym, key);
    if (!line || place === undefined || this.env.has(key)) return this.read(key, sym, type);
    const tap = this.graph.source("carried", `tap ${key}`, sym, type, sym.span.start);
    line.taps.set(place, tap);
    return tap;
  }

  private store(e: Expr, value: NodeId): void {
    const place = this.place(e);
    if (!place) return;
    const type = typeName(e.type);
    if (place.is === "register") {
      this.places.set(place.sym, e.span.start);
      this.write(place.key, place.sym, type, value);
      return;
    }
    const { graph, guard } = this;
    if (place.is === "ram") {
      const key = `${graph.nameOf(place.sym)}[]`;
      const before = this.read(key, place.sym, type);
      const node = graph.fresh({
        kind: "ram",
        op: "ram",
        type,
        args: [place.index, value, before],
        sym: place.sym,
        loc: e.span.start,
      });
      this.write(key, place.sym, type, node);
      return;
    }
    const { array, path, index } = place;
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

  private changed(array: Symbol): void {
    this.stores.set(array, (this.stores.get(array) ?? 0) + 1);
  }

  // ---------------------------------------------------------------- expressions

  private unknown(e: Expr): NodeId {
    return this.graph.intern(`expression ${printExpr(e)}`, () => ({
      kind: "invariant",
      op: "",
      type: typeName(e.type),
      args: [],
      loc: e.span.start,
    }));
  }

  private expr(e: Expr): NodeId {
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
        const made =
          e.op === "=" ? right : this.binary(e.op.slice(0, -1), e.left.type, this.load(e.left), right, e);
        this.store(e.left, made);
        return made;
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

  private unary(e: Expr & { readonly kind: "unary" }): NodeId {
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

  private binary(op: string, operand: CType, a: NodeId, b: NodeId, at: Expr): NodeId {
    const { graph } = this;
    const type = typeName(operand);
    const loc = at.span.start;
    if (op === "-" && type === "int") return this.plus(a, this.times(b, -1n));
    if (op === "&&" || op === "||" || op === "&" || op === "|" || op === "^")
      return this.logic(op, a, b, loc);
    if (comparisons.has(op)) return this.comparison(op, type, a, b, loc);
    if (op === "<<" || op === ">>") {
      // A constant distance is wires.
      const by = graph.integer(b);
      if (op === "<<" && by !== undefined && by >= 0n && by < 64n) return this.times(a, 1n << by);
      return graph.operator(by === undefined ? "<<" : "wires", "int", [a, b], loc);
    }
    return graph.operator(op, type, [a, b], loc);
  }

  private logic(op: string, a: NodeId, b: NodeId, loc: Loc): NodeId {
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

  private comparison(op: string, type: string, a: NodeId, b: NodeId, loc: Loc): NodeId {
    const [x, y] = [this.graph.integer(a), this.graph.integer(b)];
    if (x !== undefined && y !== undefined) {
      const holds = { "<": x < y, ">": x > y, "<=": x <= y, ">=": x >= y, "==": x === y, "!=": x !== y };
      return this.graph.constant(holds[op as keyof typeof holds] ? 1n : 0n);
    }
    return this.graph.operator(op, type, [a, b], loc);
  }

  private cast(to: CType, arg: Expr, loc: Loc): NodeId {
    const [from, into] = [typeName(arg.type), typeName(to)];
    if (isArray(arg)) return this.unknown(arg);
    const value = this.expr(arg);
    return from === into ? value : this.graph.operator("cast", into, [value], loc);
  }

  private call(e: Expr & { readonly kind: "call" }): NodeId {
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

  private inlined(sym: Symbol, def: FunctionDef, args: readonly Expr[]): NodeId {
    const values = args.map((arg) => (isArray(bare(arg)) ? undefined : this.expr(arg)));
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

  // ---------------------------------------------------------------- statements

  private guarded<T>(test: NodeId, run: () => T): T {
    const outer = this.guard;
    this.guard =
      outer === undefined ? test : this.logic("&&", outer, test, this.headers[0]?.span.start as Loc);
    const result = run();
    this.guard = outer;
    return result;
  }

  private branch(test: NodeId, then: () => void, otherwise: () => void, loc: Loc): void {
    const known = this.graph.integer(test);
    if (known !== undefined) return known !== 0n ? then() : otherwise();
    const before = this.env;
    this.env = new Map(before);
    this.guarded(test, then);
    const one = this.env;
    this.env = new Map(before);
    this.guarded(test, otherwise);
    const other = this.env;
    this.env = before;
    for (const key of new Set([...one.keys(), ...other.keys()])) {
      const [a, b] = [one.get(key), other.get(key)];
      if (a === b) continue;
      const { sym, type } = this.origins.get(key) as { sym: Symbol; type: string };
      if (this.declared.has(sym) && (a === undefined || b === undefined)) {
        this.env.set(key, (a ?? b) as NodeId);
        continue;
      }
      const was = (value: NodeId | undefined) => value ?? this.before(key, sym, type);
      this.env.set(key, this.graph.operator("?:", type, [test, was(a), was(b)], this.places.get(sym) ?? loc));
    }
  }

  private before(key: string, sym: Symbol, type: string): NodeId {
    const place = this.placeIn(sym, key);
    return place === undefined
      ? this.read(key, sym, type)
      : this.readRegister({ is: "register", key, sym }, type);
  }

  private stmt(s: Stmt): void {
    switch (s.kind) {
      case "expr":
        if (s.expr) this.expr(s.expr);
        return;
      case "decl":
        for (const { sym, init } of s.decls) this.declare(sym, init);
        return;
      case "compound":
        for (const child of s.body) this.stmt(child);
        return;
      case "if":
        this.branch(
          this.expr(s.test),
          () => this.stmt(s.then),
          () => s.else && this.stmt(s.else),
          s.span.start,
        );
        return;
      case "for": {
        const header = countedHeader(s);
        if (!("severity" in header))
          return this.loop([header], s.body, copiesAsked(s.pragmas), s.span.start, {});
        if (s.init?.kind === "decl") this.stmt(s.init);
        else if (s.init) this.expr(s.init);
        return this.nested(
          [],
          s.body,
          { copies: 1, independent: false, shared: false, uncounted: true },
          s.span.start,
        );
      }
      case "while":
      case "do":
        return this.nested(
          [],
          s.body,
          { copies: 1, independent: false, shared: false, uncounted: true },
          s.span.start,
        );
      case "switch": {
        const test = this.expr(s.test);
        this.branch(
          this.graph.operator("!=", "int", [test]),
          () => this.stmt(s.body),
          () => {},
          s.span.start,
        );
        return;
      }
      case "case":
      case "label":
        return this.stmt(s.body);
      case "return":
        if (s.value) this.returned = this.result(this.expr(s.value), s.value);
        return;
      case "ext":
        return this.node(s);
      default:
        return;
    }
  }

  /** Of several returns one is chosen. */
  private result(value: NodeId, e: Expr): NodeId {
    if (this.returned === undefined || this.guard === undefined) return value;
    return this.graph.operator("?:", typeName(e.type), [this.guard, value, this.returned], e.span.start);
  }

  private declare(sym: Symbol, init: Init | undefined): void {
    this.around.local.add(sym);
    this.declared.add(sym);
    const type = canonical(sym.type);
    if (type.kind === "array" || type.kind === "record") {
      const bytes = sizeOf(type);
      if (bytes !== undefined) this.arrays.push({ sym, bits: bytes * 8 });
    }
    if (init?.kind === "expr" && type.kind !== "array" && type.kind !== "record")
      this.write(this.graph.nameOf(sym), sym, typeName(sym.type), this.expr(init.expr));
  }

  // ---------------------------------------------------------------- loops and idioms

  private node(s: Stmt & { readonly kind: "ext" }): void {
    const loc = s.span.start;
    switch (s.ext.kind) {
      case "loop": {
        const loop = s.ext as unknown as Loop;
        for (const p of loop.privates) this.around.local.add(p);
        return this.loop(loop.headers, loop.body, loop.hints?.unroll, loop.site.loc, {
          independent: loop.parallel.independence === "independent",
          shared: loop.parallel.levels.length > 0 && !this.around.single,
          reductions: loop.reductions,
        });
      }
      case "delayline":
        return this.delayLine(s.ext as unknown as DelayLine);
      case "accumulate":
        return this.accumulate(s.ext as unknown as Accumulate);
      case "accumulator": {
        const n = s.ext as unknown as Accumulator;
        this.stmt(n.body);
        this.combines.push({ op: n.op, type: typeName(n.type), count: n.depth });
        return;
      }
      case "atomic": {
        const n = s.ext as unknown as Atomic;
        const old = this.load(n.target);
        if (n.captured) this.store(n.captured, old);
        const value = n.value ? this.expr(n.value) : old;
        if (n.what !== "read")
          this.store(
            n.target,
            n.op && n.op !== "=" ? this.binary(n.op, n.target.type, old, value, n.target) : value,
          );
        return;
      }
      case "channel-write":
        this.expr((s.ext as unknown as ChannelWrite).value);
        return;
      case "channel-read": {
        const { into } = s.ext as unknown as ChannelRead;
        this.declared.add(into);
        this.around.local.add(into);
        const key = this.graph.nameOf(into);
        this.write(
          key,
          into,
          typeName(into.type),
          this.graph.source("invariant", key, into, typeName(into.type), loc),
        );
        return;
      }
      default:
        for (const child of s.ext.shape.parts(s.ext).stmts) this.stmt(child);
    }
  }

  private delayLine(n: DelayLine): void {
    const root = rootOf(n.line);
    if (!root) return;
    const { sym } = root;
    const name = this.graph.nameOf(sym);
    const { shift, length } = n;
    const line = this.lines.get(sym) ?? { shift, length, taps: new Map<number, NodeId>() };
    this.lines.set(sym, line);
    this.around.delayLines.add(sym);
    for (const key of [...this.env.keys()]) if (this.placeIn(sym, key) !== undefined) this.env.delete(key);
    for (let lane = 0; lane < shift; lane++) {
      if (n.lane) this.write(this.graph.nameOf(n.lane), n.lane, "int", this.graph.constant(BigInt(lane)));
      if (n.guard) this.expr(n.guard);
      const first = this.accesses.length;
      const value = this.expr(n.value);
      for (const [k, access] of this.accesses.entries())
        if (k >= first) this.accesses[k] = { ...access, ahead: true };
      this.write(`${name}[${length - shift + lane}]`, sym, typeName(n.type), value);
    }
  }

  private accumulate(n: Accumulate): void {
    const { partial } = n;
    this.declared.add(partial);
    this.around.local.add(partial);
    const key = this.graph.nameOf(partial);
    const type = typeName(partial.type);
    const from = this.graph.fresh({
      kind: "carried",
      op: "",
      type,
      args: [],
      sym: partial,
      loc: partial.span.start,
    });
    this.write(key, partial, type, from);
    this.stmt(n.body);
    const to = this.env.get(key) as NodeId;
    const loc = this.places.get(partial) ?? partial.span.start;
    if (to !== from) this.carried.push({ from, to, distance: n.depth, name: asWritten(partial), loc });
  }

  private loop(
    headers: readonly LoopHeader[],
    body: Stmt,
    asked: number | undefined,
    loc: Loc,
    more: Partial<Pick<Kind, "independent" | "shared" | "reductions">>,
  ): void {
    const trips = headers
      .map(constantTrips)
      .reduce<number | undefined>((a, n) => (a === undefined || n === undefined ? undefined : a * n), 1);
    const whole =
      asked === 0 || (asked === undefined && !containsLoop(body) && (trips ?? Infinity) <= UNROLLED_UNASKED);
    const fits = trips !== undefined && this.graph.nodes.length < LARGEST && trips <= 4096;
    if (whole && fits && !more.shared) return this.unrolled(headers, body);
    const kind: Kind = {
      copies: Math.max(1, Math.min(asked ?? 1, trips ?? Infinity)),
      independent: more.independent ?? false,
      shared: more.shared ?? false,
      ...(more.reductions && { reductions: more.reductions }),
    };
    this.nested(headers, body, kind, loc);
  }

  /** One copy of the body per iteration. */
  private unrolled([header, ...rest]: readonly LoopHeader[], body: Stmt): void {
    if (!header) return this.stmt(body);
    const key = this.graph.nameOf(header.var);
    this.around.local.add(header.var);
    this.declared.add(header.var);
    const step = evaluate(header.step) as bigint;
    let value = evaluate(header.lower) as bigint;
    for (let k = 0; k < (constantTrips(header) ?? 0); k++, value += step) {
      this.write(key, header.var, "int", this.graph.constant(value));
      this.unrolled(rest, body);
    }
  }

  /** A pipeline of its own; what it writes is known behind it and no earlier. */
  private nested(headers: readonly LoopHeader[], body: Stmt, kind: Kind, loc: Loc): void {
    for (const h of headers) {
      this.around.local.add(h.var);
      for (const e of [h.lower, h.bound]) this.expr(e);
    }
    this.inner.push(new Body(this.around, headers, body).run(kind, loc));
    const uses = usesOf(body);
    for (const [sym, use] of uses.of) {
      if (use.elementsWritten) this.changed(sym);
      if (!use.written || uses.declared.has(sym) || isArrayType(sym)) continue;
      const key = this.graph.nameOf(sym);
      const type = typeName(sym.type);
      const before = this.read(key, sym, type);
      const after = this.graph.fresh({ kind: "inner", op: "", type, args: [before], sym, loc });
      this.write(key, sym, type, after);
    }
  }
}

/** Passes name variables of theirs after the user's. */
const asWritten = ({ name }: Symbol): string => /^arc_(.+)_(partial|window)\d*$/.exec(name)?.[1] ?? name;

const isArrayType = (sym: Symbol): boolean => canonical(sym.type).kind === "array";

function containsLoop(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    stmt: (s) => {
      if (
        s.kind === "for" ||
        s.kind === "while" ||
        s.kind === "do" ||
        (s.kind === "ext" && s.ext.kind === "loop")
      )
        found = true;
    },
  });
  return found;
}

/** `#pragma unroll N`; 0: all iterations; undefined: nothing is asked. */
function copiesAsked(pragmas: readonly Pragma[] | undefined): number | undefined {
  const tokens = pragmas?.find((p) => p.tokens[0]?.text === "unroll")?.tokens;
  if (!tokens) return undefined;
  const digits = tokens.map((t) => t.text).find((t) => /^\d+$/.test(t));
  return digits === undefined ? 0 : Number(digits);
}
