/** Variables that change by a constant in each iteration. */
import type { Graph, NodeId } from "./graph.ts";
import type { Carried } from "./pipeline.ts";

/** A branch that is rarely taken: the end of a row in a nest. */
type Rare = Map<NodeId, "then" | "else">;

/**
 * The usual increment per iteration. In a nest, the inner counter restarts and the outer one steps only at the end of a
 * row.
 */
export function countersOf(graph: Graph, carried: readonly Carried[]): ReadonlyMap<NodeId, bigint> {
  const integers = carried.filter(({ from }) => graph.at(from).type === "int");
  const rare: Rare = new Map();
  // Which branches are rare is known only after all variables were visited.
  for (const { from, to } of integers) stepOf(graph, from, to, rare, new Map());
  const steps = new Map<NodeId, bigint>();
  for (const { from, to } of integers) {
    const step = stepOf(graph, from, to, rare, new Map());
    if (step !== undefined) steps.set(from, step);
  }
  return steps;
}

/** `to` minus `from`; undefined if `to` does not derive from `from`. Records branches with other values. */
function stepOf(
  graph: Graph,
  from: NodeId,
  to: NodeId,
  rare: Rare,
  known: Map<NodeId, bigint | undefined>,
): bigint | undefined {
  if (from === to) return 0n;
  if (known.has(to)) return known.get(to);
  const node = graph.at(to);
  const step = (id: NodeId) => stepOf(graph, from, id, rare, known);
  let result: bigint | undefined;
  if (node.op === "+") {
    const [a, b] = node.args as [NodeId, NodeId];
    const [x, y] = [graph.integer(a), graph.integer(b)];
    const before = x !== undefined ? step(b) : y !== undefined ? step(a) : undefined;
    if (before !== undefined) result = before + (x ?? y ?? 0n);
  } else if (node.op === "?:") {
    const [test, a, b] = node.args as [NodeId, NodeId, NodeId];
    const [then, other] = [step(a), step(b)];
    if (then === undefined && other !== undefined) rare.set(test, "then");
    if (other === undefined && then !== undefined) rare.set(test, "else");
    const skip = rare.get(test);
    if (skip === "then" || then === undefined) result = other;
    else if (skip === "else" || other === undefined) result = then;
    else result = then === 0n ? other : then;
  }
  known.set(to, result);
  return result;
}
