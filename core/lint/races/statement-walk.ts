/** Walks through statements and expressions without directives. Calls of functions defined here are followed. */

import { itemAt } from "../../checked/access.ts";
import { rootOf } from "../../ir/analysis/access.ts";
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import { isGlobal } from "../../ir/analysis/routines.ts";
import type { LoopHeader } from "../../ir/model/ir.ts";
import { evaluateInteger, isPointer, isScalar, printExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Around, Exec, Frame, Level } from "../memory/access.ts";
import type { Facts } from "../memory/facts.ts";
import { usedByLibrary } from "../memory/library.ts";
import { pointersSetIn, setByEachTurn } from "../memory/pointees.ts";
import { directivesOf } from "../read/directive.ts";
import { RecordingWalk } from "./recording-walk.ts";

/** Limit of statements analysed inside called functions, per region. */
export const mostInlined = 3000;
const deepestCall = 5;
export const endless = Number.POSITIVE_INFINITY;

const synchronising = /lock|mutex|barrier|sem_|wait|signal|atomic|__sync|fence|futex/i;

export abstract class StatementWalk extends RecordingWalk {
  protected inKernels = false;
  protected inSerial = false;
  /** Loops that the last directive distributes and that were not reached yet. */
  protected sharing:
    | { shared: number; privates: number; readonly around: Around[]; readonly all: Around[] }
    | undefined;

  protected plain(s: Stmt): void {
    if (!this.pointees.areAny || !("test" in s)) return this.step(s);
    this.step(s);
    this.pointees.forget(pointersSetIn(s).keys());
  }

  /** What pointers lead to in each turn of a loop. */
  private turns(s: Stmt & { readonly body: Stmt }): void {
    if (!this.pointees.areAny) return;
    this.pointees.forget(pointersSetIn(s).keys());
    if (!this.repeats(s)) return;
    for (const [sym, value] of setByEachTurn(s))
      this.pointees.set(sym, this.locations.pointee(value, this.frame));
  }

  /** Whether a statement is a loop that may have a second turn. */
  private repeats(s: Stmt): boolean {
    if (s.kind !== "for") return s.kind === "while" || s.kind === "do";
    const header = countedHeader(s);
    if ("severity" in header) return true;
    const [first, end] = [header.lower, header.bound].map((e) => evaluateInteger(e));
    return first === undefined || end === undefined || end - first > 1n || first - end > 1n;
  }

  private step(s: Stmt): void {
    switch (s.kind) {
      case "expr":
        if (s.expr) this.value(s.expr);
        return;
      case "decl":
        for (const { sym, init } of s.decls) {
          if (isGlobal(sym)) continue;
          // Compilers make variables declared by gangs private to lanes.
          const gangs = this.teams.innermost()?.kind === "gangs" && isScalar(sym.type);
          const levels = gangs ? endless : this.teams.depth;
          this.owners.declare(sym, { levels, tasks: this.tasks.depth });
          this.changes(sym);
          if (init) this.init(init);
          if (init?.kind === "expr") this.pointerSet(sym, init.expr);
          if (init?.kind === "expr" && this.pointees.isFollowed(sym))
            this.pointees.set(sym, this.locations.pointee(init.expr, this.frame));
        }
        return;
      case "compound":
        return this.block(s.body);
      case "if":
        this.value(s.test);
        this.guarded(s.test, true, () => this.stmt(s.then));
        if (this.pointees.areAny) this.pointees.forget(pointersSetIn(s.then).keys());
        if (s.else) this.guarded(s.test, false, () => this.stmt(s.else as Stmt));
        return;
      case "for":
        return this.for(s);
      case "while":
        this.turns(s);
        return this.uncounted(s, () => {
          this.value(s.test);
          this.guarded(s.test, true, () => this.stmt(s.body), { ofLoop: true });
        });
      case "do":
        this.turns(s);
        return this.uncounted(s, () => {
          this.stmt(s.body);
          this.value(s.test);
        });
      case "switch":
        this.value(s.test);
        return this.guarded(s.test, true, () => this.stmt(s.body), { opaque: true });
      case "return":
        if (s.value) this.value(s.value);
        return;
      case "label":
      case "case":
        this.pointees.forgetAll();
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
    this.unguarded(guards);
  }

  private for(s: Stmt & { readonly kind: "for" }): void {
    const header = countedHeader(s);
    if ("severity" in header || sets(s.body, header.var, this.facts)) {
      this.sharing = undefined;
      if (s.init?.kind === "decl") this.stmt(s.init);
      else if (s.init) this.value(s.init);
      this.turns(s);
      return this.uncounted(s, () => {
        if (s.test) this.value(s.test);
        const inside = () => {
          this.stmt(s.body);
          if (s.step) this.value(s.step);
        };
        if (s.test) this.guarded(s.test, true, inside, { ofLoop: true });
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
    this.turns(s);
    const body = () => {
      const counts = !sharing && !header.declares && !this.isLanesCounter();
      if (counts) this.counter(header, s.span.start);
      this.changes(header.var);
      this.loops.push(around);
      this.log.loops.push(around);
      const tasks = this.tasks.count;
      this.stmt(s.body);
      if (counts) this.counted(header, s.span.start);
      this.loops.pop();
      betweenPhases(around, team, first);
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
  private counted({ var: sym, lower, step }: LoopHeader, loc: Loc): void {
    const expr: Expr = { kind: "ident", sym, type: sym.type, span: lower.span };
    const at = [step, lower].map((e) => e.span.start).find((start) => start.line > 0) ?? loc;
    this.note(expr, "write", { loc: at, update: true });
  }

  private uncounted({ test, body }: { readonly test?: Expr; readonly body: Stmt }, inside: () => void): void {
    const ends = (test && evaluateInteger(test) === undefined) || leaves(body);
    const around: Around = { frame: this.frame, barrier: false, ...(ends && { waits: true }) };
    if (this.recording) this.log.spins++;
    const team = this.teams.threads();
    const first = team?.phase ?? 0;
    this.loops.push(around);
    const tasks = this.tasks.count;
    inside();
    this.loops.pop();
    if (!(test && evaluateInteger(test) === 0n)) betweenPhases(around, team, first);
    this.tasks.iterationEnds(tasks, this.loops.length);
  }

  protected override assign(e: Expr & { readonly kind: "assign" }): void {
    const target = stripImplicit(e.left);
    const from = this.log.accesses.length;
    this.value(e.right);
    const again = e.op !== "=" || this.reads(target, from);
    this.path(target);
    if (e.op !== "=") this.note(target, "read", { update: true });
    this.note(target, "write", { update: again, constant: evaluateInteger(e.right) !== undefined });
    if (target.kind === "ident" && isPointer(target.sym.type) && e.op === "=")
      this.pointerSet(target.sym, e.right);
    if (target.kind === "ident" && isPointer(target.sym.type))
      this.pointees.set(
        target.sym,
        e.op === "=" && this.teams.depth === 0 ? this.locations.pointee(e.right, this.frame) : undefined,
      );
  }

  /** Whether an access from this one on reads what is spelled so. */
  private reads(target: Expr, from: number): boolean {
    const { accesses } = this.log;
    if (from === accesses.length) return false;
    const object = rootOf(target)?.sym.name;
    let text: string | undefined;
    for (let k = from; k < accesses.length; k++) {
      const { mode, expr } = itemAt(accesses, k);
      // Most of what is read begins at another variable: that is seen without printing it.
      if (mode !== "read" || expr.kind !== target.kind || rootOf(expr)?.sym.name !== object) continue;
      text ??= printExpr(target);
      if (printExpr(expr) === text) return true;
    }
    return false;
  }

  protected call(e: Expr & { readonly kind: "call" }): void {
    for (const arg of e.args) this.value(arg);
    const callee = stripImplicit(e.callee);
    const sym = callee.kind === "ident" && callee.sym.kind === "function" ? callee.sym : undefined;
    if (!sym) return this.unfollowed("", e);
    if (/^omp_(un)?set(_nest)?_lock$/.test(sym.name)) return this.lock(sym.name, e.args[0]);
    const def = sym.definition;
    if (!def) {
      if (!this.watcher) for (const [arg, mode] of usedByLibrary(sym.name, e.args)) this.note(arg, mode, {});
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
    // The rest of it was left out.
    if (this.log.inlined > mostInlined) this.unfollowed(sym.name, e);
  }

  private unfollowed(name: string, e: Expr): void {
    this.watcher?.call(name, e, this.moment());
  }

  private lock(name: string, argument: Expr | undefined): void {
    if (!argument || !this.recording) return;
    const location = this.locations.of(
      { kind: "unary", op: "*", arg: argument, type: argument.type, span: argument.span },
      this.frame,
    );
    const plain = location?.steps.every((s) => s.is !== "index" || s.terms.length === 0);
    // One of several locks.
    if (!location || !plain) {
      this.log.synchronised = true;
      return;
    }
    const key = `lock:${location.root.id}${location.steps.map((s) => (s.is === "field" ? s.name : "")).join(".")}`;
    const levels = this.teams.snapshot();
    if (!name.includes("unset")) {
      this.locks.push(key);
      this.taken.push({ key, guards: this.guards, levels });
      return;
    }
    const lock = this.taken.findLast((taken) => taken.key === key);
    // Taken elsewhere, it orders the two places. Taken and released by one piece of code, it only excludes.
    const isOne = lock ? lock.guards === this.guards && sameStretch(lock.levels, levels) : !this.isGuarded();
    if (!isOne) this.log.synchronised = true;
    if (!lock) return;
    this.taken.splice(this.taken.lastIndexOf(lock), 1);
    this.locks.splice(this.locks.lastIndexOf(key), 1);
  }

  private isGuarded(): boolean {
    return this.guards.some((guard) => guard.inside);
  }
}

/** The same threads run both, with no barrier in between. */
const sameStretch = (a: readonly Level[], b: readonly Level[]): boolean =>
  a.length === b.length &&
  a.every((level, k) => {
    const other = b[k];
    return level.id === other?.id && level.phase === other.phase && sameShare(level.exec, other.exec);
  });

/** The statements of a section are looked at one by one. */
const sameShare = (p: Exec, q: Exec): boolean =>
  p === q || (p.is === "section" && q.is === "section" && p.id === q.id && p.index === q.index);

/** A loop with barriers, of which the first one ended the phase `first`. */
function betweenPhases(loop: Around, team: Level | undefined, first: number): void {
  if (team && team.phase !== first) loop.phases = { level: team.id, first, last: team.phase };
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

/** Whether control may leave a loop whose condition always holds. */
function leaves(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      if (s.kind === "break" || s.kind === "return" || s.kind === "goto") found = true;
      return !found;
    },
    expr: () => false,
  });
  return found;
}
