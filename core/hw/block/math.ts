/** Functions of <math.h> that are circuits. */
import type { Loc } from "../../lang/ast.ts";
import { floatValue, magnitudeOf, negatedFloat } from "../float/values.ts";
import { BIT, type BinaryFloatOp, type Format, type Graph, type UnaryFloatOp, type Value } from "../graph.ts";

/** On arguments in the format of the result. */
type MathFunction = (graph: Graph, args: readonly [Value, Value, Value], at: Loc) => Value;

const unary =
  (op: UnaryFloatOp): MathFunction =>
  (graph, [x], at) =>
    floatValue(graph, op, x.shape, [x], at);

const binary =
  (op: BinaryFloatOp): MathFunction =>
  (graph, [x, y], at) =>
    floatValue(graph, op, x.shape, [x, y], at);

const functions: Readonly<Record<string, MathFunction>> = {
  fabs: (graph, [x]) => magnitudeOf(graph, x),
  fmax: (graph, [x, y], at) => chosen(graph, floatValue(graph, "fle", BIT, [y, x], at), x, y, at),
  fmin: (graph, [x, y], at) => chosen(graph, floatValue(graph, "fle", BIT, [x, y], at), x, y, at),
  fdim: (graph, [x, y], at) =>
    graph.mux(
      floatValue(graph, "fle", BIT, [x, y], at),
      graph.constant(0, x.shape),
      floatValue(graph, "fadd", x.shape, [x, negatedFloat(graph, y)], at),
    ),
  copysign: (graph, [x, y]) => {
    const { exponent, fraction } = x.shape.float as Format;
    const sign = graph.constant(1n << BigInt(exponent + fraction), x.shape);
    return graph.make("or", x.shape, [magnitudeOf(graph, x), graph.make("and", x.shape, [y, sign])]);
  },
  fma: (graph, args, at) => floatValue(graph, "ffma", args[0].shape, args, at),
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
  erf: unary("ferf"),
  cbrt: unary("fcbrt"),
};

/** Of its name without or with the `f` of single precision. */
export const mathFunction = (name: string): MathFunction | undefined =>
  functions[name] ?? functions[name.replace(/f$/, "")];

export const mathFunctionNames: readonly string[] = Object.keys(functions);

/** x where the test holds and where y is a NaN, else y. */
function chosen(graph: Graph, test: Value, x: Value, y: Value, at: Loc): Value {
  const ordered = floatValue(graph, "feq", BIT, [y, y], at);
  return graph.mux(graph.or(test, graph.not(ordered)), x, y);
}
