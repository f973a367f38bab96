/** C arithmetic on values that were already converted. */
import type { Loc } from "../../../lang/tree/ast.ts";
import type { Graph } from "../../dfg/graph.ts";
import { BIT, type FloatOp, type Op, type Shape, type Value } from "../../dfg/value.ts";
import { isFixed } from "../../operators/fixed/format.ts";
import { fixedArithmetic } from "../../operators/fixed/values.ts";
import { floatValue, negatedFloat } from "../../operators/float-values.ts";
import { unsupportedExpression } from "../scope/refusals.ts";

export function negated(graph: Graph, value: Value): Value {
  if (value.shape.float) return negatedFloat(graph, value);
  return graph.make("sub", value.shape, [graph.constant(0, value.shape), value]);
}

export function compared(graph: Graph, op: string, a: Value, b: Value, at: Loc): Value | undefined {
  const less = (x: Value, y: Value) => graph.make("lt", BIT, [x, y], at);
  if (!["==", "!=", "<", ">", "<=", ">="].includes(op)) return undefined;
  if (a.shape.float) return comparedFloats(graph, op, a, b, at);
  switch (op) {
    case "==":
      return graph.make("eq", BIT, [a, b], at);
    case "!=":
      return graph.not(graph.make("eq", BIT, [a, b], at));
    case "<":
      return less(a, b);
    case ">":
      return less(b, a);
    case "<=":
      return graph.not(less(b, a));
    case ">=":
      return graph.not(less(a, b));
    default:
      return undefined;
  }
}

/** A NaN is not equal to anything, and neither less nor greater. */
function comparedFloats(graph: Graph, op: string, a: Value, b: Value, at: Loc): Value {
  const is = (operator: FloatOp, x: Value, y: Value) => floatValue(graph, operator, BIT, [x, y], at);
  switch (op) {
    case "==":
      return is("feq", a, b);
    case "!=":
      return graph.not(is("feq", a, b));
    case "<":
      return is("flt", a, b);
    case ">":
      return is("flt", b, a);
    case "<=":
      return is("fle", a, b);
    default:
      return is("fle", b, a);
  }
}

export function shift(graph: Graph, op: "<<" | ">>", a: Value, b: Value): Value {
  return graph.make(op === "<<" ? "shl" : "shr", a.shape, [a, b]);
}

export function arithmetic(graph: Graph, op: string, a: Value, b: Value, shape: Shape, at: Loc): Value {
  if (shape.float) return floatArithmetic(graph, op, a, b, shape, at);
  const fixed = isFixed(shape) ? fixedArithmetic(graph, op, a, b, shape, at) : undefined;
  if (fixed) return fixed;
  const ops: Readonly<Record<string, Op>> = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "%": "rem",
    "&": "and",
    "|": "or",
    "^": "xor",
  };
  const operation = ops[op];
  if (!operation) throw unsupportedExpression(`the operator ${op}`, at);
  return graph.make(operation, shape, [a, b], at);
}

function floatArithmetic(graph: Graph, op: string, a: Value, b: Value, shape: Shape, at: Loc): Value {
  switch (op) {
    case "+":
      return floatValue(graph, "fadd", shape, [a, b], at);
    case "-":
      return floatValue(graph, "fadd", shape, [a, negatedFloat(graph, b)], at);
    case "*":
      return floatValue(graph, "fmul", shape, [a, b], at);
    case "/":
      return floatValue(graph, "fdiv", shape, [a, b], at);
    default:
      throw unsupportedExpression(`the operator ${op}`, at);
  }
}

/** The shape after C's integer promotions. */
export function promotedShape(shape: Shape): Shape {
  return shape.bits < 32 ? { bits: 32, signed: true } : shape;
}
