/**
 * A build that starts from the last build's graph: only actions that a change can reach are read, decided and run. The
 * outputs that they need from other actions are unchanged.
 */

import type { Produced } from "../graph/inputs.ts";
import type { Action, Address } from "../model/action.ts";
import type { GraphFile } from "./graph-file.ts";
import type { ActionRecord } from "./state.ts";

export interface ReducedGraph {
  /** The actions that the change can reach, without those that expansions among them will add. */
  readonly actions: readonly Action[];
  /** All reached actions, including children of expansions. */
  readonly reached: readonly { readonly number: number; readonly address: Address }[];
  /** What expansions among them added before, wanted or not. */
  readonly grown: ReadonlySet<number>;
  readonly finished: ReadonlyMap<Address, Produced>;
}

/**
 * Undefined when a needed action's record is not the one that the graph was made from: then the whole graph must be
 * made. `recordOf` returns matching records only.
 */
export function reduceGraph(
  graph: GraphFile,
  recordOf: (number: number, address: Address) => ActionRecord | undefined,
  changed: readonly string[],
  isWanted: (number: number) => boolean,
): ReducedGraph | undefined {
  const reached = new Set<number>();
  for (const path of changed) {
    for (const user of usersAround(graph, path)) if (isWanted(user)) reached.add(user);
  }
  // The set grows during the iteration.
  const grown = new Set<number>();
  for (const number of reached) {
    for (const consumer of graph.consumers(number)) if (isWanted(consumer)) reached.add(consumer);
    for (const child of graph.children(number)) {
      grown.add(child);
      if (isWanted(child)) reached.add(child);
    }
  }
  const actions: Action[] = [];
  const finished = new Map<Address, Produced>();
  const addresses = new Set<Address>();
  const outside = new Set<Address>();
  const numbers = [...reached].sort((a, b) => a - b);
  for (const number of numbers) {
    const { action } = graph.row(number);
    addresses.add(action.address);
    if (!grown.has(number)) actions.push(action);
    for (const { from } of action.inputs) if ("action" in from) outside.add(from.action);
  }
  for (const address of outside) {
    if (addresses.has(address)) continue;
    const number = graph.numberOf(address);
    const record = number === undefined ? undefined : recordOf(number, address);
    if (number === undefined || record === undefined) return undefined;
    finished.set(address, { action: graph.row(number).action, result: record.result });
  }
  const named = [...addresses].map((address, at) => ({ number: numbers[at] as number, address }));
  return { actions, reached: named, grown, finished };
}

/** Users of a path and of the folders around it: an action may read or write a whole folder. */
function* usersAround(graph: GraphFile, path: string): Generator<number> {
  for (const at of withFolders(path)) yield* graph.usersOf(at);
}

/** A path, then the folders around it from the inside out. */
export function* withFolders(path: string): Generator<string> {
  for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) yield at;
}
