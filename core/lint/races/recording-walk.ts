/** What a walk through a function records: the memory that each access touches, and what holds there. */

import { rootOf } from "../../ir/analysis/access.ts";
import { EvaluationWalk, type Touch } from "../../ir/dependence/evaluation.ts";
import { canonical, isPointer } from "../../lang/index.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import type { Access, Around, Context, Doacross, Frame, Guard, Level } from "../memory/access.ts";
import type { Facts } from "../memory/facts.ts";
import { MemoryLocations } from "../memory/memory-locations.ts";
import { partsOf } from "../memory/parts.ts";
import { Pointees } from "../memory/pointees.ts";
import type { Directive } from "../read/directive.ts";
import { AccessLog } from "./log.ts";
import type { Owners } from "./owners.ts";
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
  /** A pointer has another value; `value` is absent if no expression gives it. */
  sets(pointer: Symbol, value: Expr | undefined, at: Moment): void;
}

export interface Moment {
  readonly order: number;
  readonly guards: readonly Guard[];
  readonly loops: readonly Around[];
  readonly frame: Frame;
}

type GuardKind = Pick<Guard, "opaque" | "ofLoop">;

interface TakenLock {
  readonly key: string;
  readonly guards: readonly Guard[];
  readonly levels: readonly Level[];
}

export abstract class RecordingWalk extends EvaluationWalk {
  protected readonly locations: MemoryLocations;
  protected readonly pointees: Pointees;
  protected readonly owners: Owners;
  protected readonly facts: Facts;
  protected readonly watcher: Watcher | undefined;

  protected readonly tasks = new TaskList();
  protected readonly teams = new Teams();
  protected log = new AccessLog([]);

  protected loops: Around[] = [];
  protected guards: Guard[] = [];
  protected locks: string[] = [];
  /** Those among them that a call has taken, with where it did. */
  protected taken: TakenLock[] = [];
  protected ordered = false;
  protected doacross: Doacross | undefined;
  protected frame: Frame = { arguments: new Map() };
  /** Functions whose calls are followed, outermost first. */
  protected calls: Symbol[] = [];
  protected order = 0;
  protected ids = 0;
  /** The function creates tasks outside of parallel constructs. */
  protected taskful = false;
  /** Variables that calls have set. */
  private readonly set = new Set<Symbol>();
  private last: Context | undefined;

  constructor(facts: Facts, owners: Owners, watcher?: Watcher) {
    super();
    this.facts = facts;
    this.pointees = new Pointees(facts);
    this.locations = new MemoryLocations(facts, this.pointees);
    this.owners = owners;
    this.watcher = watcher;
  }

  protected get recording(): boolean {
    return this.teams.depth > 0 || this.taskful || this.watcher !== undefined;
  }

  protected moment(): Moment {
    return { order: this.order++, guards: this.guards, loops: [...this.loops], frame: this.frame };
  }

  protected guard(test: Expr, holds: boolean, more: GuardKind = {}): Guard {
    return { test, holds, frame: this.frame, inside: this.recording, ...more };
  }

  protected guarded(test: Expr, holds: boolean, inside: () => void, more?: GuardKind): void {
    const guards = this.guards;
    this.guards = [...guards, this.guard(test, holds, more)];
    inside();
    this.unguarded(guards);
  }

  /** A lock that a condition takes and does not release is held, or not, by what comes after it. */
  protected unguarded(guards: Guard[]): void {
    this.guards = guards;
    const left = this.taken.filter((lock) => lock.guards.length > guards.length);
    if (left.length === 0) return;
    this.log.synchronised = true;
    for (const { key } of left) this.locks.splice(this.locks.lastIndexOf(key), 1);
    this.taken = this.taken.filter((lock) => !left.includes(lock));
  }

  protected touch(object: Expr, { mode, update }: Touch): void {
    this.note(object, mode, { update });
  }

  protected maybe(test: Expr, holds: boolean, inside: () => void): void {
    this.guarded(test, holds, inside);
  }

  /** When a whole function is analysed, a variable that is set once, outside of loops, stays the same afterwards. */
  protected changes(sym: Symbol): void {
    if (!this.recording) return;
    const once = this.watcher && this.teams.depth === 0 && this.loops.length === 0 && !this.set.has(sym);
    if (!once || (this.facts.settings.get(sym)?.length ?? 0) > 1) this.log.changed.add(sym);
    // A call that is followed again sets it again.
    if (this.calls.length > 1) this.set.add(sym);
  }

  protected pointerSet(sym: Symbol, value: Expr | undefined): void {
    if (this.watcher && isPointer(sym.type)) this.watcher.sets(sym, value, this.moment());
  }

  protected note(
    e: Expr,
    mode: Access["mode"],
    {
      atomic = false,
      update = false,
      constant = false,
      loc = e.span.start,
    }: { atomic?: boolean; update?: boolean; constant?: boolean; loc?: Loc },
  ): void {
    if (mode === "write" && e.kind === "ident") this.pointees.forget([e.sym]);
    if (!this.recording) return;
    if (mode === "write" && e.kind === "ident") this.pointerSet(e.sym, undefined);
    if (mode === "write" && e.kind === "ident") this.changes(e.sym);
    const location = this.locations.of(e, this.frame);
    if (!location) {
      if (mode === "write") this.watcher?.call("", e, this.moment());
      return;
    }
    const { root, steps } = location;
    if (mode === "write" && isPointer(e.type) && steps.length > 0) this.changes(root);
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
    const access: Access = {
      location,
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
    };
    this.log.accesses.push(access);
    if (!this.watcher && canonical(e.type).kind === "record")
      for (const part of partsOf(e.type))
        this.log.accesses.push({ ...access, location: { ...location, steps: [...steps, ...part] } });
  }

  /** The same object as long as nothing changes, so that results for it can be cached. */
  protected context(): Context {
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
      areLocked(last.locks, locks);
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

/** Whether a set holds just the locks of a list, which may be taken several times. */
const areLocked = (set: ReadonlySet<string>, locks: readonly string[]): boolean =>
  set.size === 0 ? locks.length === 0 : areSame([...set], [...new Set(locks)]);
