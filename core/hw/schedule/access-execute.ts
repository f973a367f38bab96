/**
 * Access/execute decoupling: the processes of a pipeline before they are scheduled, which load runs ahead of which, and
 * what each process evaluates.
 */

import type { Process, StorePort, UpdateCase } from "../binding/process.ts";
import type { Graph } from "../dfg/graph.ts";
import { loadLevels } from "../dfg/load-levels.ts";
import { walkBack } from "../dfg/reach.ts";
import type { Pipeline } from "../dfg/region.ts";
import {
  comesIn,
  isLiteral,
  type Ram,
  type RamWrite,
  readsVariable,
  type Send,
  type Store,
  takesElement,
  type Value,
  type Variable,
} from "../dfg/value.ts";

export interface Draft
  extends Pick<
    Process,
    | "level"
    | "computes"
    | "values"
    | "inputs"
    | "requests"
    | "stores"
    | "writes"
    | "sends"
    | "updates"
    | "delayed"
  > {
  readonly distances: ReadonlyMap<Variable, number>;
}

/**
 * Address processes first, the computing process last. `elsewhere`: whether others read a variable; `fetched`: local
 * arrays of which any word is read.
 */
export function draftsOf(
  { graph, loop, loc }: Pipeline,
  elsewhere: (variable: Variable) => boolean,
  fetched: ReadonlySet<Ram>,
): Draft[] {
  const levels = loadLevels(graph, loop?.more, loc);
  const drafts: Draft[] = [];
  const highest = Math.max(-1, ...levels.values());
  // The computing process decides which loads are needed.
  const computing = draft(graph, loop?.more, {
    level: highest + 1,
    computes: true,
    requests: [],
    stores: portsOf(graph),
    writes: graph.writes.filter(({ ram, guard }) => fetched.has(ram) && guard.constant !== 0n),
    sends: graph.sends,
    roots: [...graph.updates.keys()].filter(elsewhere),
  });
  drafts.push(computing);
  const needed = new Set(computing.inputs);
  for (let level = highest; level >= 0; level--) {
    const requests = [...needed].filter((load) => levels.get(load) === level && !graph.streams.has(load));
    if (requests.length === 0) continue;
    const addressProcess = draft(graph, loop?.more, {
      level,
      computes: false,
      requests,
      stores: [],
      writes: [],
      sends: [],
      roots: [],
    });
    for (const load of addressProcess.inputs) needed.add(load);
    drafts.unshift(addressProcess);
  }
  return drafts;
}

/** Stores that may touch the same memory share a port. */
function portsOf(graph: Graph): StorePort[] {
  const { stores } = graph;
  const ports: Store[][] = [];
  for (const store of stores) {
    const aliasing = ports.filter((port) => port.some((s) => graph.mayTouch(s.memory, store.memory)));
    const rest = ports.filter((port) => !aliasing.includes(port));
    ports.splice(0, ports.length, ...rest, [...aliasing.flat(), store]);
  }
  return ports.map((port) => ({ stores: stores.filter((s) => port.includes(s)) }));
}

function draft(
  graph: Graph,
  more: Value | undefined,
  what: {
    readonly level: number;
    readonly computes: boolean;
    readonly requests: readonly Value[];
    readonly stores: readonly StorePort[];
    readonly writes: readonly RamWrite[];
    readonly sends: readonly Send[];
    readonly roots: readonly Variable[];
  },
): Draft {
  const usedValues = new Set<Value>();
  const inputs = new Set<Value>();
  const updates = new Map<Variable, readonly UpdateCase[]>();
  const stepped = (variable: Variable): readonly Value[] => {
    const value = graph.updates.get(variable);
    if (!value || updates.has(variable)) return [];
    const cases = casesOf(variable, value) ?? [{ holds: true, value }];
    updates.set(variable, cases);
    return cases.flatMap(({ guard, value: next }) => (guard ? [guard, next] : [next]));
  };
  const behind = (value: Value): readonly Value[] | undefined => {
    if (isLiteral(value) || usedValues.has(value)) return undefined;
    if (comesIn(value)) {
      inputs.add(value);
      const neededAtStart = isNeededAtStart(graph, value);
      return neededAtStart && [neededAtStart];
    }
    usedValues.add(value);
    return readsVariable(value) && more ? [...value.args, ...stepped(value.variable)] : value.args;
  };
  const need = (value: Value): void => walkBack([value], behind);
  if (more) need(more);
  for (const load of what.requests) load.args.forEach(need);
  for (const port of what.stores) for (const s of port.stores) for (const v of operandsOf(graph, s)) need(v);
  for (const { address, data, guard } of what.writes) for (const v of [address, data, guard]) need(v);
  for (const { data, guard } of what.sends) for (const v of [data, guard]) need(v);
  if (what.computes) graph.receives.forEach(need);
  for (const root of what.roots) walkBack(stepped(root), behind);
  const values = graph.values.filter((v) => usedValues.has(v));
  return {
    level: what.level,
    computes: what.computes,
    values,
    inputs: graph.values.filter((v) => inputs.has(v)),
    requests: what.requests,
    stores: what.stores,
    writes: what.writes,
    sends: what.sends,
    updates,
    delayed: chains(values),
    distances: graph.distances,
  };
}

/** An update as selections between new values and the old one; undefined: it always takes a new value. */
function casesOf(variable: Variable, value: Value): readonly UpdateCase[] | undefined {
  if (readsVariable(value) && value.variable === variable) return [];
  if (value.op !== "mux") return undefined;
  const [guard, then, otherwise] = value.args;
  const after = casesOf(variable, otherwise);
  if (after) return [{ guard, holds: true, value: then }, ...after];
  const before = casesOf(variable, then);
  return before && [{ guard, holds: false, value: otherwise }, ...before];
}

/** The values needed to execute a store. */
export const operandsOf = (graph: Graph, store: Store): readonly Value[] =>
  graph.streams.has(store) ? [store.data, store.guard] : [store.address, store.data, store.guard];

/** Whether an iteration takes an element of a stream or a channel, which must be known when it starts. */
export function isNeededAtStart(graph: Graph, input: Value): Value | undefined {
  if (input.op === "receive") return input.args[0];
  const stream = graph.streams.get(input);
  return stream && takesElement(input, stream);
}

/** Delays of one value form a chain: each takes its input from the place before. */
function chains(values: readonly Value[]): ReadonlyMap<Value, Value> {
  const bySource = new Map<Value, Value[]>();
  for (const v of values)
    if (v.op === "delay") bySource.set(v.args[0], [...(bySource.get(v.args[0]) ?? []), v]);
  const before = new Map<Value, Value>();
  for (const [source, taps] of bySource) {
    taps.sort((a, b) => (a.distance as number) - (b.distance as number));
    taps.forEach((tap, k) => {
      before.set(tap, taps[k - 1] ?? source);
    });
  }
  return before;
}

/** Iterations between a place of a delay line and the place before. */
export function gapOf(tap: Value, before: Value): number {
  const newer = before.op === "delay" && before.args[0] === tap.args[0] ? before.distance : 0;
  return (tap.distance as number) - newer;
}
