/** Functions of <math.h> that are circuits. */

import type { Loc } from "../../../lang/tree/ast.ts";
import { formatOf } from "../../dfg/float-format.ts";
import type { Graph } from "../../dfg/graph.ts";
import { BIT, type BinaryFloatOp, type UnaryFloatOp, type Value, type WholeNumber } from "../../dfg/value.ts";
import { floatValue, magnitudeOf, negatedFloat } from "../../operators/float-values.ts";
import { kindsOf } from "./classification.ts";

export interface MathFunction {
  /** Arguments are in the format of the result; a scaling function's second one is an integer. */
  value(graph: Graph, args: readonly [Value, Value, Value], at: Loc): Value;
  readonly operands: 1 | 2 | 3;
  /** Bits of an integer argument or result. */
  readonly integer?: { readonly is: "second" | "result"; readonly bits: 32 | 64 };
}

const unary = (op: UnaryFloatOp): MathFunction => ({
  operands: 1,
  value: (graph, [x], at) => floatValue(graph, op, x.shape, [x], at),
});

const binary = (op: BinaryFloatOp): MathFunction => ({
  operands: 2,
  value: (graph, [x, y], at) => floatValue(graph, op, x.shape, [x, y], at),
});

const scaling = (bits: 32 | 64): MathFunction => ({
  operands: 2,
  integer: { is: "second", bits },
  value: (graph, [x, n], at) => floatValue(graph, "fscale", x.shape, [x, n], at),
});

const toLong = (op: WholeNumber): MathFunction => ({
  operands: 1,
  integer: { is: "result", bits: 64 },
  value: (graph, [x], at) =>
    floatValue(graph, "ftoi", { bits: 64, signed: true }, [floatValue(graph, op, x.shape, [x], at)], at),
});

const functions: Readonly<Record<string, MathFunction>> = {
  fabs: { operands: 1, value: (graph, [x]) => magnitudeOf(graph, x) },
  fmax: {
    operands: 2,
    value: (graph, [x, y], at) => select(graph, floatValue(graph, "fle", BIT, [y, x], at), x, y, at),
  },
  fmin: {
    operands: 2,
    value: (graph, [x, y], at) => select(graph, floatValue(graph, "fle", BIT, [x, y], at), x, y, at),
  },
  fdim: {
    operands: 2,
    value: (graph, [x, y], at) =>
      graph.mux(
        floatValue(graph, "fle", BIT, [x, y], at),
        graph.constant(0, x.shape),
        floatValue(graph, "fadd", x.shape, [x, negatedFloat(graph, y)], at),
      ),
  },
  copysign: {
    operands: 2,
    value(graph, [x, y]) {
      const { exponent, fraction } = formatOf(x.shape);
      const sign = graph.constant(1n << BigInt(exponent + fraction), x.shape);
      return graph.make("or", x.shape, [magnitudeOf(graph, x), graph.make("and", x.shape, [y, sign])]);
    },
  },
  fma: { operands: 3, value: (graph, args, at) => floatValue(graph, "ffma", args[0].shape, args, at) },
  fmod: binary("ffmod"),
  remainder: binary("fremainder"),
  ldexp: scaling(32),
  scalbn: scaling(32),
  scalbln: scaling(64),
  lrint: toLong("frint"),
  llrint: toLong("frint"),
  lround: toLong("fround"),
  llround: toLong("fround"),
  logb: unary("flogb"),
  ilogb: {
    operands: 1,
    integer: { is: "result", bits: 32 },
    value: (graph, [x], at) => exponentOf(graph, x, at),
  },
  nextafter: binary("fnextafter"),
  pow: binary("fpow"),
  hypot: binary("fhypot"),
  atan2: binary("fatan2"),
  sqrt: unary("fsqrt"),
  floor: unary("ffloor"),
  ceil: unary("fceil"),
  trunc: unary("ftrunc"),
  round: unary("fround"),
  rint: unary("frint"),
  nearbyint: unary("frint"),
  exp: unary("fexp"),
  exp2: unary("fexp2"),
  exp10: unary("fexp10"),
  log: unary("flog"),
  log2: unary("flog2"),
  log10: unary("flog10"),
  sin: unary("fsin"),
  cos: unary("fcos"),
  tan: unary("ftan"),
  asin: unary("fasin"),
  acos: unary("facos"),
  atan: unary("fatan"),
  expm1: unary("fexpm1"),
  log1p: unary("flog1p"),
  sinh: unary("fsinh"),
  cosh: unary("fcosh"),
  tanh: unary("ftanh"),
  asinh: unary("fasinh"),
  acosh: unary("facosh"),
  atanh: unary("fatanh"),
  erf: unary("ferf"),
  erfc: unary("ferfc"),
  tgamma: unary("ftgamma"),
  rsqrt: unary("frsqrt"),
  cbrt: unary("fcbrt"),
};

/** By name, with or without the `f` of single precision. */
export const mathFunction = (name: string): MathFunction | undefined =>
  functions[name] ?? functions[name.replace(/f$/, "")];

export const mathFunctionNames: readonly string[] = Object.keys(functions);

/** Returns glibc's FP_ILOGB0 and FP_ILOGBNAN (the least int) for 0 and NaN, and the largest int for infinity. */
function exponentOf(graph: Graph, x: Value, at: Loc): Value {
  const int = { bits: 32, signed: true };
  const { nan, infinite, zero } = kindsOf(graph, x);
  const exponent = floatValue(graph, "ftoi", int, [floatValue(graph, "flogb", x.shape, [x], at)], at);
  const extreme = graph.mux(infinite, graph.constant(0x7fffffff, int), graph.constant(-0x80000000, int));
  return graph.mux(graph.or(infinite, graph.or(nan, zero)), extreme, exponent);
}

/** x if the test holds or y is a NaN, else y. */
function select(graph: Graph, test: Value, x: Value, y: Value, at: Loc): Value {
  const ordered = floatValue(graph, "feq", BIT, [y, y], at);
  return graph.mux(graph.or(test, graph.not(ordered)), x, y);
}
