/** The arithmetic of C on values that are converted already. */
import type { Loc } from "../../lang/ast.ts";
import { BIT, type Graph, type Op, type Shape, type Value } from "../graph.ts";
import { noOperator, unsupportedExpression } from "../refusals.ts";

export function negated(graph: Graph, value: Value): Value {
  return graph.make("sub", value.shape, [graph.constant(0, value.shape), value]);
}

export function compared(graph: Graph, op: string, a: Value, b: Value, at: Loc): Value | undefined {
  const less = (x: Value, y: Value) => graph.make("lt", BIT, [x, y], at);
  if (!["==", "!=", "<", ">", "<=", ">="].includes(op)) return undefined;
  if (a.shape.float) throw noOperator(`the floating-point operator ${op}`, at);
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

export function shift(graph: Graph, op: "<<" | ">>", a: Value, b: Value): Value {
  return graph.make(op === "<<" ? "shl" : "shr", a.shape, [a, b]);
}

export function arithmetic(graph: Graph, op: string, a: Value, b: Value, shape: Shape, at: Loc): Value {
  if (shape.float) throw noOperator(`the floating-point operator ${op}`, at);
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
  const made = ops[op];
  if (!made) throw unsupportedExpression(`the operator ${op}`, at);
  return graph.make(made, shape, [a, b], at);
}

/** The shape after C's integer promotions. */
export function promotedShape(shape: Shape): Shape {
  return shape.bits < 32 ? { bits: 32, signed: true } : shape;
}
