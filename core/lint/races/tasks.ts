/** Explicit tasks: during which part of its creator's code a task may run. */

export interface Depend {
  readonly kind: string;
  readonly text: string;
}

/** Numbers are positions in source order, as for accesses. */
export interface Task {
  readonly id: number;
  readonly created: number;
  /** Where its parent waited for it. */
  joined: number;
  /** Where it was waited for together with all its descendants: a barrier, the end of a taskgroup. */
  finished: number;
  readonly depends: readonly Depend[];
  /** Number of loops around the directive, and how many of those are around its parent's code. */
  readonly loops: number;
  readonly loopsOutside: number;
  /** Number of parallelism levels around the directive. */
  readonly levels: number;
  /** The outermost of these loops whose next iteration begins before it is waited for, from 0; infinite: none. */
  outlives: number;
}

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
    const task = chain[0] as Task;
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

const reads = (d: Depend): boolean => d.kind === "in";

/** Whether the dependences of `second` name the same memory as those of `first`. */
export function waits(first: Task, second: Task): boolean {
  return first.depends.some((d) =>
    second.depends.some(
      (e) =>
        d.text === e.text && !(reads(d) && reads(e)) && !(d.kind === "inoutset" && e.kind === "inoutset"),
    ),
  );
}
