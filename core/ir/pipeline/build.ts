/** Builds a region's pipelines from its body after the passes. */

import { entryOf } from "../../checked/access.ts";
import { canonical, evaluate, sizeOf, walkStmt } from "../../lang/index.ts";
import type { Expr, FunctionDef, Init, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { rootOf, usesOf } from "../analysis/access.ts";
import { countedHeader } from "../analysis/loops/counted.ts";
import { typeName } from "../model/device-profile.ts";
import type { Accumulate, DelayLine, Idiom } from "../model/idioms.ts";
import type { IrNode, LoopHeader } from "../model/ir.ts";
import { countersOf } from "./counters.ts";
import { type Around, Expressions, type Line } from "./expressions.ts";
import type { NodeId } from "./graph.ts";
import type { Carried, Pipeline, Storage } from "./pipeline.ts";
import { constantTrips } from "./trips.ts";
import { copiesOf, requestedCopies, unrollsFully } from "./unrolling.ts";

interface Region {
  readonly body: Stmt;
  /** The kernel is a single work-item, so loops are pipelined in order. */
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

interface Kind {
  readonly copies: number;
  readonly independent: boolean;
  readonly shared: boolean;
  readonly reductions?: Pipeline["reductions"];
  readonly uncounted?: true;
}

/** Variables that are set only at their declaration. */
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

class Body extends Expressions {
  private readonly headers: readonly LoopHeader[];
  private readonly body: Stmt;
  private readonly carried: Carried[] = [];
  private readonly arrays: { readonly sym: Symbol; readonly bits: number }[] = [];
  private readonly combines: { op: string; type: string; count: number }[] = [];
  private readonly inner: Pipeline[] = [];

  constructor(around: Around, headers: readonly LoopHeader[], body: Stmt) {
    super(around, body);
    this.headers = headers;
    this.body = body;
  }

  run(kind: Kind, loc: Loc): Pipeline {
    const strides = new Map<NodeId, bigint>();
    for (const h of this.headers) {
      const node = this.graph.source("counter", this.graph.nameOf(h.var), h.var, "int", h.span.start);
      this.env.set(this.graph.nameOf(h.var), node);
      // In a nest, the innermost loop advances the iteration.
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

  /** Completes the values that iterations pass to later ones. */
  private finish(strides: Map<NodeId, bigint>): void {
    const { graph } = this;
    for (const [key, from] of this.sources) {
      const to = this.env.get(key);
      if (to === undefined || to === from) continue;
      const { sym } = entryOf(this.origins, key);
      this.carried.push({
        from,
        to,
        distance: 1,
        name: asWritten(sym),
        loc: graph.at(to).loc ?? this.places.get(sym) ?? sym.span.start,
      });
    }
    for (const [id, step] of countersOf(graph, this.carried)) strides.set(id, step);
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

  // ---------------------------------------------------------------- statements

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
      const { sym, type } = entryOf(this.origins, key);
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

  protected stmt(s: Stmt): void {
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
          return this.loop([header], s.body, requestedCopies(s.pragmas), s.span.start, {});
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

  /** With several returns, a selection chooses the value. */
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
    const ext = s.ext as IrNode | Idiom;
    switch (ext.kind) {
      case "loop": {
        const loop = ext;
        for (const p of loop.privates) this.around.local.add(p);
        return this.loop(loop.headers, loop.body, loop.hints?.unroll, loop.site.loc, {
          independent: loop.parallel.independence === "independent",
          shared: loop.parallel.levels.length > 0 && !this.around.single,
          reductions: loop.reductions,
        });
      }
      case "delayline":
        return this.delayLine(ext);
      case "accumulate":
        return this.accumulate(ext);
      case "accumulator": {
        const n = ext;
        this.stmt(n.body);
        this.combines.push({ op: n.op, type: typeName(n.type), count: n.depth });
        return;
      }
      case "atomic": {
        const n = ext;
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
        this.expr(ext.value);
        return;
      case "channel-read": {
        const { into } = ext;
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
    const line: Line = this.lines.get(sym) ?? { shift, taps: new Map<number, NodeId>() };
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
    const to = entryOf(this.env, key);
    const loc = this.places.get(partial) ?? partial.span.start;
    if (to !== from) this.carried.push({ from, to, distance: n.depth, name: asWritten(partial), loc });
  }

  private loop(
    headers: readonly LoopHeader[],
    body: Stmt,
    requested: number | undefined,
    loc: Loc,
    more: Partial<Pick<Kind, "independent" | "shared" | "reductions">>,
  ): void {
    if (!more.shared && unrollsFully(headers, body, requested, this.graph.nodes.length))
      return this.unrolled(headers, body);
    const kind: Kind = {
      copies: copiesOf(headers, requested),
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

  /** Records the value that the variable has before the loop. */
  private started({ graph }: Pipeline, carried: Carried): Carried {
    const { sym } = graph.at(carried.from);
    const node = sym && this.env.get(this.graph.nameOf(sym));
    const start = node === undefined ? undefined : this.graph.at(node).value;
    return start === undefined ? carried : { ...carried, start };
  }

  /** A nested pipeline; its results are available only after it ends. */
  private nested(headers: readonly LoopHeader[], body: Stmt, kind: Kind, loc: Loc): void {
    for (const h of headers) {
      this.around.local.add(h.var);
      for (const e of [h.lower, h.bound]) this.expr(e);
    }
    const pipeline = new Body(this.around, headers, body).run(kind, loc);
    this.inner.push({ ...pipeline, carried: pipeline.carried.map((c) => this.started(pipeline, c)) });
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

/** Passes derive names of new variables from the user's. */
const asWritten = ({ name }: Symbol): string => /^arc_(.+)_(partial|window)\d*$/.exec(name)?.[1] ?? name;

const isArrayType = (sym: Symbol): boolean => canonical(sym.type).kind === "array";
