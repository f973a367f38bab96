/**
 * Follows a function as its threads run it, and notes what they touch: directives change who runs what, barriers
 * begin phases, and calls of functions that are defined here are followed.
 */

import { isArray } from "../../ir/analysis/access.ts";
import { countedHeader } from "../../ir/analysis/counted.ts";
import { readAtomic } from "../../ir/directives/atomic.ts";
import type { LoopHeader } from "../../ir/model/ir.ts";
import { evaluateInteger, isInteger, isPointer, isScalar, printExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, FunctionDef, Init, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
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
import type { Access, Around, Exec, Frame, Guard, Level } from "./access.ts";
import type { Facts } from "./facts.ts";
import type { Owners } from "./owners.ts";
import { Places } from "./places.ts";
import { type Task, waits } from "./tasks.ts";

/** What stands in one outermost construct. */
export interface Walked {
  readonly accesses: readonly Access[];
  readonly tasks: readonly Task[];
  /** Threads wait for one another in ways that are not followed. */
  readonly synchronised: boolean;
  /** What parallel code sets or declares. */
  readonly changed: ReadonlySet<Symbol>;
  /** Headers of its loops, with the calls they stand in. */
  readonly loops: readonly Around[];
}

/** Told of what a function does with devices, where all that it touches is noted, on the host too. */
export interface Watcher {
  /** A construct with a body begins or ends; places in order as those of accesses. */
  enter(d: Directive, s: Stmt, at: Moment): void;
  leave(d: Directive, at: Moment): void;
  alone(d: Directive, at: Moment): void;
  /** A function that is not followed. */
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
export const ofDevices = ({ language, name }: Directive): boolean =>
  (withBody.test(name) && (language === "acc" || name.startsWith("target"))) || standalone.test(name);

type Open<T> = { -readonly [K in keyof T]: T[K] };

/** Statements followed into functions, for one region. */
const mostInlined = 3000;
const deepestCall = 5;
const endless = Number.POSITIVE_INFINITY;

const synchronising = /lock|mutex|barrier|sem_|wait|signal|atomic|__sync|fence|futex/i;
/** Clauses of `atomic` and directives by which one thread may wait for another. */
const orders = ["seq_cst", "acquire", "release", "acq_rel"];
const unfollowed =
  /^(scan|depobj|interop|dispatch|scope|metadirective|\?|declare variant|begin|end|tile|unroll)/;

export class Walk {
  private readonly places: Places;
  private readonly owners: Owners;
  private readonly found: Walked[] = [];

  private accesses: Access[] = [];
  private tasks: Task[] = [];
  private allLoops: Around[] = [];
  private changed = new Set<Symbol>();
  private synchronised = false;
  /** What is written is made visible, and loops wait for what is not counted: together a way to wait for a thread. */
  private flushes = false;
  private spins = false;
  private inlined = 0;

  private levels: Open<Level>[] = [];
  private loops: Around[] = [];
  private guards: Guard[] = [];
  private locks: string[] = [];
  private inTasks: Task[] = [];
  private ordered = false;
  private frame: Frame = { arguments: new Map() };
  private calls: Symbol[] = [];
  private order = 0;
  private ids = 0;
  /** The function makes tasks outside of parallel constructs. */
  private taskful = false;
  private inKernels = false;
  private inSerial = false;
  /** Loops that the last directive shares out and that have not come yet. */
  private sharing: { shared: number; privates: number; readonly around: Around[] } | undefined;

  private readonly facts: Facts;
  private readonly watcher: Watcher | undefined;

  constructor(facts: Facts, owners: Owners, watcher?: Watcher) {
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
    const { accesses, tasks, changed, allLoops: loops } = this;
    const synchronised = this.synchronised || (this.flushes && this.spins);
    if (accesses.length > 0) this.found.push({ accesses, tasks, synchronised, changed, loops });
    [this.accesses, this.tasks, this.allLoops] = [[], [], [...this.loops]];
    this.changed = new Set();
    [this.synchronised, this.flushes, this.spins] = [false, false, false];
    this.inlined = 0;
  }

  private get recording(): boolean {
    return this.levels.length > 0 || this.taskful || this.watcher !== undefined;
  }

  // ---------------------------------------------------------------- directives

  private stmt(s: Stmt): void {
    if (this.calls.length > 1 && ++this.inlined > mostInlined) return;
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
        this.flushes = true;
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
        const from = this.tasks.length;
        next();
        for (const task of this.tasks.slice(from)) task.finished = Math.min(task.finished, this.order++);
        return;
      }
      default:
        if (unfollowed.test(d.name)) this.synchronised = true;
        return this.leaves(d, s, next);
    }
  }

  /** Combined constructs, from the outermost part inwards. */
  private leaves(d: Directive, s: Stmt, next: () => void): void {
    const has = (word: string) => d.words.has(word);
    const shared = has("for") || has("distribute") || has("loop") || has("taskloop");
    if (!shared && !has("parallel") && !has("teams") && !has("simd")) return next();
    const serial = numberOf(d, "num_threads") === 1 || isNever(d, "if");
    const depth = this.levels.length;
    const oneTeam = serial || numberOf(d, "num_teams") === 1;
    if (has("teams") && !oneTeam) this.push("teams", d);
    if (has("parallel") && !serial && !(has("distribute") && this.levels.at(-1)?.kind === "teams"))
      this.push("threads", d);
    if (has("master") || has("masked")) this.setExec({ is: "master" });
    let closes: Open<Level> | undefined;
    if (has("taskloop")) this.push("threads", d, this.loopExec(d, s));
    else if (has("distribute") && !has("parallel")) {
      if (this.levels.at(-1)?.kind === "teams") this.setExec(this.loopExec(d, s));
    } else if (shared && !serial) closes = this.shareOut(d, s, depth);
    else if (has("simd") && !shared) this.pushLanes(d, s);
    const outer = this.levels.length;
    const kind = has("taskloop") ? "task" : "construct";
    const body = has("sections") ? () => this.eachSection(s) : next;
    this.owners.within(d, { levels: outer, tasks: this.inTasks.length }, body, kind);
    this.sharing = undefined;
    if (closes) {
      closes.exec = { is: "all" };
      this.combine(d);
      if (!clauseOf(d, "nowait")) this.barrier();
    }
    this.popTo(depth);
    const team = this.levels.at(-1);
    if (has("distribute") && !has("teams") && team?.kind === "teams") team.exec = { is: "all" };
  }

  /** At the end of a worksharing loop each thread adds its part to the variable that all share. */
  private combine(d: Directive): void {
    for (const { sym, loc } of clausesOf(d, "reduction").flatMap((c) => itemsOf(d, c))) {
      const expr: Expr = { kind: "ident", sym, type: sym.type, span: { start: loc, end: loc } };
      this.note(expr, "write", { atomic: true, update: true });
    }
  }

  /** Gives the iterations of the loop that follows to the threads; the team that goes on behind it, if one does. */
  private shareOut(d: Directive, s: Stmt, depth: number): Open<Level> | undefined {
    const team = this.levels.at(-1);
    const exec = this.loopExec(d, s);
    if (team?.exec.is !== "all" || team.kind === "lanes") {
      // Orphaned, or nested where no team is known.
      this.push("threads", d, exec);
      return undefined;
    }
    team.exec = exec;
    return this.levels.length === depth ? team : undefined;
  }

  private loopExec(directive: Directive, stmt: Stmt): Exec {
    const around = this.expectLoops(directive);
    return { is: "loop", id: ++this.ids, around, by: { directive, stmt } };
  }

  private expectLoops(d: Directive): Around[] {
    const around: Around[] = [];
    const tile = clauseOf(d, "tile");
    const left = numberOf(d, "collapse") ?? (tile ? tile.tokens.filter((t) => t.text === ",").length + 1 : 1);
    if (clauseOf(d, "ordered")?.argument) this.synchronised = true;
    // The variables of all loops that `ordered` speaks of are private too.
    this.sharing = { shared: left, privates: Math.max(left, numberOf(d, "ordered") ?? 0), around };
    return around;
  }

  private pushLanes(directive: Directive, stmt: Stmt): void {
    const around = this.expectLoops(directive);
    const reach = numberOf(directive, "safelen") ?? endless;
    this.push("lanes", directive, { is: "lanes", id: ++this.ids, around, by: { directive, stmt }, reach });
  }

  private push(kind: Level["kind"], directive: Directive, exec: Exec = { is: "all" }): void {
    const id = ++this.ids;
    this.levels.push({ id, phase: 0, exec, kind, directive, loopsOutside: this.loops.length });
  }

  private popTo(depth: number): void {
    if (this.levels.length === depth) return;
    this.levels.length = depth;
    for (const task of this.tasks) task.finished = Math.min(task.finished, this.order);
    this.order++;
    if (depth === 0 && !this.taskful && !this.watcher) this.flush();
  }

  private setExec(exec: Exec): void {
    const level = this.levels.at(-1);
    if (level?.exec.is === "all") level.exec = exec;
  }

  private as(exec: Exec, inside: () => void): void {
    const level = this.levels.findLast((l) => l.kind === "threads");
    if (level?.exec.is !== "all") return inside();
    level.exec = exec;
    inside();
    level.exec = { is: "all" };
  }

  private barrier(): void {
    const level = this.levels.findLast((l) => l.kind === "threads");
    if (!level) return;
    level.phase++;
    this.order++;
    for (const loop of this.loops.slice(level.loopsOutside)) loop.barrier = true;
    for (const task of this.tasks) task.finished = Math.min(task.finished, this.order);
    this.order++;
  }

  private within(d: Directive, inside: () => void): void {
    const owner = { levels: this.levels.length, tasks: this.inTasks.length };
    this.owners.within(d, owner, inside, "construct");
  }

  private single(d: Directive, next: () => void): void {
    this.as({ is: "single", id: ++this.ids }, () => this.within(d, next));
    if (!clauseOf(d, "nowait")) this.barrier();
  }

  private master(d: Directive, next: () => void): void {
    const chosen = clauseOf(d, "filter");
    this.as(chosen ? { is: "single", id: ++this.ids } : { is: "master" }, next);
  }

  private sections(d: Directive, s: Stmt): void {
    const depth = this.levels.length;
    if (!this.levels.some((l) => l.kind === "threads")) this.push("threads", d);
    this.within(d, () => this.eachSection(s));
    if (!clauseOf(d, "nowait")) this.barrier();
    this.popTo(depth);
  }

  private eachSection(s: Stmt): void {
    const id = ++this.ids;
    let index = 0;
    for (const child of s.kind === "compound" ? s.body : [s]) {
      if (directivesOf(child).some((d) => d.name === "section")) index++;
      this.as({ is: "section", id, index }, () => this.stmt(child));
    }
  }

  private inOrder(d: Directive, next: () => void): void {
    if (clausesOf(d, "depend", "doacross").length > 0) this.synchronised = true;
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
    const undeferred = isNever(d, "if");
    const depends = clausesOf(d, "depend").flatMap((c) =>
      itemsOf(d, c).map(({ text }) => ({ kind: c.tokens[0]?.text ?? "inout", text })),
    );
    const outer = this.inTasks.at(-1);
    const task: Task = {
      id: ++this.ids,
      created: this.order++,
      joined: endless,
      finished: endless,
      depends,
      loops: this.loops.length,
      loopsOutside: outer?.loops ?? this.levels.at(-1)?.loopsOutside ?? 0,
      outlivesIteration: false,
    };
    if (clausesOf(d, "detach", "in_reduction").length > 0) this.synchronised = true;
    this.parents.set(task, outer);
    this.tasks.push(task);
    this.inTasks.push(task);
    const owner = { levels: this.levels.length, tasks: this.inTasks.length };
    this.owners.within(d, owner, next, "task");
    this.inTasks.pop();
    if (undeferred) {
      // Its creator waits for it, and it for those that it depends on.
      for (const other of this.tasks)
        if (other !== task && this.parents.get(other) === outer && waits(other, task))
          other.joined = Math.min(other.joined, task.created);
      task.joined = this.order;
    }
    this.order++;
  }

  /** Children are waited for, not theirs. */
  private taskwait(d: Directive): void {
    const waited = clausesOf(d, "depend").flatMap((c) => itemsOf(d, c).map((i) => i.text));
    const depends = clauseOf(d, "depend") !== undefined;
    const parent = this.inTasks.at(-1);
    for (const task of this.tasks) {
      const child = task.joined === endless && this.isChild(task, parent);
      if (child && (!depends || task.depends.some((t) => waited.includes(t.text)))) task.joined = this.order;
    }
    this.order++;
  }

  private readonly parents = new Map<Task, Task | undefined>();

  private isChild(task: Task, parent: Task | undefined): boolean {
    return task !== parent && !this.inTasks.includes(task) && this.parents.get(task) === parent;
  }

  private atomic(d: Directive, s: Stmt): void {
    const what = (["read", "write", "capture"] as const).find((w) => clauseOf(d, w)) ?? "update";
    if (clausesOf(d, ...orders).length > 0) this.flushes = true;
    const { pragmas: _, ...bare } = s;
    const made = readAtomic(what, bare as Stmt, { loc: d.loc, what: "atomic" });
    if ("severity" in made) {
      // A form that is not known: of what it touches nothing is said.
      this.synchronised = true;
      return;
    }
    if (made.value) this.value(made.value);
    if (what !== "write") this.note(made.target, "read", { atomic: true });
    if (what !== "read") this.note(made.target, "write", { atomic: true, update: true });
    if (made.captured) this.access(made.captured, "write");
  }

  private acc(d: Directive, s: Stmt, next: () => void): void {
    const has = (word: string) => d.words.has(word);
    const depth = this.levels.length;
    const [kernels, serial] = [this.inKernels, this.inSerial];
    if (has("kernels")) this.inKernels = true;
    if (has("serial")) this.inSerial = true;
    if (has("parallel") && numberOf(d, "num_gangs") !== 1) this.push("gangs", d);
    if (has("loop") && this.claimsIndependence(d)) {
      const gang = this.levels.at(-1);
      const narrow = clausesOf(d, "worker", "vector").length > 0 && !clauseOf(d, "gang");
      const exec = this.loopExec(d, s);
      if (gang?.kind === "gangs" && gang.exec.is === "all" && !(narrow && !has("parallel"))) {
        gang.exec = exec;
        this.accScope(d, next);
        gang.exec = { is: "all" };
      } else {
        this.push("gangs", d, exec);
        this.accScope(d, next);
      }
    } else this.accScope(d, next);
    this.sharing = undefined;
    [this.inKernels, this.inSerial] = [kernels, serial];
    this.popTo(depth);
  }

  /** A loop that its directive says to be independent: of `kernels` and `auto` ones the compiler finds out. */
  private claimsIndependence(d: Directive): boolean {
    if (this.inSerial || clausesOf(d, "seq", "serial", "auto").length > 0) return false;
    return !this.inKernels || clauseOf(d, "independent") !== undefined;
  }

  private accScope(d: Directive, next: () => void): void {
    const owner = { levels: this.levels.length, tasks: this.inTasks.length };
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
          // Compilers give lanes their own of what gangs declare.
          const gangs = this.levels.at(-1)?.kind === "gangs" && isScalar(sym.type);
          const levels = gangs ? endless : this.levels.length;
          this.owners.declare(sym, { levels, tasks: this.inTasks.length });
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
        if (this.recording) this.synchronised = true;
        return;
      default:
        return;
    }
  }

  /** What follows `if (c) continue;` happens where `c` does not hold. */
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
    if ("severity" in header || sets(s.body, header.var)) {
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
    const own = { levels: this.levels.length, tasks: this.inTasks.length };
    if (header.declares) this.owners.declare(header.var, own);
    for (const e of [header.lower, header.bound, header.step]) this.value(e);
    const body = () => {
      if (!sharing && !header.declares && !this.isLanesCounter()) this.counter(header, s.span.start);
      this.changes(header.var);
      this.loops.push(around);
      this.allLoops.push(around);
      const tasks = this.tasks.length;
      this.stmt(s.body);
      this.loops.pop();
      this.outlive(tasks);
    };
    if (!sharing) return body();
    if (sharing.shared-- > 0) sharing.around.push(around);
    if (--sharing.privates === 0) this.sharing = undefined;
    this.owners.declare(header.var, own);
    body();
  }

  /** The directive makes it private. */
  private isLanesCounter(): boolean {
    return this.inKernels || this.inSerial || this.levels.at(-1)?.kind === "gangs";
  }

  /** A loop's variable that the loop does not declare is a variable like others. */
  private counter({ var: sym, lower, step }: LoopHeader, loc: Loc): void {
    const expr: Expr = { kind: "ident", sym, type: sym.type, span: lower.span };
    const at = lower.span.start.line > 0 ? lower.span.start : loc;
    this.note(expr, "write", { loc: at });
    this.note(expr, "read", { loc: at });
    this.note(expr, "write", { loc: step.span.start.line > 0 ? step.span.start : at, update: true });
  }

  private uncounted(inside: () => void): void {
    const around: Around = { frame: this.frame, barrier: false };
    if (this.recording) this.spins = true;
    this.loops.push(around);
    const tasks = this.tasks.length;
    inside();
    this.loops.pop();
    this.outlive(tasks);
  }

  /** Tasks made in a loop's body that nothing in it waits for. */
  private outlive(from: number): void {
    for (const task of this.tasks.slice(from))
      if (task.joined === endless && task.finished === endless) task.outlivesIteration = true;
  }

  private init(init: Init): void {
    if (init.kind === "expr") this.value(init.expr);
    else for (const item of init.items) this.init(item.init);
  }

  // ---------------------------------------------------------------- expressions

  private value(e: Expr): void {
    switch (e.kind) {
      case "ident":
      case "index":
      case "member":
        return this.access(e, "read");
      case "unary":
        if (e.op === "*") return this.access(e, "read");
        return e.op === "&" ? this.path(e.arg) : this.value(e.arg);
      case "cast":
        return isArray(e.arg) ? this.path(e.arg) : this.value(e.arg);
      case "incdec":
        this.access(e.arg, "read", true);
        return this.note(stripImplicit(e.arg), "write", { update: true });
      case "assign":
        return this.assign(e);
      case "binary":
        this.value(e.left);
        if (e.op === "&&" || e.op === "||")
          return this.guarded(e.left, e.op === "&&", () => this.value(e.right));
        return this.value(e.right);
      case "comma":
        this.value(e.left);
        return this.value(e.right);
      case "cond":
        this.value(e.test);
        if (e.then) this.guarded(e.test, true, () => this.value(e.then as Expr));
        return this.guarded(e.test, false, () => this.value(e.else));
      case "call":
        return this.call(e);
      case "compound":
        return this.init(e.init);
      case "generic": {
        const chosen = e.assocs[e.chosen];
        if (chosen) this.value(chosen.value);
        return;
      }
      case "stmt-expr":
        return this.stmt(e.body);
      default:
        return;
    }
  }

  private assign(e: Expr & { readonly kind: "assign" }): void {
    const target = stripImplicit(e.left);
    const text = printExpr(target);
    let again = e.op !== "=";
    const from = this.accesses.length;
    this.value(e.right);
    for (const read of this.accesses.slice(from))
      if (read.mode === "read" && printExpr(read.expr) === text) again = true;
    this.path(target);
    if (e.op !== "=") this.note(target, "read", { update: true });
    this.note(target, "write", { update: again, constant: evaluateInteger(e.right) !== undefined });
  }

  private access(e: Expr, mode: Access["mode"], update = false): void {
    const object = stripImplicit(e);
    this.path(object);
    this.note(object, mode, { update });
  }

  /** What finding an object reads: subscripts, and pointers on the way. */
  private path(e: Expr): void {
    switch (e.kind) {
      case "index":
        this.value(e.index);
        return isArray(e.base) ? this.path(e.base) : this.value(e.base);
      case "member":
        return e.arrow ? this.value(e.base) : this.path(e.base);
      case "unary":
        return e.op === "*" ? this.value(e.arg) : this.path(e.arg);
      case "cast":
        return isArray(e.arg) ? this.path(e.arg) : this.value(e.arg);
      case "ident":
        return;
      default:
        return this.value(e);
    }
  }

  private call(e: Expr & { readonly kind: "call" }): void {
    for (const arg of e.args) this.value(arg);
    const callee = stripImplicit(e.callee);
    const sym = callee.kind === "ident" && callee.sym.kind === "function" ? callee.sym : undefined;
    if (!sym) return this.unfollowed("", e);
    if (/^omp_(un)?set(_nest)?_lock$/.test(sym.name)) return this.lock(sym.name, e.args[0]);
    const def = sym.definition;
    if (!def) {
      this.unfollowed(sym.name, e);
      if (this.recording && synchronising.test(sym.name) && !/^omp_(init|destroy)/.test(sym.name))
        this.synchronised = true;
      return;
    }
    if (!this.recording) return;
    if (this.calls.includes(sym) || this.calls.length > deepestCall || this.inlined > mostInlined)
      return this.unfollowed("", e);
    const given = new Map<Symbol, { expr: Expr; frame: Frame }>();
    for (const [k, param] of def.params.entries()) {
      this.owners.declare(param, { levels: endless, tasks: endless });
      const expr = e.args[k];
      if (expr) given.set(param, { expr, frame: this.frame });
    }
    const { frame, calls, guards } = this;
    this.frame = { arguments: given };
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
    // One of many locks, or one that is not always taken.
    if (!place || !plain || this.guards.some((g) => g.inside)) {
      this.synchronised = true;
      return;
    }
    const key = `lock:${place.root.id}${place.steps.map((s) => (s.is === "field" ? s.name : "")).join(".")}`;
    if (name.includes("unset")) {
      const at = this.locks.lastIndexOf(key);
      if (at >= 0) this.locks.splice(at, 1);
    } else this.locks.push(key);
  }

  /** Where all of a function is looked at, what is set once and in no loop stays the same after it. */
  private changes(sym: Symbol): void {
    if (!this.recording) return;
    const once =
      this.watcher && this.levels.length === 0 && this.loops.length === 0 && this.calls.length === 1;
    if (!once || (this.facts.settings.get(sym)?.length ?? 0) > 1) this.changed.add(sym);
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
    const depth = this.levels.length;
    const owner = direct ? this.owners.of(root, depth) : this.owners.ofElements(root, depth);
    if (owner.levels > depth) return;
    this.accesses.push({
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
      context: {
        levels: this.levels.map((level) => ({ ...level })),
        locks: new Set(this.locks),
        ordered: this.ordered,
        guards: this.guards,
        loops: [...this.loops],
        tasks: [...this.inTasks],
        frame: this.frame,
      },
    });
  }
}

/** `if(0)`. */
function isNever(d: Directive, clause: string): boolean {
  const words = clauseOf(d, clause)?.tokens.map((t) => t.text) ?? [];
  if (words[1] === ":" && !["parallel", "task"].includes(words[0] ?? "")) return false;
  const e = argumentOf(d, clause);
  return e !== undefined && isInteger(e.type) && numberOf(d, clause) === 0;
}

function jumps(s: Stmt): boolean {
  const last = s.kind === "compound" ? s.body.at(-1) : s;
  return (
    last?.kind === "continue" || last?.kind === "break" || last?.kind === "return" || last?.kind === "goto"
  );
}

function sets(body: Stmt, sym: Symbol): boolean {
  let found = false;
  walkStmt(body, {
    expr(e) {
      const target = e.kind === "assign" ? e.left : e.kind === "incdec" ? e.arg : undefined;
      const inner = target && stripImplicit(target);
      if (inner?.kind === "ident" && inner.sym === sym) found = true;
    },
  });
  return found;
}

/** Tasks outside of parallel constructs: their siblings are the function's own. */
function makesTasks(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      const names = directivesOf(s).map((d) => d.name);
      if (names.some((name) => name.startsWith("parallel") || name.startsWith("target"))) return false;
      if (names.includes("task")) found = true;
      return true;
    },
  });
  return found;
}
