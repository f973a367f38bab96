/** Functions of <math.h> on fixed-point numbers. */
import type { Loc } from "../../../lang/tree/ast.ts";
import type { Graph } from "../../dfg/graph.ts";
import { BIT, type Value } from "../../dfg/value.ts";
import { fixedRoot, fusedProduct, isNegative, roundedToInteger } from "./values.ts";

type FixedFunction = (graph: Graph, args: readonly [Value, Value, Value], at: Loc) => Value;

const negated = (graph: Graph, x: Value): Value =>
  graph.make("sub", x.shape, [graph.constant(0, x.shape), x]);
const magnitude = (graph: Graph, x: Value): Value => graph.mux(isNegative(graph, x), negated(graph, x), x);
const less = (graph: Graph, x: Value, y: Value): Value => graph.make("lt", BIT, [x, y]);

const functions: Readonly<Record<string, FixedFunction>> = {
  fabs: (graph, [x]) => magnitude(graph, x),
  fmax: (graph, [x, y]) => graph.mux(less(graph, x, y), y, x),
  fmin: (graph, [x, y]) => graph.mux(less(graph, y, x), y, x),
  fdim: (graph, [x, y]) =>
    graph.mux(less(graph, y, x), graph.make("sub", x.shape, [x, y]), graph.constant(0, x.shape)),
  copysign: (graph, [x, y]) => {
    const size = magnitude(graph, x);
    return graph.mux(isNegative(graph, y), negated(graph, size), size);
  },
  fma: (graph, args) => fusedProduct(graph, ...args),
  sqrt: (graph, [x], at) => fixedRoot(graph, x, at),
  floor: (graph, [x]) => roundedToInteger(graph, x, "down"),
  ceil: (graph, [x]) => roundedToInteger(graph, x, "up"),
  trunc: (graph, [x]) => roundedToInteger(graph, x, "zero"),
  round: (graph, [x]) => roundedToInteger(graph, x, "away"),
  rint: (graph, [x]) => roundedToInteger(graph, x, "even"),
  nearbyint: (graph, [x]) => roundedToInteger(graph, x, "even"),
};

/** By name, with or without the `f` of single precision. */
export const fixedFunction = (name: string): FixedFunction | undefined =>
  functions[name] ?? functions[name.replace(/f$/, "")];

export const fixedFunctionNames: readonly string[] = Object.keys(functions);
