/**
 * The tasks that a walk through the source encounters, and where they are waited for. Positions are those of accesses.
 */
import { walkStmt } from "../../lang/index.ts";
import type { FunctionDef } from "../../lang/tree/ast.ts";
import type { Depend, Task } from "../memory/access.ts";
import { placed } from "../read/constructs.ts";
import { directivesOf } from "../read/directive.ts";
import { waits } from "./tasks.ts";

const never = Number.POSITIVE_INFINITY;

const none: readonly Task[] = [];

export class TaskList {
  private made: Task[] = [];
  private open: Task[] = [];
  private readonly parents = new Map<Task, Task | undefined>();

  get count(): number {
    return this.made.length;
  }

  /** Number of tasks around the current position. */
  get depth(): number {
    return this.open.length;
  }

  innermost(): Task | undefined {
    return this.open.at(-1);
  }

  /** Outermost first. */
  around(): readonly Task[] {
    return this.open.length === 0 ? none : [...this.open];
  }

  begin(
    made: Pick<Task, "id" | "created" | "depends" | "context" | "loops" | "loopsOutside" | "levels">,
  ): Task {
    const task: Task = { ...made, joined: never, finished: never, outlives: never };
    this.parents.set(task, this.innermost());
    this.made.push(task);
    this.open.push(task);
    return task;
  }

  end(): void {
    this.open.pop();
  }

  /** Its creator waits for it, and it waits for the tasks that it depends on. */
  undeferred(task: Task, at: number): void {
    const siblings = this.made.filter((t) => t !== task && this.parents.get(t) === this.parents.get(task));
    for (const other of before(task.depends, siblings)) other.joined = Math.min(other.joined, task.created);
    task.joined = at;
  }

  /** Waits for children, but not for their children; `depends`: only for those that a task with these waits for. */
  wait(at: number, depends: readonly Depend[] | undefined): void {
    const parent = this.innermost();
    const children = this.made.filter(
      (task) => task !== parent && !this.open.includes(task) && this.parents.get(task) === parent,
    );
    for (const task of depends ? before(depends, children) : children)
      if (task.joined === never) task.joined = at;
  }

  /** Tasks from index `from` on are waited for with all their descendants. */
  finish(at: number, from = 0): void {
    for (const task of this.made.slice(from)) task.finished = Math.min(task.finished, at);
  }

  /**
   * Ends the iteration of loop `loop` that created the tasks from index `from` on; some may not have been waited for.
   */
  iterationEnds(from: number, loop: number): void {
    for (const task of this.made.slice(from))
      if (task.joined === never && task.finished === never) task.outlives = Math.min(task.outlives, loop);
  }

  /** Returns all tasks and clears the list. */
  take(): readonly Task[] {
    const { made } = this;
    this.made = [];
    return made;
  }
}

/** The tasks that a later one with these dependences waits for, and those that they wait for. */
function before(depends: readonly Depend[], tasks: readonly Task[]): readonly Task[] {
  const found: Task[] = [];
  for (const task of tasks.toReversed())
    if (waits(task, { depends }) || found.some((later) => waits(task, later))) found.push(task);
  return found;
}

/** Tasks outside of parallel constructs: their siblings are those of the function. */
export function makesTasks(def: FunctionDef): boolean {
  // Both walks through a function ask, and few make tasks at all.
  if (!placed(def).some(({ directive }) => directive.name === "task")) return false;
  let found = false;
  walkStmt(def.body, {
    stmt(s) {
      const list = directivesOf(s);
      if (list.some(({ name }) => name.startsWith("parallel") || name.startsWith("target"))) return false;
      found ||= list.some(({ name }) => name === "task");
      return !found;
    },
    expr: () => false,
  });
  return found;
}
