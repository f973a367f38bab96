/** The trip count of a counted loop, as values of the graph before it. */
import type { Graph } from "../dfg/graph.ts";
import { BIT, interpret, isLiteral, type Shape, type Value } from "../dfg/value.ts";

/**
 * How often a loop runs, never negative; undefined if its counter might wrap around. `bound` has the type in which the
 * loop compares.
 */
export function tripCount(
  graph: Graph,
  relation: string,
  lower: Value,
  bound: Value,
  step: bigint,
): Value | undefined {
  const up = step > 0n;
  if (relation === "!=" ? step !== 1n && step !== -1n : up !== (relation === "<" || relation === "<="))
    return undefined;
  const inclusive = relation === "<=" || relation === ">=";
  const counter = lower.shape;
  // The comparison uses the wider of both types: the counter must be able to reach every bound.
  const known = isLiteral(bound) ? interpret(bound.constant, bound.shape) : undefined;
  const [low, high] = counter.signed
    ? [-(1n << BigInt(counter.bits - 1)), (1n << BigInt(counter.bits - 1)) - 1n]
    : [0n, (1n << BigInt(counter.bits)) - 1n];
  if (known !== undefined) {
    const furthest = known + (inclusive ? step : 0n) + (up ? step - 1n : step + 1n);
    if (furthest < low || furthest > high) return undefined;
  } else {
    // Signed counters of int and wider do not overflow in C; unsigned ones wrap.
    const safe = counter.signed && counter.bits >= 32;
    if (!safe && (inclusive || relation === "!=" || !up || step !== 1n)) return undefined;
    if (bound.shape.bits > counter.bits && !safe) return undefined;
    if (counter.signed && !bound.shape.signed && bound.shape.bits >= counter.bits) return undefined;
  }
  const bits = Math.max(counter.bits, bound.shape.bits) + 2;
  const wide: Shape = { bits, signed: true };
  const [from, to] = [graph.resize(lower, wide), graph.resize(bound, wide)];
  const size = up ? step : -step;
  const span = graph.make("sub", wide, up ? [to, from] : [from, to]);
  const rounded = graph.make("add", wide, [span, graph.constant(inclusive ? size : size - 1n, wide)]);
  const count = graph.make("shr", wide, [rounded, graph.constant(size.toString(2).length - 1, wide)]);
  const none = graph.make("lt", BIT, [count, graph.constant(1, wide)]);
  const positive: Shape = { bits: bits - 1, signed: false };
  return graph.mux(none, graph.constant(0, positive), graph.resize(count, positive));
}
