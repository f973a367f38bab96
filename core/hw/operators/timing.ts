/** Timing of operators on a device, from its table. */
import type { Shape, Value } from "../dfg/value.ts";

/** Delays of a family's logic in nanoseconds, including wires between cells. */
export interface LogicTiming {
  /** One level of lookup tables. */
  readonly lut: number;
  /** Into and out of a carry chain, and per bit of it. */
  readonly carry: number;
  readonly carryBit: number;
  /** From the clock edge to the output of a flip-flop, and of a block RAM. */
  readonly register: number;
  readonly ram: number;
  /** Setup time at a register's input. */
  readonly setup: number;
  /** Number of inputs of a lookup table. */
  readonly inputs: number;
  /** Maximum width of factors for the part's multipliers; absent: products are made of lookup tables. */
  readonly multiplier?: number;
}

export interface OperatorTiming {
  readonly delay: number;
  readonly cycles: number;
  readonly registered?: number;
}

/** Delay lines up to this length are flip-flops. */
export const LONGEST_REGISTER_LINE = 3;

/** Timing of an operation whose wires have the shapes of `widthOf`. */
export function timingOf(value: Value, widthOf: (v: Value) => Shape, logic: LogicTiming): OperatorTiming {
  const bits = widthOf(value).bits;
  const operand = Math.max(0, ...value.args.map((a) => widthOf(a).bits));
  const levels = (inputs: number) => Math.max(1, Math.ceil(Math.log(inputs) / Math.log(logic.inputs)));
  const [, b] = value.args;
  switch (value.op) {
    case "add":
    case "sub":
      return { delay: logic.carry + logic.carryBit * bits, cycles: 0 };
    case "lt":
      // Only the sign is tested.
      if (b?.op === "const" && b.constant === 0n) return { delay: 0, cycles: 0 };
      return { delay: logic.carry + logic.carryBit * (operand + 1), cycles: 0 };
    case "eq":
      return { delay: logic.lut * levels((b?.op === "const" ? 1 : 2) * operand), cycles: 0 };
    case "and":
    case "or":
    case "mux":
      return { delay: logic.lut, cycles: 0 };
    case "xor":
      return { delay: b?.op === "const" ? 0 : logic.lut, cycles: 0 };
    case "table":
      // Two more inputs select among four tables.
      return { delay: logic.lut * (1 + Math.max(0, Math.ceil((operand - logic.inputs) / 2))), cycles: 0 };
    case "shl":
    case "shr":
      return { delay: b?.op === "const" ? 0 : logic.lut * Math.ceil(Math.log2(operand + 1)), cycles: 0 };
    case "div":
    case "rem":
      return { delay: 0, cycles: divideStages(value, widthOf), registered: logic.register };
    case "fetch":
      // Includes the selection between the addresses of a port.
      return { delay: logic.lut + logic.setup, cycles: 1, registered: logic.ram };
    case "delay":
      return value.distance > LONGEST_REGISTER_LINE
        ? { delay: 0, cycles: 0, registered: logic.ram }
        : { delay: 0, cycles: 0, registered: logic.register };
    default:
      return { delay: 0, cycles: 0 };
  }
}

/** The common shape for comparing or dividing two operands. */
export function commonShape(a: Shape, b: Shape): Shape {
  if (a.signed === b.signed) return { bits: Math.max(a.bits, b.bits), signed: a.signed };
  const [signed, unsigned] = a.signed ? [a, b] : [b, a];
  return { bits: Math.max(signed.bits, unsigned.bits + 1), signed: true };
}

/** Stages of a divider: one for each bit of the quotient, and one for signs at each end. */
export function divideStages(value: Value, widthOf: (v: Value) => Shape): number {
  const [a, b] = value.args as [Value, Value];
  return commonShape(widthOf(a), widthOf(b)).bits + 2;
}
