/** Replaces values in a graph. */
import { entryOf, itemAt } from "../../checked/access.ts";
import type { Graph } from "./graph.ts";
import type { Store, Stream, Value } from "./value.ts";

/**
 * Replaces each value that has a replacement `by(value)` in all its users, including other new values. A new value must
 * not use the one that it replaces. Accesses that turn out never to happen are removed.
 */
export function rewrite(graph: Graph, by: ReadonlyMap<Value, Value>): (value: Value) => Value {
  const replacements = new Map<Value, Value>();
  /** The new form of a value whose operands are done. */
  const remade = (value: Value): Value => {
    const args = value.args.map((arg) => entryOf(replacements, arg));
    const same = args.every((a, k) => a === value.args[k]);
    const never = value.op === "load" && isNever(itemAt(args, 1));
    const result = never ? graph.constant(0, value.shape) : same ? value : graph.with(value, args);
    const name = graph.names.get(value);
    if (result !== value && name !== undefined && !graph.names.has(result)) graph.names.set(result, name);
    const stream = graph.streams.get(value);
    if (result !== value && stream) {
      graph.streams.delete(value);
      if (!never) graph.streams.set(result, stream);
      moveLane(stream, value, result);
    }
    return result;
  };
  // Without recursion: a chain of values is as long as the kernel has statements.
  const rewritten = (root: Value): Value => {
    const worklist = [root];
    for (let value = worklist.at(-1); value !== undefined; value = worklist.at(-1)) {
      const other = by.get(value);
      const before = replacements.has(value) ? [] : other ? [other] : value.args;
      const missing = before.filter((one) => !replacements.has(one));
      if (missing.length > 0) worklist.push(...missing.reverse());
      else {
        worklist.pop();
        if (!replacements.has(value))
          replacements.set(value, other ? entryOf(replacements, other) : remade(value));
      }
    }
    return entryOf(replacements, root);
  };
  for (const [variable, value] of graph.updates) graph.updates.set(variable, rewritten(value));
  graph.stores.forEach((store, k) => {
    const { address, data, guard } = store;
    const newStore: Store = {
      ...store,
      address: rewritten(address),
      data: rewritten(data),
      guard: rewritten(guard),
    };
    const stream = graph.streams.get(store);
    if (stream) {
      graph.streams.delete(store);
      graph.streams.set(newStore, stream);
      moveLane(stream, store, newStore);
    }
    graph.stores[k] = newStore;
  });
  for (const store of graph.stores.filter(({ guard }) => isNever(guard))) {
    graph.streams.delete(store);
    graph.stores.splice(graph.stores.indexOf(store), 1);
  }
  for (const { word } of graph.streams.values())
    if (word?.takesWord) word.takesWord = rewritten(word.takesWord);
  graph.writes.forEach((write, k) => {
    const { address, data, guard } = write;
    graph.writes[k] = {
      ...write,
      address: rewritten(address),
      data: rewritten(data),
      guard: rewritten(guard),
    };
  });
  graph.sends.forEach((send, k) => {
    graph.sends[k] = { ...send, data: rewritten(send.data), guard: rewritten(send.guard) };
  });
  graph.receives.forEach((value, k) => {
    graph.receives[k] = rewritten(value);
  });
  return rewritten;
}

function moveLane({ word }: Stream, from: Value | Store, to: Value | Store): void {
  const lane = word?.lanes.indexOf(from) ?? -1;
  if (word && lane >= 0) word.lanes[lane] = to;
}

const isNever = ({ op, constant }: Value): boolean => op === "const" && constant === 0n;
