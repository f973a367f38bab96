/** Functions of <math.h> that are circuits. */
import type { Loc } from "../../lang/ast.ts";
import { floatValue, magnitudeOf } from "../float/values.ts";
import { BIT, type Graph, type Value } from "../graph.ts";

/** On arguments in the format of the result. */
type MathFunction = (graph: Graph, args: readonly [Value, Value], at: Loc) => Value;

const functions: Readonly<Record<string, MathFunction>> = {
  fabs: (graph, [x]) => magnitudeOf(graph, x),
  sqrt: (graph, [x], at) => floatValue(graph, "fsqrt", x.shape, [x], at),
  fmax: (graph, [x, y], at) => chosen(graph, floatValue(graph, "fle", BIT, [y, x], at), x, y, at),
  fmin: (graph, [x, y], at) => chosen(graph, floatValue(graph, "fle", BIT, [x, y], at), x, y, at),
};

/** Of its name without or with the `f` of single precision. */
export const mathFunction = (name: string): MathFunction | undefined =>
  functions[name] ?? functions[name.replace(/f$/, "")];

/** x where the test holds and where y is a NaN, else y. */
function chosen(graph: Graph, test: Value, x: Value, y: Value, at: Loc): Value {
  const ordered = floatValue(graph, "feq", BIT, [y, y], at);
  return graph.mux(graph.or(test, graph.not(ordered)), x, y);
}
