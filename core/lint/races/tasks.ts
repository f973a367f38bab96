/** Explicit tasks: during which part of its creator's code a task may run. */
import { firstOf } from "../../checked/access.ts";
import type { Depend, Task } from "../memory/access.ts";

/** Whether accesses in two chains of tasks, outermost first, may run concurrently; `x` and `y`: their positions. */
export function tasksOverlap(
  a: readonly Task[],
  x: number,
  b: readonly Task[],
  y: number,
  all: readonly Task[],
): "never" | "other-instances" | "yes" {
  let common = 0;
  while (common < a.length && common < b.length && a[common] === b[common]) common++;
  const [one, two] = [a[common], b[common]];
  if (one === undefined && two === undefined) return common > 0 ? "other-instances" : "never";
  if (one === undefined || two === undefined) {
    const [chain, at] = one === undefined ? [b.slice(common), x] : [a.slice(common), y];
    const task = firstOf(chain);
    return task.created < at && at < endOf(chain) ? "yes" : "never";
  }
  const apart = endOf(a.slice(common)) <= two.created || endOf(b.slice(common)) <= one.created;
  // Descendants of a task are not waited for with it.
  const waits = (chain: readonly Task[]) => chain.every((t) => t.joined < Number.POSITIVE_INFINITY);
  const before = waits(a.slice(common + 1)) && ordered(one, two, all);
  const after = waits(b.slice(common + 1)) && ordered(two, one, all);
  return apart || before || after ? "never" : "yes";
}

/**
 * When a task at the end of a chain is certainly complete, in terms of the code that created the chain's first task.
 */
function endOf(chain: readonly Task[]): number {
  const [first, ...deeper] = chain as readonly [Task, ...Task[]];
  const hard = Math.min(...chain.map((t) => t.finished));
  const waited = deeper.every((t) => t.joined < Number.POSITIVE_INFINITY);
  return Math.min(hard, waited ? first.joined : Number.POSITIVE_INFINITY);
}

/** Whether dependences make `second` wait for `first`, possibly through other tasks. */
function ordered(first: Task, second: Task, all: readonly Task[]): boolean {
  const reached = new Set([first]);
  for (const task of all)
    if (!reached.has(task) && [...reached].some((r) => r.created < task.created && waits(r, task)))
      reached.add(task);
  return reached.has(second);
}

export const reads = (d: Depend): boolean => d.kind === "in";

/** Whether the dependences of `second` name, or may name, the same memory as those of `first`. */
export function waits(first: Pick<Task, "depends">, second: Pick<Task, "depends">): boolean {
  return first.depends.some((d) =>
    second.depends.some(
      (e) => maybeSame(d, e) && !(reads(d) && reads(e)) && !(d.kind === "inoutset" && e.kind === "inoutset"),
    ),
  );
}

/** Elements of one array whose subscripts are other variables, or sections of it, may be the same memory. */
export function maybeSame(d: Depend, e: Depend): boolean {
  if (!d.root || !e.root || d.text === e.text) return true;
  if (d.root !== e.root) return false;
  return !(constantElement.test(d.text) && constantElement.test(e.text));
}

/** `a[3]`, `s.x`: each text is a place of its own. */
const constantElement = /^\w+((\[\d+\])+|(\.\w+)+)$/;
