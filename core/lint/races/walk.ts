/**
 * Walks through a function as its threads run it, and records the memory they access: directives change which threads
 * run the code, barriers begin phases, and calls of functions defined here are followed.
 */

import { rootOf } from "../../ir/analysis/access.ts";
import { countedHeader } from "../../ir/analysis/counted.ts";
import { EvaluationWalk, type Touch } from "../../ir/dependence/evaluation.ts";
import { readAtomic } from "../../ir/directives/atomic.ts";
import type { LoopHeader } from "../../ir/model/ir.ts";
import {
  evaluateInteger,
  isInteger,
  isPointer,
  isScalar,
  parseExpr,
  printExpr,
  walkStmt,
} from "../../lang/index.ts";
import type { Expr, FunctionDef, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import {
  argumentOf,
  clauseOf,
  clausesOf,
  type Directive,
  directivesOf,
  itemsOf,
  numberOf,
} from "../read/directive.ts";
import type { Access, Around, Context, Depend, Doacross, Exec, Frame, Guard, Level } from "./access.ts";
import { afterOrdered } from "./doacross.ts";
import type { Facts } from "./facts.ts";
import { AccessLog, type Walked } from "./log.ts";
import type { Owners } from "./owners.ts";
import { Places } from "./places.ts";
import { evaluated as shuffled } from "./shuffle.ts";
import { TaskList } from "./task-list.ts";
import { Teams } from "./teams.ts";

/** Receives a function's device operations, when all accesses, including the host's, are recorded. */
export interface Watcher {
  /** A construct with a body begins or ends; positions are ordered with those of accesses. */
  enter(d: Directive, s: Stmt, at: Moment): void;
  leave(d: Directive, at: Moment): void;
  alone(d: Directive, at: Moment): void;
  /** A call that is not followed. */
  call(name: string, expr: Expr, at: Moment): void;
}

export interface Moment {
  readonly order: number;
  readonly guards: readonly Guard[];
  readonly loops: readonly Around[];
  readonly frame: Frame;
}

const withBody =
  /^(data|host_data|(parallel|kernels|serial)( loop)?|target( data| teams.*| parallel.*| simd)?)$/;
const standalone =
  /^(update|enter data|exit data|wait|target update|target enter data|target exit data|taskwait|barrier)$/;

/** Whether a directive moves data to or from a device, or starts work there. */
const ofDevices = ({ language, name }: Directive): boolean =>
  (withBody.test(name) && (language === "acc" || name.startsWith("target"))) || standalone.test(name);

/** Limit of statements analysed inside called functions, per region. */
const mostInlined = 3000;
const deepestCall = 5;
const endless = Number.POSITIVE_INFINITY;

const synchronising = /lock|mutex|barrier|sem_|wait|signal|atomic|__sync|fence|futex/i;
/** Clauses of `atomic`, and directives, by which one thread may wait for another. */
const orders = ["seq_cst", "acquire", "release", "acq_rel"];
const unfollowed =
  /^(scan|depobj|interop|dispatch|scope|metadirective|\?|declare variant|begin|end|tile|unroll)/;

export class Walk extends EvaluationWalk {
  private readonly places: Places;
  private readonly owners: Owners;
  private readonly found: Walked[] = [];

  private readonly tasks = new TaskList();
  private readonly teams = new Teams();
  private log = new AccessLog([]);

  private loops: Around[] = [];
  private last: Context | undefined;
  private guards: Guard[] = [];
  private locks: string[] = [];
  private ordered = false;
  private doacross: Doacross | undefined;
  private frame: Frame = { arguments: new Map() };
  private calls: Symbol[] = [];
  private order = 0;
  private ids = 0;
  /** The function creates tasks outside of parallel constructs. */
  private taskful = false;
  private inKernels = false;
  private inSerial = false;
  /** Loops that the last directive distributes and that were not reached yet. */
  private sharing:
    | { shared: number; privates: number; readonly around: Around[]; readonly all: Around[] }
    | undefined;

  private readonly facts: Facts;
  private readonly watcher: Watcher | undefined;

  constructor(facts: Facts, owners: Owners, watcher?: Watcher) {
    super();
    this.facts = facts;
    this.places = new Places(facts);
    this.owners = owners;
    this.watcher = watcher;
  }

  function(def: FunctionDef): readonly Walked[] {
    // Outside of parallel constructs the program has one thread, which cannot race with itself.
    this.taskful = def.sym.name !== "main" && makesTasks(def.body);
    this.calls = [def.sym];
    this.stmt(def.body);
    this.flush();
    return this.found;
  }

  private flush(): void {
    const walked = this.log.finished(this.tasks.take());
    if (walked) this.found.push(walked);
    this.log = new AccessLog(this.loops);
  }

  private get recording(): boolean {
    return this.teams.depth > 0 || this.taskful || this.watcher !== undefined;
  }

  // ---------------------------------------------------------------- directives

  protected stmt(s: Stmt): void {
    if (this.calls.length > 1 && ++this.log.inlined > mostInlined) return;
    this.construct(directivesOf(s), 0, s);
  }

  private construct(list: readonly Directive[], k: number, s: Stmt): void {
    const d = list[k];
    if (!d) return this.plain(s);
    const after = () => this.construct(list, k + 1, s);
    const next =
      this.watcher && ofDevices(d) ? () => this.watched(this.watcher as Watcher, d, s, after) : after;
    if (d.name === "atomic") return this.atomic(d, s);
    return d.language === "omp" ? this.omp(d, s, next) : this.acc(d, s, next);
  }

  private watched(watcher: Watcher, d: Directive, s: Stmt, inside: () => void): void {
    if (standalone.test(d.name)) {
      watcher.alone(d, this.moment());
      return inside();
    }
    watcher.enter(d, s, this.moment());
    inside();
    watcher.leave(d, this.moment());
  }

  private moment(): Moment {
    return { order: this.order++, guards: this.guards, loops: [...this.loops], frame: this.frame };
  }

  private omp(d: Directive, s: Stmt, next: () => void): void {
    switch (d.name) {
      case "barrier":
        this.barrier();
        return next();
      case "flush":
        this.log.flushes = true;
        return next();
      case "shuffle sync":
      case "shuffle up":
      case "shuffle down":
      case "shuffle xor":
        for (const e of shuffled(d)) this.value(e);
        return next();
      case "taskwait":
        this.taskwait(d);
        return next();
      case "critical":
        return this.under(`critical:${d.argument.map((t) => t.text).join("")}`, next);
      case "ordered":
        return this.inOrder(d, next);
      case "single":
        return this.single(d, next);
      case "master":
      case "masked":
        return this.master(d, next);
      case "sections":
        return this.sections(d, s);
      case "task":
        return this.task(d, next);
      case "taskgroup": {
        const from = this.tasks.count;
        next();
        this.tasks.finish(this.order++, from);
        return;
      }
      default:
        // A region of a device that is a task with dependences orders others.
        if (unfollowed.test(d.name) || (d.words.has("target") && clauseOf(d, "depend")))
          this.log.synchronised = true;
        return this.leaves(d, s, next);
    }
  }

  /** The leaf constructs of a combined one, from the outermost inwards. */
  private leaves(d: Directive, s: Stmt, next: () => void): void {
    const has = (word: string) => d.words.has(word);
    const { doacross } = this;
    const shared = has("for") || has("distribute") || has("loop") || has("taskloop");
    if (!shared && !has("parallel") && !has("teams") && !has("simd")) return next();
    const serial = numberOf(d, "num_threads") === 1 || isNever(d);
    const depth = this.teams.depth;
    const made = has("taskloop") ? this.tasks.count : 0;
    const orphaned = depth === 0 && !has("parallel") && !has("teams") && !has("taskloop") && shared;
    const oneTeam = serial || numberOf(d, "num_teams") === 1;
    if (has("teams") && !oneTeam) this.push("teams", d);
    if (has("parallel") && !serial && !(has("distribute") && this.teams.innermost()?.kind === "teams"))
      this.push("threads", d);
    if (has("master") || has("masked")) this.teams.restrict({ is: "master" });
    let closes = false;
    const leaves = has("taskloop") && clauseOf(d, "nogroup") !== undefined;
    if (leaves) this.leaveBehind();
    if (has("taskloop")) this.push("threads", d, this.loopExec(d, s));
    else if (has("distribute") && !has("parallel")) {
      if (this.teams.innermost()?.kind === "teams") this.teams.restrict(this.loopExec(d, s));
    } else if (shared && !serial) closes = this.shareOut(d, s, depth);
    else if (has("simd") && !shared) this.pushLanes(d, s);
    const outer = this.teams.depth;
    const kind = has("taskloop") ? "task" : orphaned ? "orphan" : "construct";
    const body = has("sections") ? () => this.eachSection(s) : next;
    this.owners.within(d, { levels: outer, tasks: this.tasks.depth }, body, kind);
    if (leaves) this.tasks.end();
    this.sharing = undefined;
    this.doacross = doacross;
    if (closes) {
      this.teams.rejoin();
      this.combine(d);
      if (!clauseOf(d, "nowait")) this.barrier();
    }
    this.popTo(depth, leaves ? this.tasks.count : made);
    if (has("distribute") && !has("teams") && this.teams.innermost()?.kind === "teams") this.teams.rejoin();
  }

  /** At the end of a worksharing loop each thread combines its part into the shared variable. */
  private combine(d: Directive): void {
    for (const { sym, loc } of clausesOf(d, "reduction").flatMap((c) => itemsOf(d, c))) {
      const expr: Expr = { kind: "ident", sym, type: sym.type, span: { start: loc, end: loc } };
      this.note(expr, "write", { atomic: true, update: true });
    }
  }

  /** Distributes the iterations of the following loop over the threads; returns whether the team continues after it. */
  private shareOut(d: Directive, s: Stmt, depth: number): boolean {
    const team = this.teams.innermost();
    const exec = this.loopExec(d, s);
    if (team?.exec.is !== "all" || team.kind === "lanes") {
      // Orphaned, or nested in an unknown team.
      this.push("threads", d, exec);
      return false;
    }
    this.teams.restrict(exec);
    return this.teams.depth === depth;
  }

  private loopExec(directive: Directive, stmt: Stmt): Exec {
    const around = this.expectLoops(directive);
    return { is: "loop", id: ++this.ids, around, by: { directive, stmt } };
  }

  private expectLoops(d: Directive): Around[] {
    const around: Around[] = [];
    const tile = clauseOf(d, "tile");
    const left = numberOf(d, "collapse") ?? (tile ? tile.tokens.filter((t) => t.text === ",").length + 1 : 1);
    const all: Around[] = [];
    const waiting = clauseOf(d, "ordered")?.argument ? (numberOf(d, "ordered") ?? 0) : 0;
    if (waiting > 0) this.doacross = { loops: all, waited: [], all: [], posted: false };
    // The variables of all loops that `ordered` applies to are private, too.
    this.sharing = { shared: left, privates: Math.max(left, waiting), around, all };
    return around;
  }

  private pushLanes(directive: Directive, stmt: Stmt): void {
    const around = this.expectLoops(directive);
    const reach = numberOf(directive, "safelen") ?? endless;
    this.push("lanes", directive, { is: "lanes", id: ++this.ids, around, by: { directive, stmt }, reach });
  }

  private push(kind: Level["kind"], directive: Directive, exec?: Exec): void {
    this.teams.enter(++this.ids, kind, directive, this.loops.length, exec);
  }

  /** `from`: the tasks from this index on are waited for. */
  private popTo(depth: number, from = 0): void {
    if (this.teams.depth === depth) return;
    this.teams.leave(depth);
    this.tasks.finish(this.order, from);
    this.order++;
    if (depth === 0 && !this.taskful && !this.watcher) this.flush();
  }

  private barrier(): void {
    const level = this.teams.barrier();
    if (!level) return;
    this.order++;
    for (const loop of this.loops.slice(level.loopsOutside)) loop.barrier = true;
    this.tasks.finish(this.order);
    this.order++;
  }

  private within(d: Directive, inside: () => void): void {
    const owner = { levels: this.teams.depth, tasks: this.tasks.depth };
    this.owners.within(d, owner, inside, "construct");
  }

  private single(d: Directive, next: () => void): void {
    this.teams.during({ is: "single", id: ++this.ids }, () => this.within(d, next));
    if (!clauseOf(d, "nowait")) this.barrier();
  }

  private master(d: Directive, next: () => void): void {
    const chosen = clauseOf(d, "filter");
    this.teams.during(chosen ? { is: "single", id: ++this.ids } : { is: "master" }, next);
  }

  private sections(d: Directive, s: Stmt): void {
    const depth = this.teams.depth;
    if (!this.teams.threads()) this.push("threads", d);
    const owner = { levels: this.teams.depth, tasks: this.tasks.depth };
    this.owners.within(d, owner, () => this.eachSection(s), depth === 0 ? "orphan" : "construct");
    if (!clauseOf(d, "nowait")) this.barrier();
    this.popTo(depth);
  }

  private eachSection(s: Stmt): void {
    const id = ++this.ids;
    let index = 0;
    for (const child of s.kind === "compound" ? s.body : [s]) {
      if (directivesOf(child).some((d) => d.name === "section")) index++;
      this.teams.during({ is: "section", id, index }, () => this.stmt(child));
    }
  }

  private inOrder(d: Directive, next: () => void): void {
    if (clausesOf(d, "depend", "doacross").length > 0) {
      const after = this.doacross && this.guards.every((g) => !g.inside) && afterOrdered(d, this.doacross);
      if (after) this.doacross = after;
      else this.log.synchronised = true;
      return next();
    }
    const before = this.ordered;
    this.ordered = true;
    next();
    this.ordered = before;
  }

  private under(lock: string, inside: () => void): void {
    this.locks.push(lock);
    inside();
    this.locks.splice(this.locks.lastIndexOf(lock), 1);
  }

  private task(d: Directive, next: () => void): void {
    for (const e of [argumentOf(d, "if"), argumentOf(d, "final")]) if (e) this.value(e);
    const undeferred = isNever(d);
    const depends = this.dependsOf(d);
    const task = this.tasks.begin({
      id: ++this.ids,
      created: this.order++,
      depends,
      context: this.context(),
      loops: this.loops.length,
      loopsOutside: this.tasks.innermost()?.loops ?? this.teams.innermost()?.loopsOutside ?? 0,
      levels: this.teams.depth,
    });
    if (clausesOf(d, "detach", "in_reduction").length > 0) this.log.synchronised = true;
    this.owners.within(d, { levels: this.teams.depth, tasks: this.tasks.depth }, next, "task");
    this.tasks.end();
    if (undeferred) this.tasks.undeferred(task, this.order);
    this.order++;
  }

  /** A task that ends only where all tasks are waited for. */
  private leaveBehind(): void {
    this.tasks.begin({
      id: ++this.ids,
      created: this.order++,
      depends: [],
      context: this.context(),
      loops: this.loops.length,
      loopsOutside: this.tasks.innermost()?.loops ?? this.teams.innermost()?.loopsOutside ?? 0,
      levels: this.teams.depth,
    });
  }

  private taskwait(d: Directive): void {
    this.tasks.wait(this.order++, clauseOf(d, "depend") && this.dependsOf(d));
  }

  private dependsOf(d: Directive): readonly Depend[] {
    return clausesOf(d, "depend").flatMap((c) => {
      const kind = c.tokens[0]?.text ?? "inout";
      if (c.tokens.some((t) => t.text === "omp_all_memory")) return [{ kind, text: "omp_all_memory" }];
      return itemsOf(d, c).map(({ sym, text, tokens }) => {
        const expr = parseExpr(tokens, d.pragma.scope);
        const place = "severity" in expr ? undefined : this.places.of(expr, this.frame);
        return { kind, text, root: place?.root ?? sym, ...(place && { place }) };
      });
    });
  }

  private atomic(d: Directive, s: Stmt): void {
    const what = (["read", "write", "capture"] as const).find((w) => clauseOf(d, w)) ?? "update";
    if (clausesOf(d, ...orders).length > 0) this.log.flushes = true;
    const { pragmas: _, ...bare } = s;
    const made = readAtomic(what, bare as Stmt, { loc: d.loc, what: "atomic" });
    if ("severity" in made) {
      // An unknown form: its accesses are not recorded.
      this.log.synchronised = true;
      return;
    }
    if (made.value) this.value(made.value);
    if (what !== "write") this.note(made.target, "read", { atomic: true });
    if (what !== "read") this.note(made.target, "write", { atomic: true, update: true });
    if (made.captured) this.access(made.captured, { mode: "write", update: false });
  }

  private acc(d: Directive, s: Stmt, next: () => void): void {
    const has = (word: string) => d.words.has(word);
    const depth = this.teams.depth;
    const [kernels, serial] = [this.inKernels, this.inSerial];
    if (has("kernels")) this.inKernels = true;
    if (has("serial")) this.inSerial = true;
    if (has("parallel") && numberOf(d, "num_gangs") !== 1) this.push("gangs", d);
    if (has("loop") && this.claimsIndependence(d)) {
      const gang = this.teams.innermost();
      const narrow = clausesOf(d, "worker", "vector").length > 0 && !clauseOf(d, "gang");
      const exec = this.loopExec(d, s);
      if (gang?.kind === "gangs" && gang.exec.is === "all" && !(narrow && !has("parallel"))) {
        this.teams.restrict(exec);
        this.accScope(d, next);
        this.teams.rejoin();
      } else {
        this.push("gangs", d, exec);
        this.accScope(d, next);
      }
    } else this.accScope(d, next);
    this.sharing = undefined;
    [this.inKernels, this.inSerial] = [kernels, serial];
    this.popTo(depth);
  }

  /** A loop that its directive declares independent; for `kernels` and `auto` the compiler decides. */
  private claimsIndependence(d: Directive): boolean {
    if (this.inSerial || clausesOf(d, "seq", "serial", "auto").length > 0) return false;
    return !this.inKernels || clauseOf(d, "independent") !== undefined;
  }

  private accScope(d: Directive, next: () => void): void {
    const owner = { levels: this.teams.depth, tasks: this.tasks.depth };
    const compute = ["parallel", "kernels", "serial"].some((word) => d.words.has(word));
    this.owners.mapping(d, () => this.owners.within(d, owner, next, compute ? "gangs" : "construct"));
  }

  // ---------------------------------------------------------------- statements

  private plain(s: Stmt): void {
    switch (s.kind) {
      case "expr":
        if (s.expr) this.value(s.expr);
        return;
      case "decl":
        for (const { sym, init } of s.decls) {
          if (sym.scope === "file" || sym.storage === "static" || sym.storage === "extern") continue;
          // Compilers make variables declared by gangs private to lanes.
          const gangs = this.teams.innermost()?.kind === "gangs" && isScalar(sym.type);
          const levels = gangs ? endless : this.teams.depth;
          this.owners.declare(sym, { levels, tasks: this.tasks.depth });
          this.changes(sym);
          if (init) this.init(init);
        }
        return;
      case "compound":
        return this.block(s.body);
      case "if":
        this.value(s.test);
        this.guarded(s.test, true, () => this.stmt(s.then));
        if (s.else) this.guarded(s.test, false, () => this.stmt(s.else as Stmt));
        return;
      case "for":
        return this.for(s);
      case "while":
        return this.uncounted(() => {
          this.value(s.test);
          this.guarded(s.test, true, () => this.stmt(s.body));
        });
      case "do":
        return this.uncounted(() => {
          this.stmt(s.body);
          this.value(s.test);
        });
      case "switch":
        this.value(s.test);
        return this.guarded(s.test, true, () => this.stmt(s.body), true);
      case "return":
        if (s.value) this.value(s.value);
        return;
      case "label":
      case "case":
        return this.stmt(s.body);
      case "goto":
      case "asm":
        if (this.recording) this.log.synchronised = true;
        return;
      default:
        return;
    }
  }

  /** Code after `if (c) continue;` runs only if `c` does not hold. */
  private block(body: readonly Stmt[]): void {
    const guards = this.guards;
    for (const s of body) {
      this.stmt(s);
      if (s.kind === "if" && !s.else && jumps(s.then))
        this.guards = [...this.guards, this.guard(s.test, false)];
    }
    this.guards = guards;
  }

  private guard(test: Expr, holds: boolean, opaque = false): Guard {
    const inside = this.recording;
    return { test, holds, frame: this.frame, inside, ...(opaque && { opaque: true as const }) };
  }

  private guarded(test: Expr, holds: boolean, inside: () => void, opaque = false): void {
    const guards = this.guards;
    this.guards = [...guards, this.guard(test, holds, opaque)];
    inside();
    this.guards = guards;
  }

  private for(s: Stmt & { readonly kind: "for" }): void {
    const header = countedHeader(s);
    if ("severity" in header || sets(s.body, header.var, this.facts)) {
      this.sharing = undefined;
      if (s.init?.kind === "decl") this.stmt(s.init);
      else if (s.init) this.value(s.init);
      return this.uncounted(() => {
        if (s.test) this.value(s.test);
        const inside = () => {
          this.stmt(s.body);
          if (s.step) this.value(s.step);
        };
        if (s.test) this.guarded(s.test, true, inside);
        else inside();
      });
    }
    const { sharing } = this;
    const around: Around = { header, frame: this.frame, barrier: false };
    const team = this.teams.threads();
    const first = team?.phase ?? 0;
    const own = { levels: this.teams.depth, tasks: this.tasks.depth };
    if (header.declares) this.owners.declare(header.var, own);
    for (const e of [header.lower, header.bound, header.step]) this.value(e);
    const body = () => {
      const counts = !sharing && !header.declares && !this.isLanesCounter();
      if (counts) this.counter(header, s.span.start);
      this.changes(header.var);
      this.loops.push(around);
      this.log.loops.push(around);
      const tasks = this.tasks.count;
      this.stmt(s.body);
      if (counts) this.step(header, s.span.start);
      this.loops.pop();
      const last = team?.phase ?? 0;
      if (team && last !== first) around.phases = { level: team.id, first, last };
      this.tasks.iterationEnds(tasks, this.loops.length);
    };
    if (!sharing) return body();
    sharing.all.push(around);
    if (sharing.shared-- > 0) sharing.around.push(around);
    if (--sharing.privates === 0) this.sharing = undefined;
    this.owners.declare(header.var, own);
    body();
  }

  /** The directive makes it private. */
  private isLanesCounter(): boolean {
    return this.inKernels || this.inSerial || this.teams.innermost()?.kind === "gangs";
  }

  /** A counter that the loop does not declare is an ordinary variable. */
  private counter({ var: sym, lower }: LoopHeader, loc: Loc): void {
    const expr: Expr = { kind: "ident", sym, type: sym.type, span: lower.span };
    const at = lower.span.start.line > 0 ? lower.span.start : loc;
    this.note(expr, "write", { loc: at });
    this.note(expr, "read", { loc: at });
  }

  /** After the body. */
  private step({ var: sym, lower, step }: LoopHeader, loc: Loc): void {
    const expr: Expr = { kind: "ident", sym, type: sym.type, span: lower.span };
    const at = [step, lower].map((e) => e.span.start).find((start) => start.line > 0) ?? loc;
    this.note(expr, "write", { loc: at, update: true });
  }

  private uncounted(inside: () => void): void {
    const around: Around = { frame: this.frame, barrier: false };
    if (this.recording) this.log.spins = true;
    this.loops.push(around);
    const tasks = this.tasks.count;
    inside();
    this.loops.pop();
    this.tasks.iterationEnds(tasks, this.loops.length);
  }

  // ---------------------------------------------------------------- expressions

  protected override assign(e: Expr & { readonly kind: "assign" }): void {
    const target = stripImplicit(e.left);
    const text = printExpr(target);
    let again = e.op !== "=";
    const from = this.log.accesses.length;
    this.value(e.right);
    for (const read of this.log.accesses.slice(from))
      if (read.mode === "read" && printExpr(read.expr) === text) again = true;
    this.path(target);
    if (e.op !== "=") this.note(target, "read", { update: true });
    this.note(target, "write", { update: again, constant: evaluateInteger(e.right) !== undefined });
  }

  protected touch(object: Expr, { mode, update }: Touch): void {
    this.note(object, mode, { update });
  }

  protected maybe(test: Expr, holds: boolean, inside: () => void): void {
    this.guarded(test, holds, inside);
  }

  protected call(e: Expr & { readonly kind: "call" }): void {
    for (const arg of e.args) this.value(arg);
    const callee = stripImplicit(e.callee);
    const sym = callee.kind === "ident" && callee.sym.kind === "function" ? callee.sym : undefined;
    if (!sym) return this.unfollowed("", e);
    if (/^omp_(un)?set(_nest)?_lock$/.test(sym.name)) return this.lock(sym.name, e.args[0]);
    const def = sym.definition;
    if (!def) {
      this.unfollowed(sym.name, e);
      if (this.recording && synchronising.test(sym.name) && !/^omp_(init|destroy)/.test(sym.name))
        this.log.synchronised = true;
      return;
    }
    // The arguments of a call may tell which pointers of a function with parallel code are the same.
    if (!this.recording && !(e.args.some((a) => isPointer(a.type)) && isParallel(def.body))) return;
    if (this.calls.includes(sym) || this.calls.length > deepestCall || this.log.inlined > mostInlined)
      return this.unfollowed("", e);
    const bound = new Map<Symbol, { expr: Expr; frame: Frame }>();
    for (const [k, param] of def.params.entries()) {
      this.owners.declare(param, { levels: endless, tasks: endless });
      const expr = e.args[k];
      if (expr) bound.set(param, { expr, frame: this.frame });
    }
    const { frame, calls, guards } = this;
    this.frame = { arguments: bound };
    this.calls = [...calls, sym];
    this.stmt(def.body);
    [this.frame, this.calls, this.guards] = [frame, calls, guards];
  }

  private unfollowed(name: string, e: Expr): void {
    this.watcher?.call(name, e, this.moment());
  }

  private lock(name: string, argument: Expr | undefined): void {
    if (!argument || !this.recording) return;
    const place = this.places.of(
      { kind: "unary", op: "*", arg: argument, type: argument.type, span: argument.span },
      this.frame,
    );
    const plain = place?.steps.every((s) => s.is !== "index" || s.terms.length === 0);
    // One of several locks, or one that is not always taken.
    if (!place || !plain || this.guards.some((g) => g.inside)) {
      this.log.synchronised = true;
      return;
    }
    const key = `lock:${place.root.id}${place.steps.map((s) => (s.is === "field" ? s.name : "")).join(".")}`;
    if (name.includes("unset")) {
      const at = this.locks.lastIndexOf(key);
      if (at >= 0) this.locks.splice(at, 1);
    } else this.locks.push(key);
  }

  /** When a whole function is analysed, a variable that is set once, outside of loops, stays the same afterwards. */
  private changes(sym: Symbol): void {
    if (!this.recording) return;
    const once = this.watcher && this.teams.depth === 0 && this.loops.length === 0 && this.calls.length === 1;
    if (!once || (this.facts.settings.get(sym)?.length ?? 0) > 1) this.log.changed.add(sym);
  }

  private note(
    e: Expr,
    mode: Access["mode"],
    {
      atomic = false,
      update = false,
      constant = false,
      loc = e.span.start,
    }: { atomic?: boolean; update?: boolean; constant?: boolean; loc?: Loc },
  ): void {
    if (!this.recording) return;
    if (mode === "write" && e.kind === "ident") this.changes(e.sym);
    const place = this.places.of(e, this.frame);
    if (!place) return;
    const { root, steps } = place;
    if (mode === "write" && isPointer(e.type)) this.changes(root);
    const direct = steps.every((s) => s.is !== "deref");
    const depth = this.teams.depth;
    const written = e.kind === "ident" ? undefined : rootOf(e)?.sym;
    const owner =
      written && this.owners.hasElements(written)
        ? this.owners.ofElements(written, depth)
        : direct
          ? this.owners.of(root, depth)
          : this.owners.ofElements(root, depth);
    if (owner.levels > depth) return;
    this.log.accesses.push({
      place,
      mode,
      atomic,
      update,
      constant,
      owner: owner.levels,
      taskOwner: owner.tasks,
      expr: e,
      loc,
      order: this.order++,
      context: this.context(),
    });
  }

  /** The same object as long as nothing changes, so that results for it can be cached. */
  private context(): Context {
    const { last, teams, locks, ordered, doacross, guards, loops, frame } = this;
    const levels = teams.snapshot();
    const tasks = this.tasks.around();
    const isSame =
      last?.levels === levels &&
      last.guards === guards &&
      last.frame === frame &&
      last.ordered === ordered &&
      last.doacross === doacross &&
      areSame(last.loops, loops) &&
      areSame(last.tasks, tasks) &&
      areSame([...last.locks], [...new Set(locks)]);
    if (isSame) return last;
    this.last = {
      levels,
      locks: new Set(locks),
      ordered,
      ...(doacross && { doacross }),
      guards,
      loops: [...loops],
      tasks,
      frame,
    };
    return this.last;
  }
}

const areSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((x, i) => x === b[i]);

/** `if(0)`. */
function isNever(d: Directive): boolean {
  const words = clauseOf(d, "if")?.tokens.map((t) => t.text) ?? [];
  if (words[1] === ":" && !["parallel", "task"].includes(words[0] ?? "")) return false;
  const e = argumentOf(d, "if");
  return e !== undefined && isInteger(e.type) && numberOf(d, "if") === 0;
}

function jumps(s: Stmt): boolean {
  const last = s.kind === "compound" ? s.body.at(-1) : s;
  return (
    last?.kind === "continue" || last?.kind === "break" || last?.kind === "return" || last?.kind === "goto"
  );
}

/** Whether a statement assigns to a variable. */
const sets = ({ span: { start, end } }: Stmt, sym: Symbol, { settings }: Facts): boolean =>
  (settings.get(sym) ?? []).some(
    ({ at }) => at && (at.span.start.file !== start.file || within(at.span.start, start, end)),
  );

const within = (at: Loc, start: Loc, end: Loc): boolean =>
  (at.line > start.line || (at.line === start.line && at.col >= start.col)) &&
  (at.line < end.line || (at.line === end.line && at.col <= end.col));

function isParallel(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      if (directivesOf(s).length > 0) found = true;
      return !found;
    },
    expr: () => false,
  });
  return found;
}

/** Tasks outside of parallel constructs: their siblings are those of the function. */
function makesTasks(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      const names = directivesOf(s).map((d) => d.name);
      if (names.some((name) => name.startsWith("parallel") || name.startsWith("target"))) return false;
      if (names.includes("task")) found = true;
      return !found;
    },
    expr: () => false,
  });
  return found;
}
