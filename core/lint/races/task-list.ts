/** The tasks that a walk through the text meets, and where they are waited for. Positions are those of accesses. */
import { type Task, waits } from "./tasks.ts";

const never = Number.POSITIVE_INFINITY;

export class TaskList {
  private made: Task[] = [];
  private open: Task[] = [];
  private readonly parents = new Map<Task, Task | undefined>();

  get count(): number {
    return this.made.length;
  }

  /** How many tasks stand around the walk. */
  get depth(): number {
    return this.open.length;
  }

  innermost(): Task | undefined {
    return this.open.at(-1);
  }

  /** Outermost first. */
  around(): readonly Task[] {
    return [...this.open];
  }

  begin(made: Pick<Task, "id" | "created" | "depends" | "loops" | "loopsOutside" | "levels">): Task {
    const task: Task = { ...made, joined: never, finished: never, outlives: never };
    this.parents.set(task, this.innermost());
    this.made.push(task);
    this.open.push(task);
    return task;
  }

  end(): void {
    this.open.pop();
  }

  /** Its creator waits for it, and it for those that it depends on. */
  undeferred(task: Task, at: number): void {
    const parent = this.parents.get(task);
    for (const other of this.made)
      if (other !== task && this.parents.get(other) === parent && waits(other, task))
        other.joined = Math.min(other.joined, task.created);
    task.joined = at;
  }

  /** Children are waited for, not theirs; `named`: those only that depend on one of these. */
  wait(at: number, named: readonly string[] | undefined): void {
    const parent = this.innermost();
    for (const task of this.made) {
      const child = task !== parent && !this.open.includes(task) && this.parents.get(task) === parent;
      if (!child || task.joined !== never) continue;
      if (!named || task.depends.some((d) => named.includes(d.text))) task.joined = at;
    }
  }

  /** Tasks from number `from` on are waited for with all their descendants. */
  finish(at: number, from = 0): void {
    for (const task of this.made.slice(from)) task.finished = Math.min(task.finished, at);
  }

  /** The iteration of loop `loop` ends that made the tasks from number `from` on: nothing in it waited for some. */
  iterationEnds(from: number, loop: number): void {
    for (const task of this.made.slice(from))
      if (task.joined === never && task.finished === never) task.outlives = Math.min(task.outlives, loop);
  }

  /** All of them; the list begins anew. */
  take(): readonly Task[] {
    const { made } = this;
    this.made = [];
    return made;
  }
}
