/** C conversions between scalar types. */

import type { CType, Expr, Loc } from "../../../lang/tree/ast.ts";
import { formatOf } from "../../dfg/float-format.ts";
import type { Graph } from "../../dfg/graph.ts";
import { BIT, type Shape, type Value } from "../../dfg/value.ts";
import { isFixed } from "../../operators/fixed/format.ts";
import { fixedCast, fixedCode } from "../../operators/fixed/values.ts";
import { codeOf, floatValue, magnitudeOf } from "../../operators/float-values.ts";
import type { Path } from "./path.ts";

/** One bit: whether the expression is not 0. */
export function truth(path: Path, e: Expr, guard: Value): Value {
  return isNotZero(path.graph, path.value(e, guard));
}

export function converted(path: Path, e: Expr, type: CType, guard: Value): Value {
  return cast(path.graph, path.value(e, guard), path.scope.shapeOf(type, e.span.start), e.span.start);
}

export function cast(graph: Graph, value: Value, to: Shape, at: Loc): Value {
  const from = value.shape;
  if (to.bits !== 1 && (isFixed(from) || isFixed(to))) return fixedCast(graph, value, to, at);
  if (from.float && to.float) return floatValue(graph, "ftof", to, [value], at);
  if (to.float && from.bits === 1)
    return graph.mux(value, graph.constant(codeOf(1, to.float), to), graph.constant(0, to));
  if (to.float) return floatValue(graph, "itof", to, [value], at);
  if (to.bits === 1 && from.bits !== 1) return isNotZero(graph, value);
  if (from.float) return floatValue(graph, "ftoi", to, [value], at);
  return graph.resize(value, to);
}

/** Whether a number has a fraction, in floating or fixed point. */
export const isReal = (shape: Shape): boolean => shape.float !== undefined || isFixed(shape);

/** The bits of a literal number. */
export const realCode = (value: number, shape: Shape): bigint =>
  isFixed(shape) ? fixedCode(value, shape) : codeOf(value, formatOf(shape));

/** One bit. */
function isNotZero(graph: Graph, value: Value): Value {
  return value.shape.float ? graph.not(isZero(graph, value)) : graph.truth(value);
}

/** True for both zeros, not for NaN. */
function isZero(graph: Graph, value: Value): Value {
  const magnitude = magnitudeOf(graph, value);
  return graph.make("eq", BIT, [magnitude, graph.constant(0, value.shape)]);
}
