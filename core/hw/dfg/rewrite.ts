/** Graphs with some of their values replaced. */
import type { Graph, Store, Stream, Value } from "./graph.ts";

/**
 * Puts `by(value)` in the place of values for which there is one, in everything that uses them, other new values
 * too. No new value may use the one that it replaces. Accesses that turn out never to happen go.
 */
export function rewrite(graph: Graph, by: ReadonlyMap<Value, Value>): (value: Value) => Value {
  const done = new Map<Value, Value>();
  const rewritten = (value: Value): Value => {
    const known = done.get(value);
    if (known) return known;
    const other = by.get(value);
    if (other) {
      const made = rewritten(other);
      done.set(value, made);
      return made;
    }
    const args = value.args.map(rewritten);
    const same = args.every((a, k) => a === value.args[k]);
    const never = value.op === "load" && isNever(args[1] as Value);
    const made = never ? graph.constant(0, value.shape) : same ? value : graph.with(value, args);
    done.set(value, made);
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
