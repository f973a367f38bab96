/** The Verilog expression of a value that is computed in logic. */
import { isLiteral, type Shape, type Value } from "../../../../core/hw/dfg/value.ts";
import type { Widths } from "../../../../core/hw/dfg/widths.ts";
import { commonShape } from "../../../../core/hw/operators/timing.ts";
import type { Module } from "../text/module.ts";
import { below, range, resized, sliced, zeros } from "../text/text.ts";

/** The signals of a process. */
export interface Signals {
  readonly module: Module;
  readonly widths: Widths;
  /** A value in a cycle, `bits` wide. */
  operand(value: Value, cycle: number, bits: number): string;
  /** The signal that holds a value in a cycle; bits `low` to `bits` will be read. */
  reference(
    value: Value,
    cycle: number,
    bits: number,
    low?: number,
  ): { readonly name: string; readonly shape: Shape };
  nameOf(value: Value): string;
  /** Notes that a signal is subtracted. */
  subtracts(signal: string): void;
  /** Notes that a signal is used unchanged. */
  keeps(signal: string): void;
}

/** Comparisons with a constant up to this width use logic instead of a carry chain. */
const SHORT_COMPARISON = 10;

export function expressionText(signals: Signals, value: Value, cycle: number, bits: number): string {
  const [a, b, c] = value.args as [Value, Value, Value];
  const { widths } = signals;
  const both = (op: string): string =>
    `${signals.operand(a, cycle, bits)} ${op} ${signals.operand(b, cycle, bits)}`;
  switch (value.op) {
    case "add":
      keepsForm(signals, [a, b], cycle, bits);
      return both("+");
    case "sub":
      keepsForm(signals, [a], cycle, bits);
      signals.subtracts(signals.reference(b, cycle, bits).name);
      return both("-");
    case "and":
      return both("&");
    case "or":
      return both("|");
    case "xor":
      if (isLiteral(b) && BigInt.asUintN(bits, ~b.constant) === 0n)
        return `~${signals.operand(a, cycle, bits)}`;
      return both("^");
    case "not":
      return `~${signals.operand(a, cycle, bits)}`;
    case "mux":
      return `${signals.operand(a, cycle, 1)} ? ${signals.operand(b, cycle, bits)} : ${signals.operand(c, cycle, bits)}`;
    case "concat": {
      const low = b.shape.bits;
      if (bits <= low) return signals.operand(b, cycle, bits);
      return `{${signals.operand(a, cycle, bits - low)}, ${signals.operand(b, cycle, low)}}`;
    }
    case "resize":
      return signals.operand(a, cycle, bits);
    case "eq": {
      const common = commonShape(widths.of(a), widths.of(b));
      return `${signals.operand(a, cycle, common.bits)} == ${signals.operand(b, cycle, common.bits)}`;
    }
    case "lt": {
      const common = commonShape(widths.of(a), widths.of(b));
      // An unsigned value is never below 0.
      if (!common.signed && isLiteral(b) && b.constant === 0n) return "1'b0";
      // Use the sign bit directly, as synthesis would make a subtraction of the comparison.
      if (common.signed && isLiteral(b) && b.constant === 0n) {
        const shape = widths.of(a);
        const from = signals.reference(a, cycle, shape.bits, shape.bits - 1);
        if (from.shape.bits === shape.bits) return sliced(from.name, shape, shape.bits - 1, 1);
      }
      if (!common.signed && isLiteral(b) && common.bits <= SHORT_COMPARISON) {
        const bound = b.constant;
        // Bits below the bound's lowest set bit make no difference.
        const low = bound === 0n ? 0 : (bound & -bound).toString(2).length - 1;
        const { name, shape } = signals.reference(a, cycle, common.bits, low);
        if (shape.bits === common.bits && /^\w+$/.test(name)) return below(name, bound, common.bits);
      }
      const [x, y] = [signals.operand(a, cycle, common.bits), signals.operand(b, cycle, common.bits)];
      return common.signed ? `$signed(${x}) < $signed(${y})` : `${x} < ${y}`;
    }
    case "shl":
      if (isLiteral(b)) {
        const by = Number(b.constant);
        if (by >= bits) return zeros(bits);
        return `{${signals.operand(a, cycle, bits - by)}, ${zeros(by)}}`;
      }
      return `${signals.operand(a, cycle, bits)} << ${amount(signals, b, cycle)}`;
    case "shr": {
      const shape = widths.of(a);
      const low = isLiteral(b) ? Number(b.constant) : 0;
      const from = signals.reference(a, cycle, a.shape.bits, Math.min(low, shape.bits - 1));
      if (isLiteral(b)) {
        const name =
          from.shape.bits === shape.bits ? from.name : truncated(signals, value, a, cycle, shape, low);
        return sliced(name, shape, Number(b.constant), bits);
      }
      const shifted = `${signals.nameOf(value)}_shifted`;
      signals.module.declare(`wire ${range(shape.bits)}${shifted};`);
      const operand = signals.operand(a, cycle, shape.bits);
      const text = shape.signed ? `$signed(${operand}) >>> ` : `${operand} >> `;
      signals.module.assign(shifted, `${text}${amount(signals, b, cycle)}`);
      signals.module.leave(shifted, bits, shape.bits);
      return resized(shifted, shape, bits);
    }
    default:
      throw new Error(`no Verilog for ${value.op}`);
  }
}

/** Marks operands of a carry chain, which are used unchanged. */
function keepsForm(signals: Signals, values: readonly Value[], cycle: number, bits: number): void {
  for (const v of values) if (!isLiteral(v)) signals.keeps(signals.reference(v, cycle, bits).name);
}

/** A value truncated to its own width, as a named wire that can be sliced. Bits below `low` are not read. */
function truncated(
  signals: Signals,
  by: Value,
  value: Value,
  cycle: number,
  shape: Shape,
  low: number,
): string {
  const name = `${signals.nameOf(by)}_operand`;
  signals.module.declare(`wire ${range(shape.bits)}${name};`);
  signals.module.assign(name, signals.operand(value, cycle, shape.bits));
  signals.module.leaveBits(name, 0, Math.min(low, shape.bits - 1));
  return name;
}

function amount(signals: Signals, value: Value, cycle: number): string {
  return signals.operand(value, cycle, signals.widths.of(value).bits);
}
