/**
 * From a compute region of the IR to kernels: gangs become groups, workers and vector lanes the items
 * of a group. Code outside item loops runs "single": what only computes private values is repeated by
 * every item, what has effects is done by item 0 between barriers (after the worker-single mode
 * transformation of S. Lee and J. S. Vetter, OpenARC, WACCPD 2014, Algorithm 2, with broadcasts,
 * barriers and escaping control flow made right).
 *
 * Loops step by what the launch really has, so a kernel is right under any geometry.
 */

import { usesOf } from "../../core/ir/access.ts";
import { combine } from "../../core/ir/combine.ts";
import { bare } from "../../core/ir/counted.ts";
import {
  type Apart,
  type Atomic,
  asNode,
  type Loop,
  type LoopHeader,
  type Reduction,
  type Spmd,
  type Task,
} from "../../core/ir/ir.ts";
import { definedFirst } from "../../core/ir/liveness.ts";
import { regionReductions } from "../../core/ir/normalise.ts";
import { type Argument, argumentsOf, spmdOf, stepCount } from "../../core/ir/region.ts";
import type { DeviceFunction } from "../../core/ir/routines.ts";
import type { Expr, Stmt, Symbol } from "../../core/lang/ast.ts";
import {
  assign,
  binary,
  compound,
  declare,
  deref,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
} from "../../core/lang/build.ts";
import {
  canonical,
  isScalar,
  LONG,
  mapChildren,
  pointerTo,
  sizeOf,
  substitute,
  unqualified,
  walkStmt,
} from "../../core/lang/index.ts";
import { accumulateApart } from "./accumulate.ts";
import { escapes, flat, hasBarrier, hasCooperation, usesContinue } from "./control.ts";
import { deviceDeclaration } from "./declarations.ts";
import {
  barrier,
  groupReduce,
  type Kernel,
  type KernelParam,
  type LoweredRegion,
  place,
  placeOf,
} from "./device.ts";
import { Effects } from "./effects.ts";
import { cloneFunctions } from "./functions.ts";
import { type Copy, gather } from "./gather.ts";
import { chooseGeometry, type ExecutionModel, type Geometry } from "./geometry.ts";
import { identity } from "./identity.ts";
import { isolate } from "./isolate.ts";
import { Parameters } from "./parameters.ts";
import { plainAtomic } from "./plainatomic.ts";
import { apartPragma, unrollPragma } from "./pragmas.ts";
import { sequentialNest } from "./sequential.ts";
import { counted, share } from "./share.ts";
import { tiled } from "./tiles.ts";
import { launchTrips } from "./trips.ts";

export interface LowerInput {
  readonly task: Task;
  /** The functions the region calls, callees first. */
  readonly functions: ReadonlyMap<Symbol, DeviceFunction>;
  /** Variables that those functions bring in from other units. */
  readonly globals?: readonly Argument[];
  readonly model: ExecutionModel;
}

/** Control flow around an item loop that single mode cannot make uniform. */
class NotUniform extends Error {}

/** Never fails on a normalised task: what cannot use several items per group uses one. */
export function lower(input: LowerInput): LoweredRegion {
  try {
    return new Lowering(input, input.model).run();
  } catch (problem) {
    if (!(problem instanceof NotUniform)) throw problem;
    return new Lowering(input, { ...input.model, maxItems: 1 }).run();
  }
}

/** What items of a group may not have seen of each other since the last barrier. */
type Pending = "nothing" | "reads" | "writes";
const worse = (a: Pending, b: Pending): Pending =>
  a === "writes" || b === "writes" ? "writes" : a === "reads" || b === "reads" ? "reads" : "nothing";

class Lowering {
  private readonly task: Task;
  private readonly spmd: Spmd;
  private readonly input: LowerInput;
  private readonly model: ExecutionModel;
  private readonly geometry: Geometry;
  private readonly items: number;
  private readonly reductions: readonly Reduction[];
  private readonly trips: ReadonlyMap<LoopHeader, Expr>;
  private readonly copies: readonly Copy[];
  private readonly shared: Symbol[] = [];
  private readonly sharedSet = new Set<Symbol>();
  private readonly args: readonly Argument[];
  private readonly parameters: Parameters;
  /** Steps of time, where the launch says how many. */
  private readonly count: Symbol | undefined;
  private readonly scratch = new Map<string, Symbol>();
  private effects: Effects;
  /** Variables of a group or of its items. */
  private own: ReadonlySet<Symbol> = new Set();
  private pending: Pending = "nothing";

  constructor(input: LowerInput, model: ExecutionModel) {
    this.input = input;
    this.task = input.task;
    this.model = model;
    this.args = argumentsOf(input.task);
    this.parameters = new Parameters(this.args, input.globals ?? []);
    const given = spmdOf(input.task);
    const steps = stepCount(given);
    this.count = steps?.count;
    const spmd = { ...given, body: isolate(steps?.body ?? given.body) };
    const { body, copies } = gather({
      spmd,
      args: this.args,
      functions: input.functions,
      room: spmd.serial ? 0 : (model.gather ?? 0),
      sharedByItems: model.maxItems > 1,
    });
    this.copies = copies;
    this.reductions = regionReductions(spmdOf(input.task));
    this.trips = launchTrips({ ...spmd, body });
    const inTiles = model.tiles === "order" && !spmd.serial ? tiled(body) : undefined;
    this.spmd = { ...spmd, body: inTiles?.body ?? body };
    const combined = this.reductions.length + copies.length > 0;
    this.geometry = chooseGeometry(this.spmd, model, this.trips, combined, inTiles?.headers);
    for (const copy of copies) this.sharedSet.add(copy.sym);
    this.effects = new Effects([], this.sharedSet);
    this.items = this.geometry.items[0] * this.geometry.items[1];
  }

  run(): LoweredRegion {
    const region = this.task.region as string;
    const { args, parameters } = this;
    const { globals = [] } = this.input;
    const { functions, rewriteCalls } = cloneFunctions(
      this.input.functions,
      [...args, ...globals],
      parameters,
    );
    this.effects = new Effects(functions, this.sharedSet);

    // Region reductions work on a private copy under the same name; a second kernel combines the copies
    // with the mapped variable.
    const reduced = new Set(this.reductions.map((r) => r.sym));
    const apart = accumulateApart(
      this.spmd.body,
      (loop, r) => this.partitionsItems(loop) && !reduced.has(r.sym) && args.some((a) => a.sym === r.sym),
    );
    const counters = this.countersOfGroups(apart);
    const own = substitute(apart, new Map(counters.map(({ of, own }) => [of.sym, ident(own)])));
    const body = rewriteCalls(parameters.rewrite(own, reduced));

    const stmts: Stmt[] = this.reductions.map((r) => declare(r.sym, identity(r.op, r.sym.type)));
    const privates = [
      ...this.spmd.privates.map((p) => declare(p)),
      ...counters.map(({ of, own }) => declare(own, parameters.value(of))),
    ];
    this.own = new Set([...usesOf(...privates, body).declared, ...parameters.values(), ...this.sharedSet]);
    this.findShared([...privates, body], [...parameters.values()]);
    const lowered =
      this.items > 1 ? this.single([...privates, ...flat(body)]) : [...privates, ...flat(this.plain(body))];
    const cooperates = lowered.some(hasCooperation);
    stmts.push(...this.gathered(lowered, (s) => parameters.rewrite(s)));

    const partials = this.reductions.map((r, i) => ({
      r,
      index: i,
      sym: freshSymbol(`${r.sym.name}_partial`, pointerTo(r.sym.type)),
    }));
    for (const p of partials) {
      const store = exprStmt(assign(index(ident(p.sym), place("group")), ident(p.r.sym)));
      stmts.push(this.items > 1 ? ifStmt(this.isFirst(), store) : store);
    }
    const { count } = this;
    const locals = undeclared(
      stmts,
      new Set([
        ...parameters.params(false).map((p) => p.sym),
        ...partials.map((p) => p.sym),
        ...this.shared,
        ...(count ? [count] : []),
      ]),
    );
    const main: Kernel = {
      name: region,
      params: [
        ...parameters.params(!cooperates),
        ...partials.map(
          (p): KernelParam => ({
            sym: p.sym,
            pointer: true,
            unaliased: true,
            source: { from: "scratch", index: p.index },
          }),
        ),
        // A launch as the program makes it takes one step.
        ...(count ? [{ sym: count, pointer: false, source: { from: "launch", expr: "1" } } as const] : []),
      ],
      group: this.geometry.items,
      grid: this.geometry.grid,
      shared: this.shared,
      ...(this.spmd.hints && { hints: this.spmd.hints }),
      body: [...locals.map((s) => declare(s)), ...stmts],
    };
    const finish = partials.length ? [this.finish(region, partials, parameters)] : [];
    return {
      region,
      site: { file: this.task.site.loc.file, line: this.task.site.loc.line, what: this.task.site.what },
      functions,
      kernels: [main, ...finish],
      arguments: args,
      globals,
      scratch: partials.map((p) => `${this.elementSize(p.r.sym)} gx gy * *`),
      ...this.steps(main),
      trips: [...this.trips.values()],
    };
  }

  /** What atomics change of the values passed: each group has a variable for it, which its items may share. */
  private countersOfGroups(body: Stmt): readonly { readonly of: Argument; readonly own: Symbol }[] {
    const targets = new Set<Symbol>();
    walkStmt(body, {
      stmt(s) {
        const atomic = asNode(s, "atomic");
        const sym = atomic && objectOf(atomic.target);
        if (sym) targets.add(sym);
      },
    });
    return this.args
      .filter((a) => a.how === "value" && targets.has(a.sym) && canonical(a.sym.type).kind !== "array")
      .map((of) => ({ of, own: freshSymbol(of.name, unqualified(of.sym.type)) }));
  }

  /** Where the kernel finds the arrays and the number of steps. */
  private steps({ params }: Kernel): Pick<LoweredRegion, "steps"> {
    const of = this.spmd.hints?.steps;
    if (!of) return {};
    const argument = (sym: Symbol) =>
      params.findIndex(({ source }) => source.from === "argument" && source.argument.sym === sym);
    const [input, output] = [argument(of.input), argument(of.output)];
    return { steps: { most: of.most, input, output, count: params.length - 1 } };
  }

  private elementSize(sym: Symbol): number {
    return sizeOf(sym.type) ?? 8;
  }

  /** The second stage of the region's reductions: one group folds the partial results of all groups. */
  private finish(
    region: string,
    partials: readonly { r: Reduction; index: number; sym: Symbol }[],
    parameters: Parameters,
  ): Kernel {
    const items = this.model.maxItems > 1 ? Math.min(256, this.model.maxItems) : 1;
    const count = freshSymbol("arc_count", LONG);
    const shared: Symbol[] = [];
    const body: Stmt[] = [];
    const params: KernelParam[] = [];
    for (const p of partials) {
      const result = parameters.object(p.r.sym);
      params.push(result, {
        sym: p.sym,
        pointer: true,
        unaliased: true,
        source: { from: "scratch", index: p.index },
      });
      const acc = freshSymbol(`${p.r.sym.name}_sum`, p.r.sym.type);
      const t = freshSymbol("arc_t", LONG);
      body.push(declare(acc, identity(p.r.op, p.r.sym.type)));
      body.push(
        counted(
          t,
          items > 1 ? place("item") : intLit(0, LONG),
          ident(count),
          intLit(items, LONG),
          exprStmt(assign(ident(acc), combine(p.r.op, ident(acc), index(ident(p.sym), ident(t))))),
        ),
      );
      if (items > 1) {
        const scratch = freshSymbol(`${p.r.sym.name}_shared`, {
          kind: "array",
          of: p.r.sym.type,
          size: items,
        });
        shared.push(scratch);
        body.push(groupReduce({ op: p.r.op, target: ident(acc), scratch: ident(scratch), items }));
      }
      const target = deref(ident(result.sym));
      const store = exprStmt(assign(target, combine(p.r.op, target, ident(acc))));
      body.push(items > 1 ? ifStmt(binary("==", place("item"), intLit(0)), store) : store);
    }
    params.push({ sym: count, pointer: false, source: { from: "launch", expr: "gx gy *" } });
    return { name: `${region}_finish`, params, group: [items, 1], grid: ["1", "1"], shared, body };
  }

  /** The group's code between the filling and the flushing of its copies of arrays. */
  private gathered(body: readonly Stmt[], rewrite: (s: Stmt) => Stmt): readonly Stmt[] {
    if (this.copies.length === 0) return body;
    const meet = this.items > 1 ? [barrier()] : [];
    const each = ({ elements }: Copy, what: (t: Expr) => Stmt): Stmt => {
      const t = freshSymbol("arc_t", LONG);
      const start = this.items > 1 ? place("item") : intLit(0, LONG);
      return counted(t, start, intLit(elements, LONG), intLit(this.items, LONG), what(ident(t)));
    };
    return [
      ...this.copies.map((copy) => each(copy, copy.fill)),
      ...meet,
      ...body,
      ...meet,
      ...this.copies.map((copy) => rewrite(each(copy, copy.flush))),
    ];
  }

  private isFirst(): Expr {
    return binary("==", place("item"), intLit(0));
  }

  // -------------------------------------------------------------- which variables live in group memory

  /** Variables of the group (declared outside item loops) that its items must share. */
  private findShared(stmts: readonly Stmt[], values: readonly Symbol[]): void {
    if (this.items === 1) {
      this.shared.push(...this.sharedSet);
      return;
    }
    const candidates = new Set<Symbol>(values);
    const look = (s: Stmt): Stmt => {
      const loop = asNode(s, "loop");
      if (loop && this.partitionsItems(loop)) return s;
      if (loop) for (const p of loop.privates) candidates.add(p);
      if (s.kind === "decl") for (const d of s.decls) candidates.add(d.sym);
      return mapChildren(s, look);
    };
    stmts.forEach(look);
    const inItems = (s: Stmt): Stmt => {
      const loop = asNode(s, "loop");
      if (loop && this.partitionsItems(loop)) {
        const uses = usesOf(s);
        for (const [sym, use] of uses.of) {
          if (!candidates.has(sym) || uses.declared.has(sym)) continue;
          if (loop.reductions.some((r) => r.sym === sym)) continue;
          const array = canonical(sym.type).kind === "array";
          if (array || use.addressTaken || (use.written && !definedFirst(loop.body, sym)))
            this.sharedSet.add(sym);
        }
        return s;
      }
      return mapChildren(s, inItems);
    };
    stmts.forEach(inItems);
    for (const s of stmts) {
      for (const [sym, use] of usesOf(s).of)
        if (candidates.has(sym) && use.addressTaken && isScalar(sym.type)) this.sharedSet.add(sym);
    }
    for (const v of values) if (this.sharedSet.has(v)) throw new NotUniform();
    this.shared.push(...this.sharedSet);
  }

  private partitionsItems(loop: Loop): boolean {
    const kind = this.geometry.sharers(loop);
    return this.items > 1 && (kind === "items" || kind === "groups+items");
  }

  private containsItemLoop(s: Stmt): boolean {
    const loop = asNode(s, "loop");
    if (loop && this.partitionsItems(loop)) return true;
    if (s.kind === "ext" && (s.ext.kind === "barrier" || asNode(s, "sync")?.name === "barrier")) return true;
    let found = false;
    mapChildren(s, (child) => {
      found ||= this.containsItemLoop(child);
      return child;
    });
    return found;
  }

  // -------------------------------------------------------------- single mode

  private meet(out: Stmt[]): void {
    if (this.pending !== "nothing") out.push(barrier());
    this.pending = "nothing";
  }

  private single(written: readonly Stmt[]): Stmt[] {
    const list = this.withoutContinue(written);
    const out: Stmt[] = [];
    let group: Stmt[] = [];
    const flush = () => {
      if (group.length) this.guard(out, group);
      group = [];
    };
    for (const s of list) {
      if (s.kind === "expr" && !s.expr) continue;
      if (asNode(s, "cache")) continue;
      if (this.containsItemLoop(s)) {
        flush();
        out.push(...this.structure(s));
      } else if (s.kind === "decl" && s.decls.some((d) => this.sharedSet.has(d.sym))) {
        flush();
        out.push(...this.sharedDeclaration(s, (inits) => this.guard(out, inits)));
      } else if (this.effects.repeatable(s)) {
        flush();
        if (this.effects.loads(s)) {
          if (this.pending === "writes") this.meet(out);
          this.pending = worse(this.pending, "reads");
        }
        out.push(this.plain(s));
      } else if (!escapes(s) && s.kind !== "decl") {
        group.push(this.plain(s));
      } else {
        flush();
        out.push(...this.structure(s));
      }
    }
    flush();
    return out;
  }

  /**
   * `if (c) continue; rest` as `if (!c) rest` where the rest has barriers: every work-item takes the
   * same way either way, but some OpenCL compilers lose track of barriers behind a continue.
   */
  private withoutContinue(list: readonly Stmt[]): readonly Stmt[] {
    const at = list.findIndex((s) => s.kind === "if" && !s.else && flat(s.then).at(-1)?.kind === "continue");
    const found = list[at];
    const rest = list.slice(at + 1);
    if (found?.kind !== "if" || !rest.some((s) => this.containsItemLoop(s))) return list;
    const then = compound(flat(found.then).slice(0, -1), found.then.span);
    return [...list.slice(0, at), { ...found, then, else: compound(rest) }];
  }

  /** Item 0 executes `group`; private variables it sets reach the others through group memory. */
  private guard(out: Stmt[], group: readonly Stmt[]): void {
    this.meet(out);
    const uses = usesOf(...group);
    const sent = [...uses.of].filter(
      ([sym, use]) =>
        use.written && !uses.declared.has(sym) && !this.sharedSet.has(sym) && isScalar(sym.type),
    );
    const boxes = sent.map(([sym]) => ({ sym, box: this.box(sym) }));
    out.push(
      ifStmt(
        this.isFirst(),
        compound([...group, ...boxes.map(({ sym, box }) => exprStmt(assign(ident(box), ident(sym))))]),
      ),
    );
    this.pending = "writes";
    if (boxes.length === 0) return;
    this.meet(out);
    out.push(...boxes.map(({ sym, box }) => exprStmt(assign(ident(sym), ident(box)))));
    this.pending = "reads";
  }

  private box(sym: Symbol): Symbol {
    const box = freshSymbol(`${sym.name}_from_first`, sym.type);
    this.shared.push(box);
    return box;
  }

  /** Variables in group memory are declared at the kernel's top; here their initialisers run. */
  private sharedDeclaration(s: Stmt & { kind: "decl" }, guard: (inits: Stmt[]) => void): Stmt[] {
    const rest = s.decls.filter((d) => !this.sharedSet.has(d.sym));
    const inits: Stmt[] = [];
    for (const d of s.decls) {
      if (!this.sharedSet.has(d.sym) || !d.init) continue;
      if (d.init.kind === "expr" && canonical(d.sym.type).kind !== "array")
        inits.push(exprStmt(assign(ident(d.sym), d.init.expr)));
      else {
        // An initialiser list needs a variable of its own to initialise; its elements are copied over.
        const copy = freshSymbol(`${d.sym.name}_initial`, d.sym.type);
        const type = canonical(d.sym.type);
        const inner: Stmt[] = [
          { kind: "decl", decls: [{ sym: copy, init: d.init, span: d.span }], defines: [], span: d.span },
        ];
        if (type.kind !== "array" || typeof type.size !== "number" || canonical(type.of).kind === "array")
          throw new NotUniform();
        const k = freshSymbol("arc_k", LONG);
        inner.push(
          counted(
            k,
            intLit(0, LONG),
            intLit(type.size, LONG),
            intLit(1, LONG),
            exprStmt(assign(index(ident(d.sym), ident(k)), index(ident(copy), ident(k)))),
          ),
        );
        inits.push(compound(inner));
      }
    }
    if (inits.length) guard(inits);
    return rest.length ? [{ ...s, decls: rest }] : [];
  }

  private structure(s: Stmt): Stmt[] {
    const loop = asNode(s, "loop");
    if (loop) return this.partition(loop);
    if (asNode(s, "sync")?.name === "barrier" || (s.kind === "ext" && s.ext.kind === "barrier")) {
      this.pending = "nothing";
      return [barrier()];
    }
    const out: Stmt[] = [];
    switch (s.kind) {
      case "compound":
        return [compound(this.single(s.body), s.span)];
      case "if": {
        this.condition(out, s.test);
        // PoCL 3.1 loses track of barriers in branches unless others stand in front of the branch and at its end.
        this.meet(out);
        const before = this.pending;
        const then = this.block(s.then);
        const after = this.pending;
        this.pending = before;
        const other = s.else && this.block(s.else);
        this.pending = worse(after, this.pending);
        out.push({ ...s, then, ...(other && { else: other }) });
        return out;
      }
      case "for":
      case "while":
      case "do": {
        const parts =
          s.kind === "for"
            ? [s.init && s.init.kind !== "decl" ? s.init : undefined, s.test, s.step]
            : [s.test];
        if (parts.some((e) => e && !this.effects.repeatable(exprStmt(e)))) throw new NotUniform();
        if (s.kind === "for" && s.init?.kind === "decl" && !this.effects.repeatable(s.init))
          throw new NotUniform();
        if (parts.some((e) => e && this.effects.loads(exprStmt(e)))) this.meet(out);
        // Around the back edge anything may be pending.
        this.pending = "writes";
        const inner: Stmt[] = [];
        if (s.kind !== "do" && s.test && this.effects.loads(exprStmt(s.test))) this.meet(inner);
        const body = compound([...inner, ...this.single(flat(s.body))], s.body.span);
        // The test at the end of an iteration reads what the body wrote.
        const tail: Stmt[] = [];
        if (parts.some((e) => e && this.effects.loads(exprStmt(e)))) this.meet(tail);
        if (tail.length && usesContinue(s.body)) throw new NotUniform();
        this.pending = "writes";
        out.push({ ...s, body: compound([...body.body, ...tail], s.body.span) } as Stmt);
        return out;
      }
      case "break":
      case "continue":
      case "return":
        return [s];
      default:
        throw new NotUniform();
    }
  }

  private block(s: Stmt): Stmt {
    const body = this.single(flat(s));
    return compound(body.some(hasBarrier) ? [...body, barrier()] : body, s.span);
  }

  private condition(out: Stmt[], test: Expr): void {
    const stmt = exprStmt(test);
    if (!this.effects.repeatable(stmt)) throw new NotUniform();
    if (!this.effects.loads(stmt)) return;
    if (this.pending === "writes") this.meet(out);
    this.pending = worse(this.pending, "reads");
  }

  // -------------------------------------------------------------- loops

  /** A loop met in single mode. */
  private partition(loop: Loop): Stmt[] {
    const kind = this.geometry.sharers(loop);
    if (!this.partitionsItems(loop)) {
      const out: Stmt[] = [];
      this.pending = "writes";
      const inner = [
        ...loop.privates.filter((p) => !this.sharedSet.has(p)).map((p) => declare(p)),
        ...flat(loop.body),
      ];
      const body = compound(this.single(inner), loop.body.span);
      this.pending = "writes";
      out.push(
        ...(kind === "groups" ? share(this.geometry, loop, "groups", body) : [this.sequential(loop, body)]),
      );
      return out;
    }
    const out: Stmt[] = [];
    this.meet(out);
    const accs = new Map(loop.reductions.map((r) => [r.sym, freshSymbol(`${r.sym.name}_item`, r.sym.type)]));
    const renamed = substitute(loop.body, new Map([...accs].map(([s, a]) => [s, ident(a)])));
    const inner = [...loop.privates.map((p) => declare(p)), ...flat(this.plain(renamed))];
    for (const r of loop.reductions) out.push(declare(accs.get(r.sym) as Symbol, identity(r.op, r.sym.type)));
    out.push(
      ...share(this.geometry, loop, kind as "items" | "groups+items", compound(inner, loop.body.span)),
    );
    this.pending = "writes";
    for (const r of loop.reductions) {
      const acc = accs.get(r.sym) as Symbol;
      out.push(
        groupReduce({
          op: r.op,
          target: ident(acc),
          scratch: ident(this.reduceScratch(r.sym)),
          items: this.items,
        }),
      );
      out.push(exprStmt(assign(ident(r.sym), combine(r.op, ident(r.sym), ident(acc)))));
      this.pending = "nothing";
    }
    return loop.reductions.length ? [compound(out)] : out;
  }

  /** One array in group memory per type serves every reduction: each ends with a barrier. */
  private reduceScratch(sym: Symbol): Symbol {
    const type = canonical(sym.type);
    const key = JSON.stringify([type.kind, "name" in type ? type.name : ""]);
    let scratch = this.scratch.get(key);
    if (!scratch) {
      scratch = freshSymbol(`arc_reduce_${"name" in type ? type.name : "value"}`, {
        kind: "array",
        of: type,
        size: this.items,
      });
      this.scratch.set(key, scratch);
      this.shared.push(scratch);
    }
    return scratch;
  }

  /** Code inside item loops, or of groups with one item: loops inside are shared by groups or run in order. */
  private plain(s: Stmt): Stmt {
    if (s.kind === "decl") return deviceDeclaration(s);
    if (asNode(s, "cache") || (this.items === 1 && asNode(s, "sync"))) return { kind: "expr", span: s.span };
    const atomic = asNode(s, "atomic");
    if (atomic && this.isPrivate(atomic)) return plainAtomic(atomic);
    const loop = asNode(s, "loop");
    if (!loop) return mapChildren(s, (child) => this.plain(child));
    const inner = [...loop.privates.map((p) => declare(p)), ...flat(this.plain(loop.body))];
    const body = compound(inner, loop.body.span);
    const kind = this.geometry.sharers(loop);
    if (this.items === 1 && (kind === "groups" || kind === "groups+items"))
      return compound(share(this.geometry, loop, "groups", body), s.span);
    return this.sequential(loop, body);
  }

  /** No other work-item reaches what the atomic access names. */
  private isPrivate({ target, reduction }: Atomic): boolean {
    if (this.spmd.serial && reduction) return true;
    const sym = objectOf(target);
    return sym !== undefined && this.own.has(sym) && (this.items === 1 || !this.sharedSet.has(sym));
  }

  private sequential(loop: Loop, body: Stmt): Stmt {
    // Iterations that update the same element atomically are independent but for that.
    const independent = loop.parallel.independence === "independent" && !hasAtomic(loop.body);
    const nest = sequentialNest(loop.headers, body, independent);
    const copies = loop.hints?.unroll ?? 1;
    const apart = this.apart(loop, copies);
    const pragmas = [
      ...(nest.pragmas ?? []),
      ...(apart.length > 0 ? [apartPragma(apart)] : []),
      ...(copies === 1 ? [] : [unrollPragma(copies)]),
    ];
    return pragmas.length > 0 ? { ...nest, pragmas } : nest;
  }

  /** By the kernel's parameters. Vendors do not say whether distances count copies or iterations. */
  private apart({ hints, headers }: Loop, copies: number): readonly Apart[] {
    if (headers.length > 1) return [];
    return (hints?.apart ?? []).flatMap((a): Apart[] => {
      const argument = this.parameters.argument(a.array);
      if (!argument || (a.distance !== undefined && copies !== 1)) return [];
      return [{ ...a, array: this.parameters.symbolOf(argument) }];
    });
  }
}

/** The variable that the place is a part of, if no pointer leads to it. */
function objectOf(place: Expr): Symbol | undefined {
  const e = bare(place);
  if (e.kind === "ident") return canonical(e.sym.type).kind === "pointer" ? undefined : e.sym;
  if (e.kind === "member") return e.arrow ? undefined : objectOf(e.base);
  return e.kind === "index" && canonical(bare(e.base).type).kind === "array" ? objectOf(e.base) : undefined;
}

function hasAtomic(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      found ||= asNode(s, "atomic") !== undefined;
    },
  });
  return found;
}

/** Variables used but declared nowhere in the kernel: private to each item. */
function undeclared(stmts: readonly Stmt[], known: ReadonlySet<Symbol>): Symbol[] {
  const uses = usesOf(...stmts);
  return [...uses.of.keys()].filter((s) => !uses.declared.has(s) && !known.has(s) && !placeOf(s));
}
