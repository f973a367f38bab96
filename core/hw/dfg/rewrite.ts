/** Replaces values in a graph. */
import type { Graph, Store, Stream, Value } from "./graph.ts";

/**
 * Replaces each value that has a replacement `by(value)` in all its users, including other new values. A new value must
 * not use the one that it replaces. Accesses that turn out never to happen are removed.
 */
export function rewrite(graph: Graph, by: ReadonlyMap<Value, Value>): (value: Value) => Value {
  const done = new Map<Value, Value>();
  /** The new form of a value whose operands are done. */
  const remade = (value: Value): Value => {
    const args = value.args.map((arg) => done.get(arg) as Value);
    const same = args.every((a, k) => a === value.args[k]);
    const never = value.op === "load" && isNever(args[1] as Value);
    const made = never ? graph.constant(0, value.shape) : same ? value : graph.with(value, args);
    const name = graph.names.get(value);
    if (made !== value && name !== undefined && !graph.names.has(made)) graph.names.set(made, name);
    const stream = graph.streams.get(value);
    if (made !== value && stream) {
      graph.streams.delete(value);
      if (!never) graph.streams.set(made, stream);
      moveLane(stream, value, made);
    }
    return made;
  };
  // Without recursion: a chain of values is as long as the kernel has statements.
  const rewritten = (root: Value): Value => {
    const open = [root];
    for (let value = open.at(-1); value !== undefined; value = open.at(-1)) {
      const other = by.get(value);
      const before = done.has(value) ? [] : other ? [other] : value.args;
      const missing = before.filter((one) => !done.has(one));
      if (missing.length > 0) open.push(...missing.reverse());
      else {
        open.pop();
        if (!done.has(value)) done.set(value, other ? (done.get(other) as Value) : remade(value));
      }
    }
    return done.get(root) as Value;
  };
  for (const [variable, value] of graph.updates) graph.updates.set(variable, rewritten(value));
  graph.stores.forEach((store, k) => {
    const { address, data, guard } = store;
    const made: Store = {
      ...store,
      address: rewritten(address),
      data: rewritten(data),
      guard: rewritten(guard),
    };
    const stream = graph.streams.get(store);
    if (stream) {
      graph.streams.delete(store);
      graph.streams.set(made, stream);
      moveLane(stream, store, made);
    }
    graph.stores[k] = made;
  });
  for (const store of graph.stores.filter(({ guard }) => isNever(guard))) {
    graph.streams.delete(store);
    graph.stores.splice(graph.stores.indexOf(store), 1);
  }
  for (const { word } of graph.streams.values()) if (word?.wanted) word.wanted = rewritten(word.wanted);
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
