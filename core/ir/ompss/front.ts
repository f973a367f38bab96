/**
 * Task directives in the walk over a unit: OmpSs's always, and OpenMP's if the C compiler is not asked to implement
 * them. In that case the team of `parallel` is one thread, and `parallel` and worksharing constructs wait at their end
 * for the tasks created inside.
 */
import type { External, FunctionDef, Pragma, Stmt } from "../../lang/tree/ast.ts";
import { pragmasIn } from "../../lang/tree/pragmas.ts";
import type { Construct, Front } from "../directives/front.ts";
import { withoutCondition } from "../directives/nowait.ts";
import { ownOf, withOwn } from "../directives/own-of-one-thread.ts";
import type { Around, Reading } from "../directives/read-state.ts";
import {
  type Critical,
  type ExplicitTask,
  extStmt,
  type IrNode,
  type TaskGroup,
  type TaskWait,
} from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";
import type { TaskFunction } from "../model/program.ts";
import { type FunctionTask, functionTasks, isTarget, isTask, readFunctionTask } from "./functions.ts";
import { clauses, directives } from "./grammar.ts";
import { kernelFilesOf } from "./kernel-files.ts";
import { clausesOf, parseTaskDirective, type TaskDirective } from "./parse.ts";
import { explicitOf, type Surrounding, sharingOf } from "./sharing.ts";
import { taskLoop } from "./taskloop.ts";
import { checkTarget, traitsOf, withCopies } from "./traits.ts";

/** OpenMP constructs at whose end all tasks created inside are complete. */
const meets = /^(parallel|single|scope|for|sections|master|masked|taskgraph)\b/;

/** Constructs that one task executes at a time. */
const exclusive = /^(critical|atomic)$/;

export class TaskFront implements Front {
  /** The first directive that asks for a loop to be distributed, although one thread runs it. */
  unshared: Pragma | undefined;
  readonly functions = new Map<FunctionTask["sym"], TaskFunction>();
  private readonly reading: Reading;
  private readonly onFunctions: ReadonlyMap<Pragma, FunctionTask>;
  private readonly externals: readonly External[];
  private readonly honoured: boolean;
  /** Whether arc handles OpenMP's own task directives: decided at the first one. */
  private handlesOpenMp: boolean | undefined;
  /** `target` beside a task, by the task's pragma. */
  private readonly targets = new Map<Pragma, Pragma>();
  private constructs: readonly Surrounding[] = [];

  /** `honoured`: the C compiler implements OpenMP's directives for the host. */
  constructor(reading: Reading, externals: readonly External[], honoured: boolean) {
    this.reading = reading;
    this.externals = externals;
    this.honoured = honoured;
    this.onFunctions = functionTasks(externals);
    reading.runsTasks = () => this.takesOpenMp();
  }

  owns(pragma: Pragma, around: Around, beside: readonly Pragma[]): boolean {
    if (this.onFunctions.has(pragma)) return true;
    if (around.region) return false;
    const [space, name = ""] = pragma.tokens.map((t) => t.text);
    if (space === "oss") return true;
    if (space !== "omp") return false;
    const task = beside.find(isTask);
    if (isTarget(pragma) && (task || !this.isDeviceClause(pragma))) {
      if (task) this.targets.set(task, pragma);
      return true;
    }
    if (name === "target" || !this.takesOpenMp()) return false;
    if (name in directives) return true;
    // If the C compiler creates a team for `parallel`, it also handles what the team shares.
    return !this.honoured && (name === "barrier" || exclusive.test(name) || meets.test(name));
  }

  /** OpenMP's `target device(n)`, whose number has the same name as a kind of device. */
  private isDeviceClause(pragma: Pragma): boolean {
    const at = pragma.tokens.findIndex((t) => t.text === "device");
    const name = pragma.tokens[at + 2]?.text ?? "";
    return pragma.scope.lookup(name) !== undefined;
  }

  private takesOpenMp(): boolean {
    this.handlesOpenMp ??= this.honoured
      ? this.onFunctions.size > 0 || pragmasIn(this.externals).some(isOmpSs)
      : this.onFunctions.size > 0 || pragmasIn(this.externals).some((p) => isTask(p) || isTaskLoop(p));
    return this.handlesOpenMp;
  }

  glance(pragma: Pragma): Pick<Construct, "directive" | "extent"> | undefined {
    const name = pragma.tokens[1]?.text ?? "";
    const standalone = ["taskwait", "taskyield", "barrier"].includes(name);
    return {
      directive: { name, clauses: [], loc: pragma.span.start, span: pragma.span, pragma },
      extent: standalone ? "standalone" : "block",
    };
  }

  atFileScope(pragma: Pragma): void {
    const found = this.onFunctions.get(pragma);
    if (!found && isTarget(pragma)) this.targetAlone(pragma);
    else if (!found)
      this.reading.report(
        "directive-outside-function",
        pragma.tokens[1]?.loc ?? pragma.span.start,
        `'${pragma.tokens[1]?.text}' stands before no function and inside none`,
        "write it before a function, or before a statement",
      );
    if (!found || pragma !== found.task) return;
    const readTask = readFunctionTask(this.reading, found, kernelFilesOf(this.externals), this.functions);
    const before = this.functions.get(found.sym);
    if (readTask && before)
      this.reading.report(
        "repeated-task",
        readTask.site.loc,
        `'${found.sym.name}' has been made a task before`,
        `keep one of the two directives: the other one stands in line ${before.site.loc.line}`,
      );
    else if (readTask) this.functions.set(found.sym, readTask);
  }

  ofFunction(pragma: Pragma): void {
    this.atFileScope(pragma);
  }

  declared(): void {}

  aroundBody(_def: FunctionDef): Around {
    this.constructs = [];
    return {};
  }

  construct(pragma: Pragma): Construct | undefined {
    const name = pragma.tokens[1]?.text ?? "";
    if (isTarget(pragma)) return this.targetAlone(pragma);
    if (pragma.tokens[0]?.text === "omp" && !(name in directives)) return this.ofOpenMp(pragma, name);
    const { directive, diagnostics } = parseTaskDirective(pragma);
    this.reading.diagnostics.push(...diagnostics);
    if (!directive) return undefined;
    const outside = this.constructs;
    if (name === "task" || name === "taskloop")
      this.constructs = [...outside, surrounding("task", directive)];
    return {
      ...this.glanceAt(pragma),
      inside: (around) => around,
      construct: (body) => {
        this.constructs = outside;
        if (name === "taskloop") return taskLoop(this.reading, directive, body, outside);
        return name === "task" ? this.task(directive, body, outside) : group(directive, body);
      },
      standalone: () => this.standalone(directive),
    };
  }

  private glanceAt(pragma: Pragma): Pick<Construct, "directive" | "extent"> {
    return this.glance(pragma) as Pick<Construct, "directive" | "extent">;
  }

  /** A `target` beside a task is read together with the task. */
  private targetAlone(pragma: Pragma): undefined {
    if ([...this.targets.values()].includes(pragma)) return undefined;
    this.reading.diagnostics.push({
      severity: "warning",
      code: "target-without-task",
      loc: pragma.tokens[1]?.loc ?? pragma.span.start,
      message: "'target' stands before no task: it is ignored",
      remedy: "write '#pragma omp task' beside it",
    });
    return undefined;
  }

  private task(d: TaskDirective, body: Stmt, outside: readonly Surrounding[]): ExplicitTask {
    const target = this.targets.get(d.pragma);
    const read = target && parseTaskDirective(target);
    if (read) {
      this.reading.diagnostics.push(...read.diagnostics);
      if (read.directive) checkTarget(this.reading, read.directive);
    }
    checkTarget(this.reading, { ...d, clauses: clausesOf(d, "device", "ndrange", "shmem", "file", "name") });
    this.refuseVersion(d, read?.directive);
    const traits = traitsOf(d);
    return node<ExplicitTask>({
      kind: "explicit-task",
      site: { loc: d.loc, what: d.name, pragma: d.pragma, stmt: body },
      ...traits,
      accesses: withCopies(traits.accesses, read?.directive),
      ...sharingOf(this.reading, d, body, outside),
      body,
    });
  }

  private refuseVersion(...directives: readonly (TaskDirective | undefined)[]): void {
    for (const clause of directives.flatMap((d) => (d ? clausesOf(d, "implements") : [])))
      this.reading.report(
        "misplaced-clause",
        clause.loc,
        "'implements' makes a function a version of a task, and this is a statement",
        "write it on a function",
      );
  }

  private standalone(d: TaskDirective): IrNode | undefined {
    const site = { loc: d.loc, what: d.name, pragma: d.pragma };
    if (d.name === "taskyield") return undefined;
    const noflush = clausesOf(d, "noflush").length > 0;
    return node<TaskWait>({
      kind: "task-wait",
      site,
      accesses: d.clauses.flatMap((c) => c.accesses),
      ...(noflush && { noflush }),
    });
  }

  /** OpenMP constructs related to tasks, of which the C compiler reads nothing here. */
  private ofOpenMp(pragma: Pragma, name: string): Construct {
    const site = { loc: pragma.tokens[1]?.loc ?? pragma.span.start, what: name, pragma };
    const d: TaskDirective = { name, clauses: [], loc: site.loc, pragma };
    if (exclusive.test(name))
      return {
        ...this.glanceAt(pragma),
        inside: (around) => around,
        construct: (body) => node<Critical>({ kind: "critical", site: { ...site, stmt: body }, body }),
        standalone: () => undefined,
      };
    if (!isTeam(pragma)) this.unshared ??= pragma;
    const outside = this.constructs;
    const waits =
      !withoutCondition(pragma.tokens).some((t) => /^(nowait|nogroup)$/.test(t.text)) &&
      !name.startsWith("mas");
    if (name === "parallel")
      this.constructs = [...outside, { kind: "parallel", pragma, named: namedBy(pragma) }];
    return {
      ...this.glanceAt(pragma),
      inside: (around) => around,
      construct: (body) => {
        this.constructs = outside;
        const own = ownOf(pragma);
        if (!waits) return withOwn(own, body);
        // Tasks may use the copies until the construct has waited for them.
        return own.size > 0 ? withOwn(own, extStmt(group(d, body), body.span)) : group(d, body);
      },
      standalone: () => node<TaskWait>({ kind: "task-wait", site, accesses: [] }),
    };
  }
}

/** A team of one thread is equivalent, and its tasks run on all threads; loops would be distributed. */
const isTeam = ({ tokens }: Pragma): boolean =>
  /^(single|scope|taskgraph|barrier|master|masked|parallel( (?!for|sections|loop).*)?)$/.test(
    tokens
      .slice(1)
      .map((t) => t.text)
      .join(" ")
      .replace(/^(single|scope|taskgraph|barrier|master|masked) .*/, "$1"),
  );

const group = (d: TaskDirective, body: Stmt): TaskGroup =>
  node<TaskGroup>({
    kind: "task-group",
    site: { loc: d.loc, what: d.name, pragma: d.pragma, stmt: body },
    body,
  });

const surrounding = (kind: Surrounding["kind"], d: TaskDirective): Surrounding => ({
  kind,
  pragma: d.pragma,
  named: explicitOf(d),
});

/** Variables that `parallel` makes private to its threads. */
function namedBy({ tokens, scope }: Pragma): Surrounding["named"] {
  const named = new Map<ReturnType<typeof scope.lookup> & object, "shared" | "own">();
  let clause = "";
  for (const [i, token] of tokens.entries()) {
    if (tokens[i + 1]?.text === "(") clause = token.text;
    const sym = token.kind === "ident" ? scope.lookup(token.text) : undefined;
    if (sym && /^(private|firstprivate|reduction)$/.test(clause)) named.set(sym, "own");
  }
  return named;
}

const isTaskLoop = (p: Pragma) => p.tokens[0]?.text === "omp" && p.tokens[1]?.text === "taskloop";

/** A task directive that only OmpSs has, or that has an OmpSs clause. */
function isOmpSs(pragma: Pragma): boolean {
  const [space, name = ""] = pragma.tokens.map((t) => t.text);
  if (space === "oss") return true;
  if (space !== "omp" || !(name in directives) || name === "target") return false;
  return pragma.tokens.slice(2).some((token, i) => {
    const next = pragma.tokens[i + 3]?.text;
    return clauses[token.text]?.ompss === true && (next === "(" || clauses[token.text]?.argument === "none");
  });
}
