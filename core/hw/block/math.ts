/** Functions of <math.h> that are circuits. */
import type { Loc } from "../../lang/ast.ts";
import { floatValue, magnitudeOf, negatedFloat } from "../float/values.ts";
import { BIT, type Format, type Graph, type UnaryFloatOp, type Value } from "../graph.ts";

/** On arguments in the format of the result. */
type MathFunction = (graph: Graph, args: readonly [Value, Value], at: Loc) => Value;

const unary =
  (op: UnaryFloatOp): MathFunction =>
  (graph, [x], at) =>
    floatValue(graph, op, x.shape, [x], at);

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
  pow: (graph, [x, y], at) => floatValue(graph, "fpow", x.shape, [x, y], at),
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
