/**
 * Walks through a function as its threads run it, and records the memory they access: directives change which threads
 * run the code, barriers begin phases, and calls of functions defined here are followed.
 */

import { readAtomic } from "../../ir/directives/atomic.ts";
import { isInteger, parseExpr } from "../../lang/index.ts";
import type { Expr, FunctionDef, Stmt } from "../../lang/tree/ast.ts";
import type { Around, Depend, Exec, Level } from "../memory/access.ts";
import {
  argumentOf,
  clauseOf,
  clausesOf,
  type Directive,
  directivesOf,
  itemsOf,
  numberOf,
} from "../read/directive.ts";
import { afterOrdered } from "./doacross.ts";
import { AccessLog, type Walked } from "./log.ts";
import type { Watcher } from "./recording-walk.ts";
import { evaluated as shuffled } from "./shuffle.ts";
import { endless, mostInlined, StatementWalk } from "./statement-walk.ts";
import { makesTasks } from "./task-list.ts";

const withBody =
  /^(data|host_data|(parallel|kernels|serial)( loop)?|target( data| teams.*| parallel.*| simd)?)$/;
const standalone =
  /^(update|enter data|exit data|wait|target update|target enter data|target exit data|taskwait|barrier)$/;

/** Whether a directive moves data to or from a device, or starts work there. */
const ofDevices = ({ language, name }: Directive): boolean =>
  (withBody.test(name) && (language === "acc" || name.startsWith("target"))) || standalone.test(name);

/** Clauses of `atomic`, and directives, by which one thread may wait for another. */
const orders = ["seq_cst", "acquire", "release", "acq_rel"];
const unfollowed =
  /^(scan|depobj|interop|dispatch|scope|metadirective|\?|declare variant|begin|end|tile|unroll)/;

export class Walk extends StatementWalk {
  private readonly found: Walked[] = [];

  function(def: FunctionDef): readonly Walked[] {
    // Outside of parallel constructs the program has one thread, which cannot race with itself.
    this.taskful = def.sym.name !== "main" && makesTasks(def);
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
    const isOther = clauseOf(d, "filter") !== undefined;
    const number = numberOf(d, "filter");
    // A thread that the text does not tell may be one that another directive chooses.
    if (isOther && number === undefined) this.log.synchronised = true;
    if (!isOther || number === 0) return this.teams.during({ is: "master" }, next);
    // Directives that choose the same thread share an id, which no other construct has.
    this.teams.during({ is: "single", id: number === undefined ? ++this.ids : -number }, next);
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
        const location = "severity" in expr ? undefined : this.locations.of(expr, this.frame);
        return { kind, text, root: location?.root ?? sym, ...(location && { location }) };
      });
    });
  }

  private atomic(d: Directive, s: Stmt): void {
    const what = (["read", "write", "capture"] as const).find((w) => clauseOf(d, w)) ?? "update";
    if (clausesOf(d, ...orders).length > 0) this.log.flushes = true;
    const { pragmas: _, ...bare } = s;
    const made = readAtomic(what, bare, { loc: d.loc, what: "atomic" });
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
}

/** `if(0)`. */
function isNever(d: Directive): boolean {
  const words = clauseOf(d, "if")?.tokens.map((t) => t.text) ?? [];
  if (words[1] === ":" && !["parallel", "task"].includes(words[0] ?? "")) return false;
  const e = argumentOf(d, "if");
  return e !== undefined && isInteger(e.type) && numberOf(d, "if") === 0;
}
