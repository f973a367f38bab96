/**
 * Loop-invariant code motion: what all iterations compute equally is computed once before the loop. If operations take
 * turns on a circuit, each one less may shorten the interval:
 *
 *     loop: c = 1 / (1 + (q - q0) / (q0 * (1 + q0)))   =>   before: t = q0 * (1 + q0)   loop: c = 1 / (1 + (q - q0) / t)
 *
 * An inner loop would pay for the step before it in each of its runs, and is left unchanged.
 */

import { shareable, type Units } from "../binding/sharing.ts";
import type { Graph } from "../dfg/graph.ts";
import { type HardwareRegion, type PipelinedLoop, pipelinesOf } from "../dfg/region.ts";
import { rewrite } from "../dfg/rewrite.ts";
import { isLiteral, isRead, type Value, type Variable } from "../dfg/value.ts";
import { repeated } from "../schedule/trips.ts";

/** Changes the region's graphs. `units`: the operators whose operations take turns. */
export function moveInvariants(region: HardwareRegion, units: Units): void {
  const repeatedPipelines = repeated(region.control);
  const takesTurns = ({ op }: Value): boolean => {
    const kind = shareable(op);
    return kind !== undefined && units[kind] !== undefined;
  };
  for (const pipeline of pipelinesOf(region.control))
    if (pipeline.loop && !repeatedPipelines.has(pipeline)) moveOut(pipeline.graph, pipeline.loop, takesTurns);
}

function moveOut(graph: Graph, { before }: PipelinedLoop, takesTurns: (value: Value) => boolean): void {
  const invariant = new Map<Value, boolean>();
  const dear = new Set<Value>();
  for (const value of graph.values) {
    const { op, args, variable } = value;
    const varies = isRead(value) || op === "delay" || (variable !== undefined && graph.updates.has(variable));
    invariant.set(value, !varies && args.every((a) => invariant.get(a)));
    if (takesTurns(value) || args.some((a) => dear.has(a))) dear.add(value);
  }
  const moves = (value: Value): boolean => invariant.get(value) === true && dear.has(value);
  const usedInLoop = new Set(graph.values.flatMap((v) => (moves(v) ? [] : v.args)));
  for (const value of directUses(graph)) usedInLoop.add(value);
  const replaced = new Map<Value, Value>();
  for (const value of graph.values.filter((v) => moves(v) && usedInLoop.has(v))) {
    const name = graph.names.get(value) ?? value.hint ?? "invariant";
    const once: Variable = { name, shape: value.shape };
    before.updates.set(once, copied(value, before));
    replaced.set(value, graph.read(once));
  }
  if (replaced.size > 0) rewrite(graph, replaced);
}

/** Results of an iteration, beside values used by other values. */
const directUses = ({ updates, stores, writes, sends }: Graph): readonly Value[] => [
  ...updates.values(),
  ...[...stores, ...writes].flatMap(({ address, data, guard }) => [address, data, guard]),
  ...sends.flatMap(({ data, guard }) => [data, guard]),
];

/** A copy of a loop's value in the step before the loop, after it has set the variables. */
function copied(value: Value, before: Graph): Value {
  if (isLiteral(value)) return before.constant(value.constant, value.shape);
  if (value.variable) return before.updates.get(value.variable) ?? before.read(value.variable);
  return before.with(
    value,
    value.args.map((a) => copied(a, before)),
  );
}
