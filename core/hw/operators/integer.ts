/** Integer multipliers and dividers shared by operations of different widths. */

import type { BinaryOperation, Shape, Value } from "../dfg/value.ts";
import { type FloatOperator, factorsOf } from "./operator.ts";
import { commonShape, type LogicTiming, type OperatorTiming } from "./timing.ts";

/** A divider. */
export interface IntegerOperator {
  readonly op: "div";
  readonly name: string;
  /** Width of operands and results in bits. */
  readonly width: number;
  readonly signed: boolean;
  /** Cycles from operands to results. */
  readonly latency: number;
}

type ShapeOf = (v: Value) => Shape;

/** A multiplier for all these products. */
export function multiplierFor(products: readonly BinaryOperation[], shapeOf: ShapeOf): FloatOperator {
  const factors = products.map((v) => factorsOf(v, shapeOf));
  return {
    op: "mul",
    from: holding(factors.map(([a]) => a.shape)),
    second: holding(factors.map(([, b]) => b.shape)),
    to: { bits: Math.max(...products.map((v) => shapeOf(v).bits)), signed: false },
    constants: [undefined, undefined],
  };
}

/** The smallest shape that holds all these shapes. */
function holding(shapes: readonly Shape[]): Shape {
  const signed = shapes.some((s) => s.signed);
  return { bits: Math.max(...shapes.map((s) => s.bits + (signed && !s.signed ? 1 : 0))), signed };
}

/** A divider for all these quotients and remainders. */
export function dividerFor(quotients: readonly BinaryOperation[], shapeOf: ShapeOf): IntegerOperator {
  const shapes = quotients.map(({ args: [a, b] }) => commonShape(shapeOf(a), shapeOf(b)));
  const { bits: width, signed } = holding(shapes);
  const name = `div_${signed ? "i" : "u"}${width}`;
  return { op: "div", name, width, signed, latency: width + 2 };
}

/** Timing after levels of lookup tables that select the operands. */
export function timingOfInteger(
  { width, latency }: IntegerOperator,
  choice: number,
  logic: LogicTiming,
): OperatorTiming {
  // In the first stage, the complement is computed without a further addition.
  const first = (choice + 1) * logic.lut + logic.carry + logic.carryBit * width;
  return { delay: first, cycles: latency, registered: logic.register };
}
