/** GCC's builtins that count bits and reverse bytes. */
import { firstOf, itemAt } from "../../../checked/access.ts";
import type { Graph } from "../../dfg/graph.ts";
import { BIT, type Shape, type Value } from "../../dfg/value.ts";

const INT: Shape = { bits: 32, signed: true };
const unsigned = (bits: number): Shape => ({ bits, signed: false });

type Counting = (graph: Graph, x: Value) => Value;

const bit = (graph: Graph, x: Value, k: number): Value =>
  graph.resize(graph.resize(graph.make("shr", x.shape, [x, graph.constant(k, INT)]), unsigned(1)), INT);

/** The sum of all bits, as a tree. */
function population(graph: Graph, x: Value): Value {
  let parts = Array.from({ length: x.shape.bits }, (_, k) => bit(graph, x, k));
  while (parts.length > 1)
    parts = Array.from({ length: Math.ceil(parts.length / 2) }, (_, k) => {
      const [a, b] = [itemAt(parts, 2 * k), parts[2 * k + 1]];
      return b ? graph.make("add", INT, [a, b]) : a;
    });
  return firstOf(parts);
}

/** Zeros before the first set bit, by halving; one less than all bits if none is set. */
function zeros(graph: Graph, x: Value, from: "top" | "bottom"): Value {
  const { bits } = x.shape;
  const none = (v: Value) => graph.make("eq", BIT, [v, graph.constant(0, v.shape)]);
  let [rest, count] = [x, graph.constant(0, INT)];
  for (let half = bits / 2; half >= 1; half /= 2) {
    const step = graph.constant(half, INT);
    const beyond = graph.constant(bits - half, INT);
    const zero = none(
      from === "top" ? graph.make("shr", x.shape, [rest, beyond]) : graph.resize(rest, unsigned(half)),
    );
    const shifted = graph.make(from === "top" ? "shl" : "shr", x.shape, [rest, step]);
    rest = graph.mux(zero, shifted, rest);
    count = graph.make("or", INT, [count, graph.mux(zero, step, graph.constant(0, INT))]);
  }
  return count;
}

function parity(graph: Graph, x: Value): Value {
  let folded = x;
  for (let half = x.shape.bits / 2; half >= 1; half /= 2) {
    const upper = graph.make("shr", folded.shape, [folded, graph.constant(half, INT)]);
    folded = graph.resize(graph.make("xor", folded.shape, [folded, upper]), unsigned(half));
  }
  return graph.resize(folded, INT);
}

function swapped(graph: Graph, x: Value): Value {
  const { bits } = x.shape;
  const bytes = Array.from({ length: bits / 8 }, (_, k) =>
    graph.resize(graph.make("shr", x.shape, [x, graph.constant(8 * k, INT)]), unsigned(8)),
  );
  return bytes.reduce((high, low) => graph.make("concat", unsigned(high.shape.bits + 8), [high, low]));
}

/** One more than the index of the lowest set bit, or 0. */
function firstSet(graph: Graph, x: Value): Value {
  const next = graph.make("add", INT, [zeros(graph, x, "bottom"), graph.constant(1, INT)]);
  return graph.mux(graph.truth(x), next, graph.constant(0, INT));
}

const counts: Readonly<Record<string, Counting>> = {
  popcount: population,
  parity,
  clz: (graph, x) => zeros(graph, x, "top"),
  ctz: (graph, x) => zeros(graph, x, "bottom"),
  ffs: firstSet,
};

/** The builtin and its operand's size in bits, by name without the prefix. */
export function bitBuiltin(name: string): { readonly value: Counting; readonly bits: number } | undefined {
  const swap = /^bswap(16|32|64)$/.exec(name);
  if (swap) return { value: swapped, bits: Number(swap[1]) };
  const [, base = "", long] = /^(popcount|parity|clz|ctz|ffs)(l{0,2})$/.exec(name) ?? [];
  const value = counts[base];
  return value && { value, bits: long ? 64 : 32 };
}
