/** Whether dependences order the tasks that one directive makes in the iterations of loops. */

import { firstOf } from "../../checked/access.ts";
import type { Task } from "../memory/access.ts";
import type { Accessed, Instance, Instances } from "../memory/instances.ts";
import { maybeSame, reads } from "./tasks.ts";

type Ordered = (a: Instance, b: Instance, sample: number) => boolean;

/**
 * Instances that name the same memory are ordered, and so are those of a chain of such instances. Where other tasks or
 * sections name the memory, or it is unknown, all instances count as ordered.
 */
export function chainsOf(
  task: Task,
  all: readonly Task[],
  instances: (what: Accessed, sample: number) => Instances,
): Ordered {
  const shared = all.some(
    (other) => other !== task && other.depends.some((d) => task.depends.some((e) => maybeSame(d, e))),
  );
  const items = task.depends.flatMap(({ kind, location }) =>
    location ? [{ reads: reads({ kind, text: "" }), at: { location, context: task.context } }] : [],
  );
  if (shared || items.length < task.depends.length) return () => true;
  const bySample = new Map<number, (of: Instance) => string | undefined>();
  return (a, b, sample) => {
    const chainOf = bySample.get(sample) ?? chains(sample);
    bySample.set(sample, chainOf);
    const [one, two] = [chainOf(a), chainOf(b)];
    return one === undefined || two === undefined || one === two;
  };

  /** The first instance of each one's chain. */
  function chains(sample: number): (of: Instance) => string | undefined {
    const first = new Map<string, string>();
    const root = (key: string): string => {
      const next = first.get(key) ?? key;
      return next === key ? key : root(next);
    };
    const named = new Map<Instance["where"], { keys: string[]; changed: boolean }>();
    for (const { reads: only, at } of items)
      for (const instance of instances(at, sample).list) {
        const key = turnOf(instance);
        if (!first.has(key)) first.set(key, key);
        const group = named.get(instance.where) ?? { keys: [], changed: false };
        named.set(instance.where, group);
        group.keys.push(key);
        group.changed ||= !only;
      }
    for (const { keys, changed } of named.values())
      if (changed) for (const key of keys) first.set(root(key), root(firstOf(keys)));
    return (of) => {
      const key = turnOf(of);
      return first.has(key) ? root(key) : undefined;
    };
  }

  /** The iteration that made a task. */
  function turnOf({ values }: Instance): string {
    return values.slice(0, task.loops).join();
  }
}
