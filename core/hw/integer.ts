/** Multipliers and dividers of integers that operations of different widths take turns on. */
import type { Shape, Value } from "./graph.ts";
import { commonShape, type LogicTiming, multiplierOf, type OperatorTiming } from "./timing.ts";

export interface IntegerOperator {
  readonly op: "mul" | "div";
  readonly name: string;
  /** Of the first operand and the results, in bits. */
  readonly width: number;
  /** Bits of the second operand; the last one counts less than nothing where it is signed. */
  readonly rows: number;
  readonly signed: boolean;
  /** Cycles from operands to results. */
  readonly latency: number;
}

type ShapeOf = (v: Value) => Shape;

/** A multiplier for all these products. */
export function multiplierFor(products: readonly Value[], shapeOf: ShapeOf): IntegerOperator {
  const seconds = products.map((v) => {
    const { b, rows } = multiplierOf(v, shapeOf);
    return { rows, signed: shapeOf(b).signed && shapeOf(b).bits <= rows };
  });
  const width = Math.max(...products.map((v) => shapeOf(v).bits));
  const signed = seconds.some((b) => b.signed);
  const rows = Math.min(width, Math.max(...seconds.map((b) => b.rows + (signed && !b.signed ? 1 : 0))));
  const latency = Math.max(1, Math.ceil(rows / 2));
  return { op: "mul", name: `mul_${width}_${signed ? "i" : "u"}${rows}`, width, rows, signed, latency };
}

/** A divider for all these quotients and remainders. */
export function dividerFor(quotients: readonly Value[], shapeOf: ShapeOf): IntegerOperator {
  const shapes = quotients.map(({ args: [a, b] }) => commonShape(shapeOf(a as Value), shapeOf(b as Value)));
  const signed = shapes.some((s) => s.signed);
  const width = Math.max(...shapes.map((s) => s.bits + (signed && !s.signed ? 1 : 0)));
  const name = `div_${signed ? "i" : "u"}${width}`;
  return { op: "div", name, width, rows: width, signed, latency: width + 2 };
}

/** Behind so many levels of lookup tables, which choose the operands. */
export function timingOfInteger(
  { width, latency }: IntegerOperator,
  choice: number,
  logic: LogicTiming,
): OperatorTiming {
  // The first stage adds: two rows, or nothing to the complement.
  const first = (choice + 1) * logic.lut + logic.carry + logic.carryBit * width;
  return { delay: first, cycles: latency, registered: logic.register };
}
