/** Functions of <math.h> that store a result through a pointer, made of circuits that return one. */

import { itemAt } from "../../../checked/access.ts";
import { canonical } from "../../../lang/index.ts";
import type { Expr, Loc } from "../../../lang/tree/ast.ts";
import { formatOf } from "../../dfg/float-format.ts";
import type { Graph } from "../../dfg/graph.ts";
import { BIT, type Shape, type Value } from "../../dfg/value.ts";
import { isFixed } from "../../operators/fixed/format.ts";
import { fixedFunctionNames } from "../../operators/fixed/functions.ts";
import { floatValue, magnitudeOf, negatedFloat } from "../../operators/float-values.ts";
import { noFixedFunction, otherFunction } from "../scope/refusals.ts";
import { pointee } from "../scope/syntax.ts";
import { kindsOf } from "./classification.ts";
import { cast, isReal, realCode } from "./conversions.ts";
import { mathFunction } from "./math.ts";
import type { Path } from "./path.ts";
import { assign } from "./variables.ts";

const INT: Shape = { bits: 32, signed: true };

interface Results {
  /** Absent for sincos. */
  readonly value?: Value;
  /** In the order of the pointers. */
  readonly left: readonly Value[];
}

interface ResultFunction {
  readonly operands: 1 | 2;
  readonly pointers: 1 | 2;
  results(graph: Graph, args: readonly [Value, Value], at: Loc): Results;
}

const of = (name: string, graph: Graph, x: Value, y: Value, at: Loc): Value =>
  (mathFunction(name) as NonNullable<ReturnType<typeof mathFunction>>).value(graph, [x, y, y], at);

const functions: Readonly<Record<string, ResultFunction>> = {
  frexp: {
    operands: 1,
    pointers: 1,
    results(graph, [x], at) {
      const { nan, infinite, zero } = kindsOf(graph, x);
      const same = graph.or(zero, graph.or(nan, infinite));
      const none = graph.constant(0, INT);
      const above = graph.make("add", INT, [of("ilogb", graph, x, x, at), graph.constant(1, INT)]);
      const exponent = graph.mux(same, none, above);
      const down = graph.make("sub", INT, [none, exponent]);
      return { value: graph.mux(same, x, of("scalbn", graph, x, down, at)), left: [exponent] };
    },
  },
  modf: {
    operands: 1,
    pointers: 1,
    results(graph, [x], at) {
      const integerPart = of("trunc", graph, x, x, at);
      const rest = floatValue(graph, "fadd", x.shape, [x, negatedFloat(graph, integerPart)], at);
      const fraction = graph.mux(kindsOf(graph, x).infinite, graph.constant(0, x.shape), rest);
      return { value: of("copysign", graph, fraction, x, at), left: [integerPart] };
    },
  },
  sincos: {
    operands: 1,
    pointers: 2,
    results: (graph, [x], at) => ({ left: [of("sin", graph, x, x, at), of("cos", graph, x, x, at)] }),
  },
  remquo: { operands: 2, pointers: 1, results: quotientAndRest },
};

export const resultFunctionNames: readonly string[] = Object.keys(functions);

/**
 * |x| mod 8|y| is exact, and so are the subtractions that reduce it below half of |y|: they give the quotient's last
 * three digits and its rounding.
 */
function quotientAndRest(graph: Graph, [x, y]: readonly [Value, Value], at: Loc): Results {
  const by = magnitudeOf(graph, y);
  const times = (n: number) => of("scalbn", graph, by, graph.constant(n, INT), at);
  const atMost = (a: Value, b: Value) => floatValue(graph, "fle", BIT, [a, b], at);
  let rest = of("fmod", graph, magnitudeOf(graph, x), times(3), at);
  let quotient = graph.constant(0, INT);
  const subtract = (what: Value, when: Value, digit: number) => {
    const less = floatValue(graph, "fadd", rest.shape, [rest, negatedFloat(graph, what)], at);
    const more = graph.make("add", INT, [quotient, graph.constant(digit, INT)]);
    rest = graph.mux(when, less, rest);
    quotient = graph.mux(when, more, quotient);
  };
  const twice = () => floatValue(graph, "fadd", rest.shape, [rest, rest], at);
  for (const n of [2, 1]) subtract(times(n), atMost(times(n), rest), 1 << n);
  const nearer = floatValue(graph, "flt", BIT, [by, twice()], at);
  subtract(by, nearer, 1);
  subtract(by, graph.and(nearer, atMost(by, twice())), 1);
  const { exponent, fraction } = formatOf(x.shape);
  const sign = graph.constant(1n << BigInt(exponent + fraction), x.shape);
  const digits = graph.make("and", INT, [quotient, graph.constant(7, INT)]);
  const negative = graph.make("xor", BIT, [kindsOf(graph, x).negative, kindsOf(graph, y).negative]);
  const turned = graph.make("xor", x.shape, [rest, graph.make("and", x.shape, [x, sign])]);
  const minus = graph.make("sub", INT, [graph.constant(0, INT), digits]);
  // x / 0 and infinity / y.
  const { infinite } = kindsOf(graph, x);
  const none = graph.or(infinite, kindsOf(graph, y).zero);
  const value = graph.mux(none, graph.constant(realCode(Number.NaN, x.shape), x.shape), turned);
  return { value, left: [graph.mux(negative, minus, digits)] };
}

/** The call's value; undefined for other functions. `name`: without the prefix of builtins. */
export function resultsOf(
  path: Path,
  e: Expr & { readonly kind: "call" },
  name: string,
  guard: Value,
): Value | undefined {
  const mathFunction = functions[name] ?? functions[name.replace(/f$/, "")];
  if (!mathFunction) return undefined;
  const { graph, scope } = path;
  const at = e.span.start;
  const [first] = e.args;
  const shape = first && scope.shapeOf(canonical(first.type), at);
  if (!shape || !isReal(shape) || e.args.length !== mathFunction.operands + mathFunction.pointers)
    throw otherFunction(name, at);
  if (isFixed(shape)) throw noFixedFunction(name, fixedFunctionNames, at);
  const [x, y] = e.args
    .slice(0, mathFunction.operands)
    .map((arg) => cast(graph, path.value(arg, guard), shape, at));
  const { value, left } = mathFunction.results(graph, [x as Value, y ?? (x as Value)], at);
  e.args.slice(mathFunction.operands).forEach((pointer, k) => {
    const to = pointee(pointer);
    assign(path, to, cast(graph, itemAt(left, k), scope.shapeOf(to.type, at), at), guard);
  });
  return value ?? path.no;
}
