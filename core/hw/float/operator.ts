/**
 * Floating-point operators, and products of integers. Each is written once, over any format, as a small dataflow graph
 * of integers; a constant operand is folded into that graph.
 */
import { fromFloat, quotient, squareRoot } from "../fixed/circuits.ts";
import type {
  BinaryFloatOp,
  Elementary,
  FloatOp,
  Format,
  Graph,
  Shape,
  Value,
  Variable,
  WholeNumber,
} from "../graph.ts";
import { sum } from "./add.ts";
import { angle } from "./arctangent.ts";
import { cubeRootOf } from "./cbrt.ts";
import { Circuit } from "./circuit.ts";
import { comparison } from "./compare.ts";
import { composed } from "./composed.ts";
import { converted, fromInteger, toInteger } from "./convert.ts";
import { divided, root } from "./divide.ts";
import { errorComplement } from "./error-complement.ts";
import { baseOf, exponentiated } from "./exponential.ts";
import { multipliedAndAdded } from "./fma.ts";
import { gamma } from "./gamma.ts";
import { hypotenuse } from "./hypot.ts";
import { integral } from "./integral.ts";
import { logarithmOf } from "./logarithm.ts";
import { multiplied } from "./multiply.ts";
import { exponentialLessOne, logarithmOfOneMore } from "./near-zero.ts";
import { binaryExponent, neighbour } from "./neighbour.ts";
import { powered } from "./power.ts";
import { integerProduct } from "./product.ts";
import { reciprocalRoot } from "./reciprocal-root.ts";
import { remainder } from "./remainder.ts";
import { saturating } from "./saturating.ts";
import { scaled } from "./scale.ts";
import { sineOrCosine, tangent } from "./trigonometric.ts";

export type OperatorKind = FloatOp | "mul";

export interface FloatOperator {
  readonly op: OperatorKind;
  /** Of the operands; they have one shape, but for those of integers. */
  readonly from: Shape;
  /** Of the second operand, where it has a shape of its own. */
  readonly second?: Shape;
  readonly to: Shape;
  /** Of those in fixed point: integers count 2^-places. */
  readonly places?: number;
  /** Codes of the operands that are constant. */
  readonly constants: readonly (bigint | undefined)[];
  /** Subnormal numbers are 0. */
  readonly flush?: true;
}

/** What computes one operator: from `inputs`, the operands that are not constant, to `output`. */
export interface OperatorGraph {
  readonly graph: Graph;
  readonly inputs: readonly Variable[];
  readonly output: Variable;
}

export const elementary: readonly (Elementary | BinaryFloatOp)[] = [
  "fpow",
  "fatan2",
  "fhypot",
  "ffmod",
  "fremainder",
  "fexp",
  "fexp2",
  "fexp10",
  "fexpm1",
  "flog",
  "flog2",
  "flog10",
  "flog1p",
  "fsin",
  "fcos",
  "ftan",
  "ftanh",
  "ferf",
  "ferfc",
  "fcbrt",
  "frsqrt",
  "fasin",
  "facos",
  "fatan",
  "fsinh",
  "fcosh",
  "fasinh",
  "facosh",
  "fatanh",
  "ftgamma",
];

export const wholeNumbers: readonly WholeNumber[] = ["ffloor", "fceil", "ftrunc", "fround", "frint"];

const floatOps: ReadonlySet<string> = new Set<FloatOp>([
  "fadd",
  "fmul",
  "fdiv",
  "fsqrt",
  "feq",
  "flt",
  "fle",
  "ftof",
  "itof",
  "ftoi",
  ...wholeNumbers,
  ...elementary,
  "flogb",
  "fnextafter",
  "ffma",
  "fscale",
  "ftox",
  "xtof",
  "xdiv",
  "xsqrt",
]);

export const isFloatOp = (op: Value["op"]): op is FloatOp => floatOps.has(op);

/** The operator of a value whose wires have the shapes that `widthOf` tells; undefined for other values. */
export function operatorOf(
  value: Value,
  widthOf: (v: Value) => Shape,
  flush = false,
): FloatOperator | undefined {
  if (value.op === "mul") return multiplierOf(value, widthOf);
  if (!isFloatOp(value.op)) return undefined;
  const [first, second] = value.args as [Value, Value?];
  const { places } = value;
  return {
    op: value.op,
    from: widthOf(first),
    ...((value.op === "xdiv" || value.op === "fscale") && second && { second: widthOf(second) }),
    to: value.shape,
    ...(places !== undefined && { places }),
    constants: value.args.map((a) => a.constant),
    ...(flush && flushes(value.op) && { flush }),
  };
}

interface Factor {
  readonly value: Value;
  /** No more bits than the product has. */
  readonly shape: Shape;
}

/** The factors of a product of integers, the one with more bits first. */
export function factorsOf(value: Value, widthOf: (v: Value) => Shape): readonly [Factor, Factor] {
  const { bits } = widthOf(value);
  const [a, b] = value.args.map((factor): Factor => {
    const shape = widthOf(factor);
    return { value: factor, shape: shape.bits < bits ? shape : { bits, signed: false } };
  }) as [Factor, Factor];
  return a.shape.bits < b.shape.bits ? [b, a] : [a, b];
}

function multiplierOf(value: Value, widthOf: (v: Value) => Shape): FloatOperator {
  const [a, b] = factorsOf(value, widthOf);
  return {
    op: "mul",
    from: a.shape,
    second: b.shape,
    to: { bits: widthOf(value).bits, signed: false },
    constants: [a.value.constant, b.value.constant],
  };
}

/** Operators to which subnormal numbers are some trouble; the others know them without being asked. */
const flushes = (op: OperatorKind): boolean =>
  /^f(add|mul|div|sqrt|tof|pow|exp2?|exp10|log|log2|log10|sin|cos|tan)$/.test(op);

/** A name for the operator: the same for equal ones only. */
export function nameOfOperator({ op, from, second, to, places, constants, flush }: FloatOperator): string {
  const shape = ({ bits, signed, float }: Shape) =>
    float ? `e${float.exponent}m${float.fraction}` : `${signed ? "i" : "u"}${bits}`;
  const converts = op === "ftof" || op === "itof" || op === "ftoi" || places !== undefined;
  const shapes = [from, second, converts || second ? to : undefined]
    .flatMap((s) => (s ? [shape(s)] : []))
    .join("_");
  const given = constants.map((c, k) => (c === undefined ? "" : `_${"abc"[k]}${c.toString(16)}`));
  return `${op}_${shapes}${places === undefined ? "" : `_p${places}`}${flush ? "_flush" : ""}${given.join("")}`;
}

export function operatorGraph(operator: FloatOperator): OperatorGraph {
  const { op, from, second, to, places, constants, flush } = operator;
  const circuit = new Circuit();
  const inputs: Variable[] = [];
  const operands = constants.map((constant, k) => {
    const { bits, signed } = (k === 1 && second) || from;
    // Codes of numbers, but for products of integers.
    const isInteger = op === "mul" || op === "xdiv" || op === "xsqrt" || op === "fscale";
    const shape: Shape = { bits, signed: signed && isInteger };
    if (constant !== undefined) return circuit.graph.constant(constant, shape);
    const input = circuit.input("abc"[k] as string, bits);
    inputs.push(input.variable as Variable);
    return circuit.graph.resize(input, shape);
  });
  const output: Variable = { name: "result", shape: { bits: to.bits, signed: false } };
  const shapes = [from, to].map((shape) => (flush ? flushing(shape) : shape)) as [Shape, Shape];
  const value = lowered(circuit, op, operands as [Value, Value, Value], ...shapes, places);
  circuit.graph.updates.set(output, circuit.named("rounded", value));
  return { graph: circuit.graph, inputs, output };
}

const flushing = (shape: Shape): Shape =>
  shape.float ? { ...shape, float: { ...shape.float, flush: true } } : shape;

function lowered(
  c: Circuit,
  op: OperatorKind,
  [a, b, d]: readonly [Value, Value, Value],
  from: Shape,
  to: Shape,
  places = 0,
): Value {
  const format = from.float as Format;
  switch (op) {
    case "mul":
      return integerProduct(c, a, b, to.bits);
    case "fadd":
      return sum(c, a, b, format);
    case "fmul":
      return multiplied(c, a, b, format);
    case "fdiv":
      return divided(c, a, b, format);
    case "fsqrt":
      return root(c, a, format);
    case "feq": {
      const { equal, ordered } = comparison(c, a, b, format);
      return c.and(equal, ordered);
    }
    case "flt": {
      const { less, ordered } = comparison(c, a, b, format);
      return c.and(less, ordered);
    }
    case "fle": {
      const { equal, less, ordered } = comparison(c, a, b, format);
      return c.and(c.or(less, equal), ordered);
    }
    case "ftof":
      return converted(c, a, format, to.float as Format);
    case "itof":
      return fromInteger(c, a, from.signed, to.float as Format);
    case "ftoi":
      return toInteger(c, a, format, to);
    case "ffloor":
    case "fceil":
    case "ftrunc":
    case "fround":
    case "frint":
      return integral(c, a, op, format);
    case "fexp":
    case "fexp2":
    case "fexp10":
      return exponentiated(c, a, baseOf(op), format);
    case "flog":
    case "flog2":
    case "flog10":
      return logarithmOf(c, a, baseOf(op), format);
    case "fpow":
      return powered(c, a, b, format);
    case "fexpm1":
      return exponentialLessOne(c, a, format);
    case "flog1p":
      return logarithmOfOneMore(c, a, format);
    case "fatan2":
      return angle(c, a, b, format);
    case "fhypot":
      return hypotenuse(c, a, b, format);
    case "ffma":
      return multipliedAndAdded(c, [a, b, d], format);
    case "ftanh":
    case "ferf":
      return saturating(c, a, op, format);
    case "ferfc":
      return errorComplement(c, a, format);
    case "frsqrt":
      return reciprocalRoot(c, a, format);
    case "ffmod":
    case "fremainder":
      return remainder(c, a, b, op, format);
    case "fnextafter":
      return neighbour(c, a, b, format);
    case "flogb":
      return binaryExponent(c, a, format);
    case "fscale":
      return scaled(c, a, b, format);
    case "fcbrt":
      return cubeRootOf(c, a, format);
    case "fasin":
    case "facos":
    case "fatan":
    case "fsinh":
    case "fcosh":
    case "fasinh":
    case "facosh":
    case "fatanh":
      return composed(c, a, op, format);
    case "ftgamma":
      return gamma(c, a, format);
    case "fsin":
      return sineOrCosine(c, a, "sine", format);
    case "fcos":
      return sineOrCosine(c, a, "cosine", format);
    case "ftan":
      return tangent(c, a, format);
    case "ftox":
      return fromFloat(c, a, format, to.bits, places);
    case "xtof":
      return fromInteger(c, a, from.signed, to.float as Format, places);
    case "xdiv":
      return quotient(c, a, b, to.bits, places);
    case "xsqrt":
      return squareRoot(c, a, to, places);
  }
}
