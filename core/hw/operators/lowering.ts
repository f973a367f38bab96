/** The circuit of each operator. */

import { formatOf } from "../dfg/float-format.ts";
import type {
  BinaryFloatOp,
  BinaryOperation,
  Elementary,
  FixedOp,
  FloatOp,
  Format,
  Shape,
  TernaryOperation,
  UnaryFloatOp,
  UnaryOperation,
  Value,
  WholeNumber,
} from "../dfg/value.ts";
import { sum } from "./arithmetic/add.ts";
import { comparison } from "./arithmetic/compare.ts";
import { converted, fromInteger, toInteger } from "./arithmetic/convert.ts";
import { divided, root } from "./arithmetic/divide.ts";
import { fromFloat, quotient, squareRoot } from "./arithmetic/fixed-point.ts";
import { multipliedAndAdded } from "./arithmetic/fma.ts";
import { hypotenuse } from "./arithmetic/hypot.ts";
import { integral } from "./arithmetic/integral.ts";
import { multiplied } from "./arithmetic/multiply.ts";
import { binaryExponent, neighbour } from "./arithmetic/neighbour.ts";
import { remainder } from "./arithmetic/remainder.ts";
import { scaled } from "./arithmetic/scale.ts";
import type { Circuit } from "./circuits/circuit.ts";
import { integerProduct } from "./circuits/product.ts";
import { angle } from "./functions/arctangent.ts";
import { cubeRootOf } from "./functions/cbrt.ts";
import { composed } from "./functions/composed.ts";
import { errorComplement } from "./functions/error-complement.ts";
import { baseOf, exponentiated } from "./functions/exponential.ts";
import { gamma } from "./functions/gamma.ts";
import { logarithmOf } from "./functions/logarithm.ts";
import { exponentialLessOne, logarithmOfOneMore } from "./functions/near-zero.ts";
import { powered } from "./functions/power.ts";
import { reciprocalRoot } from "./functions/reciprocal-root.ts";
import { saturating } from "./functions/saturating.ts";
import { sineOrCosine, tangent } from "./functions/trigonometric.ts";

export type OperatorKind = FloatOp | "mul";

/** From operands of one format to a number of that format, or to a truth value. */
type OfNumbers = (c: Circuit, args: readonly [Value, Value, Value], format: Format) => Value;

/** For operators whose operands and result have different shapes; `places`: for fixed point. */
type OfShapes = (
  c: Circuit,
  args: readonly [Value, Value],
  shapes: { readonly from: Shape; readonly to: Shape; readonly fractionBits: number },
) => Value;

const wholeNumberCircuits: Readonly<Record<WholeNumber, OfNumbers>> = {
  ffloor: (c, [a], format) => integral(c, a, "ffloor", format),
  fceil: (c, [a], format) => integral(c, a, "fceil", format),
  ftrunc: (c, [a], format) => integral(c, a, "ftrunc", format),
  fround: (c, [a], format) => integral(c, a, "fround", format),
  frint: (c, [a], format) => integral(c, a, "frint", format),
};

const elementaryCircuits: Readonly<Record<Elementary | BinaryFunction, OfNumbers>> = {
  fpow: (c, [a, b], format) => powered(c, a, b, format),
  fatan2: (c, [a, b], format) => angle(c, a, b, format),
  fhypot: (c, [a, b], format) => hypotenuse(c, a, b, format),
  ffmod: (c, [a, b], format) => remainder(c, a, b, "ffmod", format),
  fremainder: (c, [a, b], format) => remainder(c, a, b, "fremainder", format),
  fexp: (c, [a], format) => exponentiated(c, a, baseOf("fexp"), format),
  fexp2: (c, [a], format) => exponentiated(c, a, baseOf("fexp2"), format),
  fexp10: (c, [a], format) => exponentiated(c, a, baseOf("fexp10"), format),
  fexpm1: (c, [a], format) => exponentialLessOne(c, a, format),
  flog: (c, [a], format) => logarithmOf(c, a, baseOf("flog"), format),
  flog2: (c, [a], format) => logarithmOf(c, a, baseOf("flog2"), format),
  flog10: (c, [a], format) => logarithmOf(c, a, baseOf("flog10"), format),
  flog1p: (c, [a], format) => logarithmOfOneMore(c, a, format),
  fsin: (c, [a], format) => sineOrCosine(c, a, "sine", format),
  fcos: (c, [a], format) => sineOrCosine(c, a, "cosine", format),
  ftan: (c, [a], format) => tangent(c, a, format),
  ftanh: (c, [a], format) => saturating(c, a, "ftanh", format),
  ferf: (c, [a], format) => saturating(c, a, "ferf", format),
  ferfc: (c, [a], format) => errorComplement(c, a, format),
  fcbrt: (c, [a], format) => cubeRootOf(c, a, format),
  frsqrt: (c, [a], format) => reciprocalRoot(c, a, format),
  fasin: (c, [a], format) => composed(c, a, "fasin", format),
  facos: (c, [a], format) => composed(c, a, "facos", format),
  fatan: (c, [a], format) => composed(c, a, "fatan", format),
  fsinh: (c, [a], format) => composed(c, a, "fsinh", format),
  fcosh: (c, [a], format) => composed(c, a, "fcosh", format),
  fasinh: (c, [a], format) => composed(c, a, "fasinh", format),
  facosh: (c, [a], format) => composed(c, a, "facosh", format),
  fatanh: (c, [a], format) => composed(c, a, "fatanh", format),
  ftgamma: (c, [a], format) => gamma(c, a, format),
};

type BinaryFunction = Exclude<BinaryFloatOp, "fnextafter">;
type Converting = "ftof" | "itof" | "ftoi" | FixedOp;
type OfOneFormat = Exclude<UnaryFloatOp | FloatOp, Converting>;

const circuitsOfNumbers: Readonly<Record<OfOneFormat, OfNumbers>> = {
  fadd: (c, [a, b], format) => sum(c, a, b, format),
  fmul: (c, [a, b], format) => multiplied(c, a, b, format),
  fdiv: (c, [a, b], format) => divided(c, a, b, format),
  fsqrt: (c, [a], format) => root(c, a, format),
  ffma: (c, args, format) => multipliedAndAdded(c, args, format),
  feq(c, [a, b], format) {
    const { equal, ordered } = comparison(c, a, b, format);
    return c.and(equal, ordered);
  },
  flt(c, [a, b], format) {
    const { less, ordered } = comparison(c, a, b, format);
    return c.and(less, ordered);
  },
  fle(c, [a, b], format) {
    const { equal, less, ordered } = comparison(c, a, b, format);
    return c.and(c.or(less, equal), ordered);
  },
  fnextafter: (c, [a, b], format) => neighbour(c, a, b, format),
  flogb: (c, [a], format) => binaryExponent(c, a, format),
  fscale: (c, [a, b], format) => scaled(c, a, b, format),
  ...wholeNumberCircuits,
  ...elementaryCircuits,
};

const circuitsOfShapes: Readonly<Record<Converting | "mul", OfShapes>> = {
  mul: (c, [a, b], { to }) => integerProduct(c, a, b, to.bits),
  ftof: (c, [a], { from, to }) => converted(c, a, formatOf(from), formatOf(to)),
  itof: (c, [a], { from, to }) => fromInteger(c, a, from.signed, formatOf(to)),
  ftoi: (c, [a], { from, to }) => toInteger(c, a, formatOf(from), to),
  ftox: (c, [a], { from, to, fractionBits }) => fromFloat(c, a, formatOf(from), to.bits, fractionBits),
  xtof: (c, [a], { from, to, fractionBits }) => fromInteger(c, a, from.signed, formatOf(to), fractionBits),
  xdiv: (c, [a, b], { to, fractionBits }) => quotient(c, a, b, to.bits, fractionBits),
  xsqrt: (c, [a], { to, fractionBits }) => squareRoot(c, a, to, fractionBits),
};

const isOfNumbers = (op: OperatorKind): op is OfOneFormat => Object.hasOwn(circuitsOfNumbers, op);

const isFloatOp = (op: Value["op"]): op is FloatOp =>
  op !== "mul" && (Object.hasOwn(circuitsOfNumbers, op) || Object.hasOwn(circuitsOfShapes, op));

type FloatOperation = (UnaryOperation | BinaryOperation | TernaryOperation) & { readonly op: FloatOp };

export const isFloatOperation = (value: Value): value is FloatOperation => isFloatOp(value.op);

export const isElementary = (op: Value["op"]): op is Elementary | BinaryFunction =>
  Object.hasOwn(elementaryCircuits, op);

export const isWholeNumber = (op: Value["op"]): op is WholeNumber => Object.hasOwn(wholeNumberCircuits, op);

/** Expands an operator into integer operations; `from` is the shape of its operands, except for integer operands. */
export function lowered(
  c: Circuit,
  op: OperatorKind,
  args: readonly [Value, Value, Value],
  from: Shape,
  to: Shape,
  fractionBits = 0,
): Value {
  if (isOfNumbers(op)) return circuitsOfNumbers[op](c, args, formatOf(from));
  const [a, b] = args;
  return circuitsOfShapes[op](c, [a, b], { from, to, fractionBits });
}
