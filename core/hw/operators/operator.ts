/**
 * Floating-point operators, and integer products. Each is written once, for any format, as a small dataflow graph of
 * integer operations; constant operands are folded into that graph.
 */
import { itemAt } from "../../checked/access.ts";
import type { Graph } from "../dfg/graph.ts";
import type { BinaryOperation, Shape, Value, Variable } from "../dfg/value.ts";
import { Circuit } from "./circuits/circuit.ts";
import { isFloatOperation, lowered, type OperatorKind } from "./lowering.ts";

export interface FloatOperator {
  readonly op: OperatorKind;
  /** Shape of the operands, which is the same for all except integer operands. */
  readonly from: Shape;
  /** Shape of the second operand if it differs. */
  readonly second?: Shape;
  readonly to: Shape;
  /** For fixed point: integers count units of 2^-fractionBits. */
  readonly fractionBits?: number;
  /** Codes of constant operands. */
  readonly constants: readonly (bigint | undefined)[];
  /** Subnormal numbers are treated as 0. */
  readonly flush?: true;
}

/** The graph that computes an operator, from `inputs` (the operands that are not constant) to `output`. */
export interface OperatorGraph {
  readonly graph: Graph;
  readonly inputs: readonly Variable[];
  readonly output: Variable;
}

/** The operator of a value whose wires have the shapes of `widthOf`; undefined for other values. */
export function operatorOf(
  value: Value,
  widthOf: (v: Value) => Shape,
  flush: boolean,
): FloatOperator | undefined {
  if (value.op === "mul") return multiplierOf(value, widthOf);
  if (!isFloatOperation(value)) return undefined;
  const { fractionBits } = value;
  return {
    op: value.op,
    from: widthOf(value.args[0]),
    ...((value.op === "xdiv" || value.op === "fscale") && { second: widthOf(value.args[1]) }),
    to: value.shape,
    ...(fractionBits !== undefined && { fractionBits }),
    constants: value.args.map((a) => a.constant),
    ...(flush && flushes(value.op) && { flush }),
  };
}

interface Factor {
  readonly value: Value;
  /** No wider than the product. */
  readonly shape: Shape;
}

/** The factors of an integer product, the wider one first. */
export function factorsOf(value: BinaryOperation, widthOf: (v: Value) => Shape): readonly [Factor, Factor] {
  const { bits } = widthOf(value);
  const factor = (operand: Value): Factor => {
    const shape = widthOf(operand);
    return { value: operand, shape: shape.bits < bits ? shape : { bits, signed: false } };
  };
  const [a, b] = [factor(value.args[0]), factor(value.args[1])];
  return a.shape.bits < b.shape.bits ? [b, a] : [a, b];
}

function multiplierOf(value: BinaryOperation, widthOf: (v: Value) => Shape): FloatOperator {
  const [a, b] = factorsOf(value, widthOf);
  return {
    op: "mul",
    from: a.shape,
    second: b.shape,
    to: { bits: widthOf(value).bits, signed: false },
    constants: [a.value.constant, b.value.constant],
  };
}

/** Operators whose circuits differ if subnormal numbers are flushed; the others do not depend on it. */
const flushes = (op: OperatorKind): boolean =>
  /^f(add|mul|div|sqrt|tof|pow|exp2?|exp10|log|log2|log10|sin|cos|tan)$/.test(op);

/** A name for the operator: equal only for equal operators. */
export function nameOfOperator({
  op,
  from,
  second,
  to,
  fractionBits,
  constants,
  flush,
}: FloatOperator): string {
  const shape = ({ bits, signed, float }: Shape) =>
    float ? `e${float.exponent}m${float.fraction}` : `${signed ? "i" : "u"}${bits}`;
  const converts = op === "ftof" || op === "itof" || op === "ftoi" || fractionBits !== undefined;
  const shapes = [from, second, converts || second ? to : undefined]
    .flatMap((s) => (s ? [shape(s)] : []))
    .join("_");
  const constantNames = constants.map((c, k) => (c === undefined ? "" : `_${"abc"[k]}${c.toString(16)}`));
  return `${op}_${shapes}${fractionBits === undefined ? "" : `_p${fractionBits}`}${flush ? "_flush" : ""}${constantNames.join("")}`;
}

export function operatorGraph(operator: FloatOperator): OperatorGraph {
  const { op, from, second, to, fractionBits, constants, flush } = operator;
  const circuit = new Circuit();
  const inputs: Variable[] = [];
  const operands = constants.map((constant, k) => {
    const { bits, signed } = (k === 1 && second) || from;
    // These are floating-point codes, except for integer products.
    const isInteger = op === "mul" || op === "xdiv" || op === "xsqrt" || op === "fscale";
    const shape: Shape = { bits, signed: signed && isInteger };
    if (constant !== undefined) return circuit.graph.constant(constant, shape);
    const input = circuit.input(itemAt("abc", k), bits);
    inputs.push(input.variable as Variable);
    return circuit.graph.resize(input, shape);
  });
  const output: Variable = { name: "result", shape: { bits: to.bits, signed: false } };
  const asComputed = flush ? flushing : (shape: Shape) => shape;
  const value = lowered(
    circuit,
    op,
    operands as [Value, Value, Value],
    asComputed(from),
    asComputed(to),
    fractionBits,
  );
  circuit.graph.updates.set(output, circuit.named("rounded", value));
  return { graph: circuit.graph, inputs, output };
}

const flushing = (shape: Shape): Shape =>
  shape.float ? { ...shape, float: { ...shape.float, flush: true } } : shape;
