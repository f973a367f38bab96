/**
 * Traversals of values and their operands without recursion: a chain of values is as long as the kernel has statements.
 */
import { entryOf, itemAt } from "../../checked/access.ts";
import type { Graph } from "./graph.ts";
import { isRead, readsVariable, type Value } from "./value.ts";

/**
 * Visits each value that a root depends on once, users first. `behind` returns the values to continue with; undefined:
 * the value was visited before, or must be skipped.
 */
export function walkBack(
  roots: readonly Value[],
  behind: (value: Value) => readonly Value[] | undefined,
): void {
  const worklist = [...roots].reverse();
  for (let value = worklist.pop(); value !== undefined; value = worklist.pop()) {
    const next = behind(value);
    if (next !== undefined) for (let k = next.length - 1; k >= 0; k -= 1) worklist.push(itemAt(next, k));
  }
}

/** Computes a result for a value from those of its operands, each once. */
export function fold<Result>(
  root: Value,
  known: Map<Value, Result>,
  result: (value: Value, args: readonly Result[]) => Result,
): Result {
  const worklist = [root];
  for (let value = worklist.at(-1); value !== undefined; value = worklist.at(-1)) {
    const missing = known.has(value) ? [] : value.args.filter((arg) => !known.has(arg));
    if (missing.length > 0) worklist.push(...missing.reverse());
    else {
      worklist.pop();
      if (!known.has(value))
        known.set(
          value,
          result(
            value,
            value.args.map((arg) => entryOf(known, arg)),
          ),
        );
    }
  }
  return entryOf(known, root);
}

/** All values that some depend on, in this iteration and in earlier ones. */
export function behind(graph: Graph, roots: readonly Value[]): ReadonlySet<Value> {
  const seen = new Set<Value>();
  walkBack(roots, (value) => {
    if (seen.has(value)) return undefined;
    seen.add(value);
    const update = readsVariable(value) ? graph.updates.get(value.variable) : undefined;
    return update ? [...value.args, update] : value.args;
  });
  return seen;
}

/** A value and all that it depends on in this iteration. */
export function within(root: Value): readonly Value[] {
  const seen = new Set<Value>();
  walkBack([root], (value) => {
    if (seen.has(value)) return undefined;
    seen.add(value);
    return value.args;
  });
  return [...seen];
}

/** Whether it has the same value in all iterations: it is computed from variables that none of them sets. */
export const isInvariant = (graph: Graph, root: Value): boolean =>
  within(root).every(
    (value) =>
      !isRead(value) && value.op !== "delay" && !(readsVariable(value) && graph.updates.has(value.variable)),
  );
