/** Fixed-point numbers as values of a graph: arithmetic on integers, and circuits for the rest. */
import { entryOf } from "../../../checked/access.ts";
import type { Loc } from "../../../lang/tree/ast.ts";
import { evaluator } from "../../dfg/evaluate.ts";
import { binary64, codeOfDouble, floatShape } from "../../dfg/float-format.ts";
import type { Graph } from "../../dfg/graph.ts";
import { BIT, type FixedOp, interpret, isLiteral, type Shape, type Value } from "../../dfg/value.ts";
import { operatorGraph } from "../operator.ts";
import { type FixedShape, isFixed } from "./format.ts";

/** A circuit's value; constants are folded. */
function fixedValue(
  graph: Graph,
  op: FixedOp,
  to: Shape,
  args: readonly Value[],
  { fractionBits, at }: { readonly fractionBits: number; readonly at: Loc },
): Value {
  if (!args.every((v) => isLiteral(v))) return graph.fixedPoint(op, to, args, fractionBits, at);
  const [first, second] = args as [Value, Value?];
  const operands = { from: first.shape, ...(second && { second: second.shape }), to, fractionBits };
  const constants = args.map((v) => v.constant);
  const { graph: circuit, output } = operatorGraph({ op, ...operands, constants });
  return graph.constant(entryOf(evaluator(circuit)(new Map()), output), to);
}

/** The fixed-point number nearest to a double, as raw bits. */
export function fixedCode(value: number, { bits, fractionBits }: FixedShape): bigint {
  const constants = [codeOfDouble(value)];
  const to: Shape = { bits, signed: true };
  const { graph, output } = operatorGraph({
    op: "ftox",
    from: floatShape(binary64),
    to,
    fractionBits,
    constants,
  });
  return entryOf(evaluator(graph)(new Map()), output);
}

/** Converts between any two types of which one is fixed point. */
export function fixedCast(graph: Graph, value: Value, to: Shape, at: Loc): Value {
  const from = value.shape;
  if (isFixed(to)) {
    if (from.float) return fixedValue(graph, "ftox", to, [value], { fractionBits: to.fractionBits, at });
    // A kernel has only one such format.
    if (isFixed(from)) return value;
    return graph.make("shl", to, [graph.resize(value, to), graph.constant(to.fractionBits, WIDE)], at);
  }
  const shape = from as FixedShape;
  if (to.float) return fixedValue(graph, "xtof", to, [value], { fractionBits: shape.fractionBits, at });
  return graph.resize(towardsZero(graph, value, shape), to);
}

const WIDE: Shape = { bits: 32, signed: false };

/** To an integer: truncates the fraction. */
function towardsZero(graph: Graph, value: Value, shape: FixedShape): Value {
  const fractionMask = graph.constant((1n << BigInt(shape.fractionBits)) - 1n, shape);
  const up = graph.mux(isNegative(graph, value), fractionMask, graph.constant(0, shape));
  const sum = graph.make("add", shape, [value, up]);
  return graph.make("shr", { bits: shape.bits, signed: true }, [
    sum,
    graph.constant(shape.fractionBits, WIDE),
  ]);
}

export const isNegative = (graph: Graph, value: Value): Value =>
  graph.make("lt", BIT, [value, graph.constant(0, value.shape)]);

export function fixedArithmetic(
  graph: Graph,
  op: string,
  a: Value,
  b: Value,
  shape: FixedShape,
  at: Loc,
): Value | undefined {
  switch (op) {
    case "+":
      return graph.make("add", shape, [a, b], at);
    case "-":
      return graph.make("sub", shape, [a, b], at);
    case "*":
      return product(graph, a, b, shape, at);
    case "/": {
      const inverse = reciprocal(b, shape);
      if (inverse !== undefined) return product(graph, a, graph.constant(inverse, shape), shape, at);
      return fixedValue(graph, "xdiv", shape, [a, b], { fractionBits: shape.fractionBits, at });
    }
    default:
      return undefined;
  }
}

/** 1 / b if that is exact and at most 1. */
function reciprocal(b: Value, shape: FixedShape): bigint | undefined {
  if (!isLiteral(b)) return undefined;
  const code = interpret(b.constant, shape);
  const one = 1n << BigInt(shape.fractionBits);
  const isPower = code >= one && (code & (code - 1n)) === 0n;
  return isPower && (one * one) % code === 0n ? (one * one) / code : undefined;
}

function product(graph: Graph, a: Value, b: Value, shape: FixedShape, at: Loc): Value {
  const { bits, fractionBits } = shape;
  const wide: Shape = { bits: bits + fractionBits, signed: true };
  const exact = graph.make("mul", wide, [graph.resize(a, wide), graph.resize(b, wide)], at);
  return graph.resize(nearest(graph, exact, fractionBits), shape);
}

/** a * b + c, rounded once. */
export function fusedProduct(graph: Graph, a: Value, b: Value, c: Value): Value {
  const shape = a.shape as FixedShape;
  const { bits, fractionBits } = shape;
  const wide: Shape = { bits: bits + fractionBits, signed: true };
  const exact = graph.make("mul", wide, [graph.resize(a, wide), graph.resize(b, wide)]);
  const addend = graph.make("shl", wide, [graph.resize(c, wide), graph.constant(fractionBits, WIDE)]);
  return graph.resize(nearest(graph, graph.make("add", wide, [exact, addend]), fractionBits), shape);
}

/** Drops the lowest bits: rounds to nearest, ties to even. */
function nearest(graph: Graph, value: Value, low: number): Value {
  if (low === 0) return value;
  const { shape } = value;
  const half = 1n << BigInt(low - 1);
  const sum = graph.make("add", shape, [value, graph.constant(half, shape)]);
  const shifted = graph.make("shr", shape, [sum, graph.constant(low, WIDE)]);
  const behind: Shape = { bits: low, signed: false };
  const tie = graph.make("eq", BIT, [graph.resize(value, behind), graph.constant(half, behind)]);
  const last = graph.and(graph.resize(shifted, BIT), graph.not(tie));
  const high = graph.make("shr", shape, [shifted, graph.constant(1, WIDE)]);
  return graph.make("concat", { bits: shape.bits + 1, signed: true }, [high, last]);
}

/** Rounds to an integer: down, up, towards 0, or to nearest with ties to even or away from 0. */
export function roundedToInteger(
  graph: Graph,
  value: Value,
  rounding: "down" | "up" | "zero" | "even" | "away",
): Value {
  const shape = value.shape as FixedShape;
  const { fractionBits } = shape;
  if (fractionBits === 0) return value;
  const add = (by: Value) => graph.make("add", shape, [value, by]);
  const number = (n: bigint) => graph.constant(n, shape);
  const one = 1n << BigInt(fractionBits);
  const down = (v: Value) => graph.make("and", shape, [v, number(-one)]);
  const negative = isNegative(graph, value);
  switch (rounding) {
    case "down":
      return down(value);
    case "up":
      return down(add(number(one - 1n)));
    case "zero":
      return down(add(graph.mux(negative, number(one - 1n), number(0n))));
    case "away":
      return down(add(graph.mux(negative, number(one / 2n - 1n), number(one / 2n))));
    case "even": {
      const resized = graph.resize(nearest(graph, value, fractionBits), shape);
      return graph.make("shl", shape, [resized, graph.constant(fractionBits, WIDE)]);
    }
  }
}

export function fixedRoot(graph: Graph, value: Value, at: Loc): Value {
  const shape = value.shape as FixedShape;
  return fixedValue(graph, "xsqrt", shape, [value], { fractionBits: shape.fractionBits, at });
}
