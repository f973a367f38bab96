/** Pieces of Verilog text. Every operand is written with exactly the width of its context. */
import type { Shape } from "../../../../core/hw/dfg/value.ts";

/** `[7:0] `; empty for one bit. */
export const range = (bits: number): string => (bits === 1 ? "" : `[${bits - 1}:0] `);

export function literal(value: bigint, bits: number): string {
  const raw = BigInt.asUintN(bits, value);
  return raw < 10n || bits < 4 ? `${bits}'d${raw}` : `${bits}'h${raw.toString(16)}`;
}

export const zeros = (bits: number): string => `${bits}'d0`;

/** A signal of a shape as `bits` bits: truncated, or extended according to its shape. */
export function resized(name: string, shape: Shape, bits: number): string {
  if (shape.bits === bits) return name;
  if (shape.bits > bits) return bits === 1 ? `${name}[0]` : `${name}[${bits - 1}:0]`;
  const more = bits - shape.bits;
  if (!shape.signed) return `{${zeros(more)}, ${name}}`;
  const sign = shape.bits === 1 ? name : `${name}[${shape.bits - 1}]`;
  return `{{${more}{${sign}}}, ${name}}`;
}

/** `bits` bits of a signal from bit `low` up. */
export function sliced(name: string, shape: Shape, low: number, bits: number): string {
  const present = Math.min(bits, shape.bits - low);
  const sign = shape.bits === 1 ? name : `${name}[${shape.bits - 1}]`;
  if (present <= 0) return shape.signed ? (bits === 1 ? sign : `{${bits}{${sign}}}`) : zeros(bits);
  const part =
    shape.bits === 1
      ? name
      : present === 1
        ? `${name}[${low}]`
        : low === 0 && present === shape.bits
          ? name
          : `${name}[${low + present - 1}:${low}]`;
  if (present === bits) return part;
  const fill = shape.signed ? `{${bits - present}{${sign}}}` : zeros(bits - present);
  return `{${fill}, ${part}}`;
}

export const conjunction = (terms: readonly string[]): string =>
  terms.length === 0 ? "1'b1" : terms.join(" & ");
export const disjunction = (terms: readonly string[]): string =>
  terms.length === 0 ? "1'b0" : terms.join(" | ");

/** Name of the module of a floating-point operator. */
export const moduleOfOperator = (name: string): string => `arc_${name}`;

/**
 * Whether a vector is below a constant, without a carry chain: bit by bit, with one lookup table per three bits. At a 0
 * bit of the constant the vector must have 0 and the comparison continues; at a 1 bit it may have 0, or continue.
 */
export function below(vector: string, bound: bigint, bits: number): string {
  let text = "";
  for (let k = 0; k < bits; k++) {
    const bit = bits === 1 ? `~${vector}` : `~${vector}[${k}]`;
    if (((bound >> BigInt(k)) & 1n) === 1n) text = text === "" ? bit : `(${bit} | ${text})`;
    else if (text !== "") text = `(${bit} & ${text})`;
  }
  return text === "" ? "1'b0" : text;
}
