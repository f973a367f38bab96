/**
 * Code of a group outside its item loops: every item repeats what only computes private values, and item 0 executes what
 * has effects between barriers (after the worker-single mode transformation of S. Lee and J. S. Vetter, OpenARC,
 * WACCPD 2014, Algorithm 2, with broadcasts, barriers and escaping control flow made right).
 */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { continuingBy, withoutContinue } from "../../../core/ir/analysis/control.ts";
import { combine } from "../../../core/ir/model/combine.ts";
import { identity } from "../../../core/ir/model/identity.ts";
import { asNode, type Loop, type Shuffle, type Threads } from "../../../core/ir/model/ir.ts";
import { hasNode } from "../../../core/ir/model/nodes.ts";
import {
  canonical,
  copyWithFreshLocals,
  findStatement,
  INT,
  isScalar,
  mapChildren,
  substitute,
} from "../../../core/lang/index.ts";
import type { CType, DeclStmt, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  assign,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  unary,
} from "../../../core/lang/tree/build.ts";
import { escapes, flat, hasBarrier, NotUniform, usesContinue } from "../device/control.ts";
import { barrier, groupReduce, isFirstItem } from "../device/device.ts";
import { betweenLanes, throughMemory } from "../device/exchange.ts";
import { assignedInitialiser } from "../legalise/object-copies.ts";
import type { Effects } from "./effects.ts";
import { type Geometry, groupSize, isItemLoop } from "./geometry/geometry.ts";
import { share } from "./geometry/work-distribution.ts";
import type { ItemCode } from "./item-code.ts";

/** Memory accesses that items of a group may not have seen from each other since the last barrier. */
type Pending = "nothing" | "reads" | "writes";
const worse = (a: Pending, b: Pending): Pending =>
  a === "writes" || b === "writes" ? "writes" : a === "reads" || b === "reads" ? "reads" : "nothing";

type LoopStmt = Extract<Stmt, { kind: "for" | "while" | "do" }>;

interface SingleModeInput {
  readonly geometry: Geometry;
  readonly effects: Effects;
  /** Variables in group memory. */
  readonly shared: ReadonlySet<Symbol>;
  readonly itemCode: ItemCode;
  /** Neighbouring items can exchange values directly. */
  readonly exchanges: boolean;
}

export class SingleMode {
  /** Group memory for broadcasts and exchanges. */
  readonly groupMemory: Symbol[] = [];
  private readonly geometry: Geometry;
  private readonly effects: Effects;
  private readonly shared: ReadonlySet<Symbol>;
  private readonly itemCode: ItemCode;
  private readonly exchanges: boolean;
  private readonly scratch = new Map<string, Symbol>();
  private pending: Pending = "nothing";

  constructor({ geometry, effects, shared, itemCode, exchanges }: SingleModeInput) {
    this.geometry = geometry;
    this.effects = effects;
    this.shared = shared;
    this.itemCode = itemCode;
    this.exchanges = exchanges;
  }

  /** Throws `NotUniform`. */
  of(list: readonly Stmt[]): Stmt[] {
    const out: Stmt[] = [];
    let group: Stmt[] = [];
    const flush = () => {
      if (group.length) this.guard(out, group);
      group = [];
    };
    for (const s of list) {
      if (s.kind === "expr" && !s.expr) continue;
      if (asNode(s, "cache")) continue;
      if (this.hasItemLoop(s)) {
        flush();
        out.push(...this.structure(s));
      } else if (s.kind === "decl" && s.decls.some((d) => this.shared.has(d.sym))) {
        flush();
        out.push(...this.sharedDeclaration(s, (inits) => this.guard(out, inits)));
      } else if (this.effects.repeatable(s)) {
        flush();
        if (this.effects.loads(s)) this.read(out);
        out.push(s.kind === "decl" ? this.itemCode.of(s) : this.byOneItem(s));
      } else if (!escapes(s) && s.kind !== "decl") {
        group.push(this.byOneItem(s));
      } else {
        flush();
        out.push(...this.structure(s));
      }
    }
    flush();
    return out;
  }

  /** Code that each item runs alone: variables declared in it are private to the item. */
  private byOneItem(s: Stmt): Stmt {
    const itemCode = this.itemCode.of(s);
    return [...usesOf(itemCode).declared].some((sym) => this.shared.has(sym))
      ? copyWithFreshLocals(itemCode)
      : itemCode;
  }

  private hasItemLoop(s: Stmt): boolean {
    const holds = (inner: Stmt): boolean => {
      const loop = asNode(inner, "loop");
      return Boolean(
        (loop && isItemLoop(this.geometry, loop)) ||
          asNode(inner, "threads") ||
          asNode(inner, "shuffle") ||
          isBarrier(inner),
      );
    };
    return findStatement(s, holds) !== undefined;
  }

  // -------------------------------------------------------------- synchronisation

  private meet(out: Stmt[]): void {
    if (this.pending !== "nothing") out.push(barrier());
    this.pending = "nothing";
  }

  /** Call before code that reads group memory. */
  private read(out: Stmt[]): void {
    if (this.pending === "writes") this.meet(out);
    this.pending = worse(this.pending, "reads");
  }

  /** Item 0 executes `group`; private variables that it sets are broadcast through group memory. */
  private guard(out: Stmt[], group: readonly Stmt[]): void {
    this.meet(out);
    const uses = usesOf(...group);
    const sent = [...uses.of].filter(
      ([sym, use]) => use.written && !uses.declared.has(sym) && !this.shared.has(sym) && isScalar(sym.type),
    );
    const boxes = sent.map(([sym]) => ({ sym, box: this.box(sym) }));
    out.push(
      ifStmt(
        isFirstItem(),
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
    this.groupMemory.push(box);
    return box;
  }

  /** Variables in group memory are declared at the top of the kernel; only their initialisers run here. */
  private sharedDeclaration(s: DeclStmt, guard: (inits: Stmt[]) => void): Stmt[] {
    const rest = s.decls.filter((d) => !this.shared.has(d.sym));
    const inits = s.decls.flatMap(({ sym, init }) => {
      if (!init || !this.shared.has(sym)) return [];
      const statements = assignedInitialiser(sym, init);
      return statements.length > 1 ? [compound(statements)] : statements;
    });
    if (inits.length) guard(inits);
    return rest.length ? [{ ...s, decls: rest }] : [];
  }

  // -------------------------------------------------------------- statements around item loops

  private structure(s: Stmt): Stmt[] {
    const loop = asNode(s, "loop");
    if (loop) return this.partition(loop);
    const block = asNode(s, "threads");
    if (block) return this.together(block);
    if (isBarrier(s)) {
      this.pending = "nothing";
      return [barrier()];
    }
    switch (s.kind) {
      case "compound":
        return [compound(this.of(s.body), s.span)];
      case "if":
        return this.branches(s);
      case "for":
      case "while":
      case "do":
        return this.loop(s);
      case "break":
      case "continue":
      case "return":
        return [s];
      default:
        throw new NotUniform();
    }
  }

  private branches(s: Stmt & { readonly kind: "if" }): Stmt[] {
    const out: Stmt[] = [];
    const test = this.condition(out, s.test);
    // PoCL 3.1 loses track of barriers in branches unless there are also barriers before the branch and at its end.
    this.meet(out);
    const before = this.pending;
    const then = this.block(s.then);
    const after = this.pending;
    this.pending = before;
    const other = s.else && this.block(s.else);
    this.pending = worse(after, this.pending);
    return [...out, { ...s, test, then, ...(other && { else: other }) }];
  }

  private block(s: Stmt): Stmt {
    const body = this.of(flat(s));
    return compound(body.some(hasBarrier) ? [...body, barrier()] : body, s.span);
  }

  /** All items must take the same branch: they read the condition before item 0 can change it in the branch. */
  private condition(out: Stmt[], test: Expr): Expr {
    const stmt = exprStmt(test);
    if (!this.effects.repeatable(stmt)) throw new NotUniform();
    if (!this.effects.loads(stmt)) return test;
    this.read(out);
    const condition = freshSymbol("arc_test", INT);
    out.push(declare(condition, unary("!", unary("!", test))));
    return ident(condition);
  }

  private loop(s: LoopStmt): Stmt[] {
    const { init } = s.kind === "for" ? s : {};
    const parts = s.kind === "for" ? [init?.kind === "decl" ? undefined : init, s.test, s.step] : [s.test];
    const tests = parts.flatMap((e) => (e ? [exprStmt(e)] : []));
    const uniform = init?.kind === "decl" ? [...tests, init] : tests;
    if (!uniform.every((part) => this.effects.repeatable(part))) throw new NotUniform();
    const loads = (part: Stmt): boolean => this.effects.loads(part);
    const out: Stmt[] = [];
    // The barrier is at the end of the body, not at its start: PoCL 3.1 loses track of nested loops otherwise.
    const code = flat(reachingEnd(s.body));
    const skips = code.some(usesContinue);
    if (!skips || uniform.some(loads)) this.meet(out);
    // After a `continue`, any access may be pending.
    const reads = s.kind !== "do" && s.test !== undefined && loads(exprStmt(s.test));
    this.pending = skips ? "writes" : reads ? "reads" : "nothing";
    const inner: Stmt[] = [];
    if (skips && reads) this.meet(inner);
    inner.push(...this.of(code));
    const tail: Stmt[] = [];
    // The test at the end of an iteration reads what the body wrote.
    if (!skips || tests.some(loads)) this.meet(tail);
    if (tail.length && skips) throw new NotUniform();
    this.pending = "writes";
    return [...out, { ...s, body: compound([...inner, ...tail], s.body.span) }];
  }

  private partition(loop: Loop): Stmt[] {
    return isItemLoop(this.geometry, loop) ? this.byItems(loop) : this.byGroups(loop);
  }

  /**
   * A loop around item loops: groups share its iterations, or it runs in order. Barriers are as for plain C loops, except at
   * the start of shared loops: PoCL 3.1 loses iterations of nested loops otherwise.
   */
  private byGroups(loop: Loop): Stmt[] {
    const isShared = this.geometry.sharers(loop) === "groups";
    const out: Stmt[] = [];
    if (!isShared) this.meet(out);
    const code = flat(reachingEnd(loop.body));
    const skips = code.some(usesContinue);
    this.pending = isShared || skips ? "writes" : "nothing";
    const privates = loop.privates.filter((p) => !this.shared.has(p)).map((p) => declare(p));
    const inner = this.of([...privates, ...code]);
    if (!isShared && !skips) this.meet(inner);
    this.pending = "writes";
    const body = compound(inner, loop.body.span);
    if (isShared) return share(this.geometry, loop, "groups", body);
    return [...out, this.itemCode.sequential(loop, body)];
  }

  /** Code that all items run, with the program's barriers. */
  private together({ body }: Threads): Stmt[] {
    const out: Stmt[] = [];
    this.meet(out);
    out.push(this.ofEach(body));
    this.pending = "writes";
    return out;
  }

  private ofEach(s: Stmt): Stmt {
    if (isBarrier(s)) return barrier();
    const shuffle = asNode(s, "shuffle");
    if (shuffle) return this.exchange(shuffle);
    if (!this.hasItemLoop(s)) return this.itemCode.of(s);
    const loop = asNode(s, "loop");
    if (s.kind === "if" && !this.exchanges && hasNode(s, "shuffle")) return this.branchesOfEach(s);
    if (!loop) return mapChildren(s, (child) => this.ofEach(child));
    const privates = loop.privates.map((p) => declare(p));
    if (!isItemLoop(this.geometry, loop))
      return this.itemCode.sequential(loop, compound([...privates, ...flat(this.ofEach(loop.body))]));
    const inner = compound([...privates, ...flat(this.itemCode.of(loop.body))], loop.body.span);
    const kind = this.geometry.sharers(loop) as "items" | "groups+items";
    return compound(share(this.geometry, loop, kind, inner), s.span);
  }

  /** All items branch alike around exchanges. PoCL 3.1 loses changes in branches here too: see `branches`. */
  private branchesOfEach(s: Stmt & { readonly kind: "if" }): Stmt {
    const block = (branch: Stmt): Stmt => {
      const code = this.ofEach(branch);
      return hasBarrier(code) ? compound([...flat(code), barrier()], branch.span) : code;
    };
    const rewritten = { ...s, then: block(s.then), ...(s.else && { else: block(s.else) }) };
    return compound([barrier(), rewritten], s.span);
  }

  private exchange(shuffle: Shuffle): Stmt {
    const items = groupSize(this.geometry);
    return this.exchanges
      ? betweenLanes(shuffle, items)
      : throughMemory(shuffle, items, (type) => this.scratchOf(type));
  }

  private byItems(loop: Loop): Stmt[] {
    const out: Stmt[] = [];
    this.meet(out);
    const sums = loop.reductions.map(({ op, sym }) => {
      return { op, sym, own: freshSymbol(`${sym.name}_item`, sym.type) };
    });
    const renamed = substitute(loop.body, new Map(sums.map(({ sym, own }) => [sym, ident(own)])));
    const inner = [...loop.privates.map((p) => declare(p)), ...flat(this.itemCode.of(renamed))];
    for (const { op, sym, own } of sums) out.push(declare(own, identity(op, sym.type)));
    const kind = this.geometry.sharers(loop) as "items" | "groups+items";
    out.push(...share(this.geometry, loop, kind, compound(inner, loop.body.span)));
    this.pending = "writes";
    const items = groupSize(this.geometry);
    for (const { op, sym, own } of sums) {
      out.push(groupReduce({ op, target: ident(own), scratch: ident(this.scratchOf(sym.type)), items }));
      out.push(exprStmt(assign(ident(sym), combine(op, ident(sym), ident(own)))));
      this.pending = "nothing";
    }
    return sums.length ? [compound(out)] : out;
  }

  /** One array in group memory per type serves all reductions and exchanges, since each ends with a barrier. */
  private scratchOf(type: CType): Symbol {
    const of = canonical(type);
    const name = "name" in of ? of.name : "";
    const key = JSON.stringify([of.kind, name]);
    let scratch = this.scratch.get(key);
    if (!scratch) {
      const size = groupSize(this.geometry);
      scratch = freshSymbol(`arc_reduce_${name || "value"}`, { kind: "array", of, size });
      this.scratch.set(key, scratch);
      this.groupMemory.push(scratch);
    }
    return scratch;
  }
}

/**
 * A loop's body without `continue`: control flow is uniform in either form, but some OpenCL compilers lose track of
 * barriers around one.
 */
function reachingEnd(body: Stmt): Stmt {
  if (!usesContinue(body)) return body;
  const loop = withoutContinue(body);
  return loop.kind === "do" ? (continuingBy(freshSymbol("arc_goes_on", INT), body) ?? body) : loop;
}

/** A barrier of the program's or of arc's own. */
const isBarrier = (s: Stmt): boolean =>
  asNode(s, "sync")?.name === "barrier" || (s.kind === "ext" && s.ext.kind === "barrier");
