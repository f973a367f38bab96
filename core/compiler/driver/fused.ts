/**
 * Regions of a function that become one kernel: they follow each other directly, each is a single work-item, and their
 * data stays on the device. Libarcrt delays the launches of the first ones until the last is launched, which starts the
 * kernel once. The kernel executes them in order; the pass `fuse` merges their loops.
 */
import { entryOf, firstOf, lastOf } from "../../checked/access.ts";
import { usesOf } from "../../ir/analysis/access.ts";
import { type DataItem, extStmt, type Task } from "../../ir/model/ir.ts";
import type { Program } from "../../ir/model/program.ts";
import { type Argument, argumentsOf, spmdOf } from "../../ir/model/region.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { compound } from "../../lang/tree/build.ts";
import type { Remark } from "../passes/rewrite/pass.ts";
import { isSingle } from "../passes/rewrite/region.ts";
import { apart, regionCounts, runsIn } from "./adjacent.ts";

export interface Fused {
  /** The tasks as in the program. */
  readonly origins: readonly Task[];
  /** All of them as one task, with the name of the last. */
  readonly task: Task;
}

export interface Fusions {
  /** By the task as in the program. */
  readonly groups: ReadonlyMap<Task, Fused>;
  /** Why regions with a request were fused or not. */
  readonly remarks: ReadonlyMap<Task, readonly Remark[]>;
}

interface Selection {
  /** The task after the choice of model. */
  readonly chosen: (task: Task) => Task;
  readonly requested: (task: Task) => boolean;
  /** Images of tasks that are not in the common image. */
  readonly images: ReadonlyMap<Task, string>;
  /** Whether channels connect it to others. */
  readonly joined: (task: Task) => boolean;
}

export function fusions(program: Program, how: Selection): Fusions {
  const names = regionCounts(program);
  const groups = new Map<Task, Fused>();
  const remarks = new Map<Task, readonly Remark[]>();
  const say = (task: Task, applied: boolean, message: string) =>
    remarks.set(task, [...(remarks.get(task) ?? []), { pass: "fuse", applied, message, loc: task.site.loc }]);
  for (const external of program.unit.externals) {
    if (external.kind !== "function") continue;
    let before: Task | undefined;
    for (const run of runsIn(external.body)) {
      let open: Task[] = [];
      const [next] = run.tasks;
      if (before && next && how.requested(before) && how.requested(next))
        say(next, false, "it is no kernel with the region before: something else happens between them");
      before = run.tasks.at(-1);
      const close = () => {
        const [first] = open;
        if (first && open.length > 1) {
          const group = { origins: open, task: oneTask(open.map(how.chosen)) };
          for (const task of open) groups.set(task, group);
          const lines = open.slice(1).map((t) => t.site.loc.line);
          say(
            first,
            true,
            `one kernel with the ${lines.length > 1 ? "regions of lines" : "region of line"} ${lines.join(", ")}`,
          );
        }
        open = [];
      };
      for (const task of run.tasks) {
        if (!how.requested(task)) {
          close();
          continue;
        }
        const why =
          open.length > 0
            ? obstacle([...open, task], how, () => apart([...open, task], [run], names))
            : undefined;
        if (why !== undefined) {
          say(task, false, `it is no kernel with the region before: ${why}`);
          close();
        }
        open.push(task);
      }
      close();
    }
  }
  return { groups, remarks };
}

function obstacle(
  members: readonly Task[],
  { chosen, images, joined }: Selection,
  between: () => string | undefined,
): string | undefined {
  const tasks = members.map(chosen);
  if (!tasks.every(isSingle)) return "only single work-items have an order";
  if (members.some(joined)) return "channels join one of them to another region";
  if (new Set(members.map((task) => images.get(task))).size > 1) return "they are in different images";
  const why = between();
  if (why !== undefined) return why;
  return clash(tasks);
}

const key = (a: Argument): string => `${a.how} ${a.dim ?? 0}`;

/** A variable that the regions receive in different ways, or of which one changes a copy that another receives, too. */
function clash(tasks: readonly Task[]): string | undefined {
  const kinds = new Map<Symbol, Set<string>>();
  const users = new Map<Symbol, Task[]>();
  for (const task of tasks)
    for (const a of argumentsOf(task)) {
      if (a.how === "extent") continue;
      kinds.set(a.sym, (kinds.get(a.sym) ?? new Set()).add(key(a)));
      users.set(a.sym, [...(users.get(a.sym) ?? []), task]);
    }
  for (const [sym, how] of kinds) {
    const shared = entryOf(users, sym);
    if (how.size > 1) return `'${sym.name}' is a copy for one of them`;
    const changed = shared.some((task) => usesOf(spmdOf(task).body).of.get(sym)?.written);
    if (shared.length > 1 && changed && how.has("value 0"))
      return `one of them changes its copy of '${sym.name}'`;
  }
  return undefined;
}

function oneTask(tasks: readonly Task[]): Task {
  const [first, last] = [firstOf(tasks), lastOf(tasks)];
  const spmds = tasks.map(spmdOf);
  const body = compound(
    spmds.flatMap(({ body: s }): readonly Stmt[] => (s.kind === "compound" && only(s.body) ? s.body : [s])),
    first.body.span,
  );
  const privates = [...new Set(spmds.flatMap((s) => s.privates))];
  const firstprivates = [...new Set(spmds.flatMap((s) => s.firstprivates))];
  return {
    ...last,
    items: merged(tasks.flatMap((task) => task.items)),
    body: extStmt({ ...spmdOf(last), privates, firstprivates, body }, first.body.span),
  };
}

/** A block around a single statement can be ignored. */
const only = (stmts: readonly Stmt[]): boolean => stmts.length === 1;

/** One item per variable, with the accesses of all regions. */
function merged(items: readonly DataItem[]): readonly DataItem[] {
  const bySymbol = new Map<Symbol, DataItem>();
  for (const item of items) {
    const other = bySymbol.get(item.sym);
    bySymbol.set(item.sym, other ? { ...other, access: union(other.access, item.access) } : item);
  }
  return [...bySymbol.values()];
}

function union(a: DataItem["access"], b: DataItem["access"]): DataItem["access"] {
  if (a === b || b === "none") return a;
  return a === "none" ? b : "read-write";
}

/** For each argument of the kernel, the region that supplies it and the argument's index there. */
export function bringersOf({ origins, task }: Fused): readonly (readonly [region: number, index: number])[] {
  const own = origins.map((origin) => argumentsOf(origin));
  return argumentsOf(task).map((a): readonly [number, number] => {
    for (const [region, list] of own.entries()) {
      const index = list.findIndex((b) => b.sym === a.sym && key(b) === key(a));
      if (index >= 0) return [region, index];
    }
    throw new Error(`no region brings '${a.name}'`);
  });
}
