/**
 * Store-to-load forwarding in local arrays: an iteration that changes a word which the previous one may have changed
 * need not wait until it can be read. What was written, and where, is kept in registers for one iteration.
 *
 *     word = fetch(a)   =>   word = stored && stored_at == a ? stored_word : fetch(a)
 *
 * A histogram therefore starts an iteration per cycle. If an operator of several cycles lies between the word and what
 * is written back, that determines the interval, and the array is left unchanged.
 */

import { itemAt } from "../../checked/access.ts";
import type { Graph } from "../dfg/graph.ts";
import { Strides } from "../dfg/memory.ts";
import { carried } from "../dfg/rams.ts";
import { fold } from "../dfg/reach.ts";
import { type HardwareRegion, type PipelinedLoop, pipelinesOf } from "../dfg/region.ts";
import { rewrite } from "../dfg/rewrite.ts";
import { BIT, type RamWrite, type Value, type Variable } from "../dfg/value.ts";
import { takesCycles } from "../operators/cycles.ts";

/** How many writes of an iteration to one array are kept; each takes a comparison and a multiplexer per fetch. */
const MOST_WRITES = 2;

/** Changes the region's graphs. */
export function forwardWrites(region: HardwareRegion): void {
  for (const { graph, loop } of pipelinesOf(region.control)) if (loop) forwardIn(graph, loop);
}

/** Registers that carry a write to the next iteration. */
interface Kept {
  readonly stored: Variable;
  readonly at: Variable;
  readonly word: Variable;
}

function forwardIn(graph: Graph, loop: PipelinedLoop): void {
  const strides = new Strides(graph);
  const replaced = new Map<Value, Value>();
  const keptWords = new Map<number, Kept>();
  for (const value of graph.values.filter((v) => v.op === "fetch")) {
    const { ram, after } = value.fetch;
    // This iteration's writes are newer than the previous iteration's.
    if (after > 0) continue;
    const before = graph.writes.filter((w) => w.ram === ram && carried(strides, w, value) === 1);
    if (before.length > MOST_WRITES || !before.some((w) => returns(w, value))) continue;
    const [address] = value.args;
    const word = before.reduce<Value>(
      (rest, write) => {
        const k = graph.writes.indexOf(write);
        const { stored, at, word } = keptWords.get(k) ?? registersOf(write);
        keptWords.set(k, { stored, at, word });
        const hit = graph.and(graph.read(stored), graph.make("eq", BIT, [graph.read(at), address]));
        return graph.mux(hit, graph.read(word), rest);
      },
      graph.fetch(address, { ...value.fetch, blind: true }, value.loc),
    );
    replaced.set(value, word);
  }
  if (replaced.size === 0) return;
  rewrite(graph, replaced);
  for (const [k, { stored, at, word }] of keptWords) {
    const { guard, address, data } = itemAt(graph.writes, k);
    loop.before.updates.set(stored, loop.before.constant(0, BIT));
    graph.updates.set(stored, guard);
    graph.updates.set(at, address);
    graph.updates.set(word, data);
  }
}

function registersOf({ ram: { name, cell }, address }: RamWrite): Kept {
  return {
    stored: { name: `${name}_stored`, shape: BIT },
    at: { name: `${name}_stored_at`, shape: address.shape },
    word: { name: `${name}_stored_word`, shape: cell.shape },
  };
}

/** Whether the data written depends on the data fetched, within a cycle. */
function returns(write: RamWrite, fetch: Value): boolean {
  const routes = new Map<Value, "none" | "short" | "long">([[fetch, "short"]]);
  const routeOf = (root: Value) =>
    fold(root, routes, (value, args) => {
      const isLong = takesCycles(value) || args.includes("long");
      return args.every((a) => a === "none") ? "none" : isLong ? "long" : "short";
    });
  const all = [write.data, write.guard, write.address].map(routeOf);
  return all.includes("short") && !all.includes("long");
}
