/** C conversions between scalar types. */
import type { CType, Expr, Loc } from "../../lang/ast.ts";
import { type Graph, interpret, type Shape, type Value } from "../graph.ts";
import { noOperator } from "../refusals.ts";
import { shapeOf } from "../shapes.ts";
import type { Path } from "./path.ts";

/** One bit: whether the expression is not 0. */
export function truth(path: Path, e: Expr, guard: Value): Value {
  const value = path.value(e, guard);
  if (!value.shape.float) return path.graph.truth(value);
  throw noOperator("a floating-point condition", e.span.start);
}

export function converted(path: Path, e: Expr, type: CType, guard: Value): Value {
  return cast(
    path.graph,
    path.value(e, guard),
    shapeOf(type, path.scope.addressBits, e.span.start),
    e.span.start,
  );
}

export function cast(graph: Graph, value: Value, to: Shape, at: Loc): Value {
  if (to.float && value.shape.float) return value;
  if (to.float) {
    if (value.op === "const")
      return graph.constant(floatBits(Number(interpret(value.constant as bigint, value.shape))), to);
    throw noOperator("a conversion from integer to floating point", at);
  }
  if (value.shape.float) throw noOperator("a conversion from floating point to integer", at);
  if (to.bits === 1 && value.shape.bits !== 1) return graph.truth(value);
  return graph.resize(value, to);
}

/** Bits of a number rounded to binary32. */
export function floatBits(value: number): bigint {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return BigInt(view.getUint32(0));
}
