/**
 * Classification macros of <math.h>, which gcc's header implements by type-generic builtins: the kind of a number,
 * comparisons that handle NaNs, and the constants INFINITY and NAN. All work on the bits; only the comparisons need an
 * operator.
 */
import type { Expr, Loc } from "../../../lang/tree/ast.ts";
import { binary64, formatOf } from "../../dfg/float-format.ts";
import type { Graph } from "../../dfg/graph.ts";
import { BIT, type Shape, type Value } from "../../dfg/value.ts";
import { isFixed } from "../../operators/fixed/format.ts";
import { isNegative } from "../../operators/fixed/values.ts";
import { floatValue } from "../../operators/float-values.ts";
import { noOperator, otherFunction } from "../scope/refusals.ts";
import { stripped } from "../scope/syntax.ts";
import { cast, isReal, realCode } from "./conversions.ts";
import type { Path } from "./path.ts";

const INT: Shape = { bits: 32, signed: true };

/** One bit each; fixed-point numbers are never infinite, subnormal or NaN. */
interface Kinds {
  readonly nan: Value;
  readonly infinite: Value;
  readonly zero: Value;
  readonly subnormal: Value;
  readonly negative: Value;
}

export function kindsOf(graph: Graph, x: Value): Kinds {
  const no = graph.constant(0, BIT);
  const equal = (a: Value, code: bigint) => graph.make("eq", BIT, [a, graph.constant(code, a.shape)]);
  if (isFixed(x.shape))
    return { nan: no, infinite: no, zero: equal(x, 0n), subnormal: no, negative: isNegative(graph, x) };
  const { exponent: e, fraction: f } = formatOf(x.shape);
  const magnitude = graph.resize(x, { bits: e + f, signed: false });
  const infinity = ((1n << BigInt(e)) - 1n) << BigInt(f);
  const zero = equal(magnitude, 0n);
  const least = graph.constant(1n << BigInt(f), magnitude.shape);
  const sign = graph.make("shr", { bits: e + f + 1, signed: false }, [x, graph.constant(e + f, INT)]);
  return {
    nan: graph.make("lt", BIT, [graph.constant(infinity, magnitude.shape), magnitude]),
    infinite: equal(magnitude, infinity),
    zero,
    subnormal: graph.and(graph.make("lt", BIT, [magnitude, least]), graph.not(zero)),
    negative: graph.resize(sign, BIT),
  };
}

/** Tests with int results, by the builtin's name without its prefix. */
const tests: Readonly<Record<string, (graph: Graph, kinds: Kinds) => Value>> = {
  isnan: (_, { nan }) => nan,
  isinf: (_, { infinite }) => infinite,
  isinf_sign: (graph, { infinite, negative }) =>
    graph.mux(infinite, signOf(graph, negative), graph.constant(0, INT)),
  isfinite: (graph, { infinite, nan }) => graph.not(graph.or(infinite, nan)),
  isnormal: (graph, { infinite, nan, zero, subnormal }) =>
    graph.not(graph.or(graph.or(infinite, nan), graph.or(zero, subnormal))),
  signbit: (_, { negative }) => negative,
};

const signOf = (graph: Graph, negative: Value): Value =>
  graph.mux(negative, graph.constant(-1, INT), graph.constant(1, INT));

type Order = (graph: Graph, x: Value, y: Value, at: Loc) => Value;

const less = (graph: Graph, x: Value, y: Value, at: Loc): Value =>
  x.shape.float ? floatValue(graph, "flt", BIT, [x, y], at) : graph.make("lt", BIT, [x, y], at);
const atMost = (graph: Graph, x: Value, y: Value, at: Loc): Value =>
  x.shape.float ? floatValue(graph, "fle", BIT, [x, y], at) : graph.not(less(graph, y, x, at));

const orders: Readonly<Record<string, Order>> = {
  isless: less,
  islessequal: atMost,
  isgreater: (graph, x, y, at) => less(graph, y, x, at),
  isgreaterequal: (graph, x, y, at) => atMost(graph, y, x, at),
  islessgreater: (graph, x, y, at) => graph.or(less(graph, x, y, at), less(graph, y, x, at)),
  isunordered: (graph, x, y) => graph.or(kindsOf(graph, x).nan, kindsOf(graph, y).nan),
};

/** The call's value if it is one of these builtins; `name` has no prefix. */
export function classification(
  path: Path,
  e: Expr & { readonly kind: "call" },
  name: string,
  guard: Value,
): Value | undefined {
  const { graph, scope } = path;
  const at = e.span.start;
  const plain = name.replace(/[fl]$/, "");
  if (/^(inf|huge_val|nan)f?$/.test(name)) return constant(path, e, plain);
  const real = (arg: Expr | undefined): Value => {
    const value = arg && path.value(arg, guard);
    if (!value || !isReal(value.shape)) throw otherFunction(name, at);
    return value;
  };
  const test = tests[name] ?? tests[plain];
  if (test) return graph.resize(test(graph, kindsOf(graph, real(e.args[0]))), INT);
  const order = orders[name];
  if (order && e.args.length === 2) {
    const values = e.args.map((arg) => path.value(arg, guard));
    const to = common(values.map(({ shape }) => shape));
    if (!to) throw otherFunction(name, at);
    const [x, y] = values.map((v) => cast(graph, v, to, at)) as [Value, Value];
    return graph.resize(order(graph, x, y, at), INT);
  }
  if (name !== "fpclassify" || e.args.length !== 6) return undefined;
  const kinds = kindsOf(graph, real(e.args[5]));
  const [nan, infinite, normal, subnormal, zero] = e.args
    .slice(0, 5)
    .map((arg) => cast(graph, path.value(arg, guard), scope.shapeOf(e.type, at), at)) as [
    Value,
    Value,
    Value,
    Value,
    Value,
  ];
  return graph.mux(
    kinds.nan,
    nan,
    graph.mux(
      kinds.infinite,
      infinite,
      graph.mux(kinds.zero, zero, graph.mux(kinds.subnormal, subnormal, normal)),
    ),
  );
}

/** The constants INFINITY, HUGE_VAL and NAN. */
function constant(path: Path, e: Expr & { readonly kind: "call" }, name: string): Value {
  const at = e.span.start;
  const payload = e.args[0] && stripped(e.args[0]);
  if (payload && !(payload.kind === "string" && payload.pieces.every((piece) => piece === '""')))
    throw noOperator("a NaN with a payload", at);
  const shape = path.scope.shapeOf(e.type, at);
  return path.graph.constant(realCode(name === "nan" ? Number.NaN : Number.POSITIVE_INFINITY, shape), shape);
}

/** C's common type for comparing two numbers of which at least one is not an integer. */
const common = (shapes: readonly Shape[]): Shape | undefined =>
  shapes.find(({ float }) => float?.fraction === binary64.fraction) ?? shapes.find(isReal);
