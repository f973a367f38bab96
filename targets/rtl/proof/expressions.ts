/**
 * Operations of a dataflow graph as Verilog, each with the width and meaning that C gives it. The hardware, which uses
 * fewer bits and several cycles, is compared with this.
 */

import type { Range } from "../../../core/hw/dfg/ranges.ts";
import type { Shape, Value } from "../../../core/hw/dfg/value.ts";
import { takesCycles } from "../../../core/hw/operators/cycles.ts";
import { literal, zeros } from "../verilog/text/text.ts";

/** A vector of a shape as `bits` bits: truncated, or extended according to its sign. */
export function extended(name: string, shape: Shape, bits: number): string {
  if (bits <= shape.bits) return `${name}[${bits - 1}:0]`;
  const more = bits - shape.bits;
  return shape.signed ? `{{${more}{${name}[${shape.bits - 1}]}}, ${name}}` : `{${zeros(more)}, ${name}}`;
}

/** One bit: whether the number in a vector of a shape is in a range. */
export function lies(name: string, shape: Shape, { min, max }: Range): string {
  const bits = shape.bits + 1;
  const number = `$signed(${extended(name, shape, bits)})`;
  return `(${number} >= $signed(${literal(min, bits)}) & ${number} <= $signed(${literal(max, bits)}))`;
}

/** Operations that stay uninterpreted: only equal results for equal operands are assumed. */
export const isOpen = takesCycles;

/**
 * One bit that says that a shift has no value in C, as it shifts by at least the width; undefined: it always has one.
 */
export function undefinedShift({ op, shape, args }: Value, nameOf: (v: Value) => string): string | undefined {
  const [, by] = args;
  if ((op !== "shl" && op !== "shr") || !by || by.op === "const") return undefined;
  const bits = Math.max(by.shape.bits, shape.bits.toString(2).length) + 1;
  const wide = extended(nameOf(by), by.shape, bits);
  // A negative amount looks like a large one.
  return `(${wide} >= ${literal(BigInt(shape.bits), bits)})`;
}

/** The result of an operation, as wide as its shape. */
export function expression(value: Value, nameOf: (v: Value) => string): string {
  const { op, shape } = value;
  const [a, b, c] = value.args as [Value, Value, Value];
  const { bits } = shape;
  const as = (v: Value, width: number) => extended(nameOf(v), v.shape, width);
  const compared = (operator: string) => {
    const width = Math.max(a.shape.bits, b.shape.bits) + 1;
    return `$signed(${as(a, width)}) ${operator} $signed(${as(b, width)})`;
  };
  switch (op) {
    case "const":
      return literal(value.constant, bits);
    case "add":
      return `${as(a, bits)} + ${as(b, bits)}`;
    case "sub":
      return `${as(a, bits)} - ${as(b, bits)}`;
    case "and":
      return `${as(a, bits)} & ${as(b, bits)}`;
    case "or":
      return `${as(a, bits)} | ${as(b, bits)}`;
    case "xor":
      return `${as(a, bits)} ^ ${as(b, bits)}`;
    case "not":
      return `~${as(a, bits)}`;
    case "shl":
      return `${as(a, bits)} << ${nameOf(b)}`;
    case "shr": {
      const width = Math.max(a.shape.bits, bits);
      return a.shape.signed ? `$signed(${as(a, width)}) >>> ${nameOf(b)}` : `${as(a, width)} >> ${nameOf(b)}`;
    }
    case "eq":
      return compared("==");
    case "lt":
      return compared("<");
    case "mux":
      return `(|${nameOf(a)}) ? ${as(b, bits)} : ${as(c, bits)}`;
    case "concat":
      return bits <= b.shape.bits ? as(b, bits) : `{${as(a, bits - b.shape.bits)}, ${nameOf(b)}}`;
    case "resize":
      return as(a, bits);
    case "table":
      return (value.entries ?? []).reduceRight(
        (rest, entry, k) =>
          `${nameOf(a)} == ${literal(BigInt(k), a.shape.bits)} ? ${literal(entry, bits)} : ${rest}`,
        zeros(bits),
      );
    default:
      throw new Error(`no meaning for ${op}`);
  }
}
