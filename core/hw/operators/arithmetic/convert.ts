/** Conversions between integers and floating-point formats. */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Shape, Value } from "../../dfg/value.ts";
import { type Circuit, signed } from "../circuits/circuit.ts";
import { fieldsOf, normalSignificand, rounded, roundedAnywhere, roundedNormal } from "../circuits/fields.ts";
import { normalised, shiftedRight } from "../circuits/shift.ts";

/** `isSigned`: the integer is in two's complement; it counts units of 2^-fractionBits. */
export function fromInteger(
  c: Circuit,
  code: Value,
  isSigned: boolean,
  format: Format,
  fractionBits = 0,
): Value {
  const { bits } = code.shape;
  const sign = isSigned ? c.bit(code, bits - 1) : c.no;
  const turned = c.mux(sign, c.not(code), code);
  const magnitude = c.addWithCarry(code.shape, turned, c.constant(0, bits), sign);
  const { value, count } = normalised(c, c.named("magnitude", magnitude));
  const wide = signed(Math.max(format.exponent, Math.ceil(Math.log2(bits + fractionBits + 1))) + 3);
  const largest = biasOf(format) + bits - 1 - fractionBits;
  // The smallest ones may be subnormal.
  return (fractionBits < biasOf(format) ? roundedNormal : roundedAnywhere)(
    c,
    {
      sign,
      top: c.sub(wide, c.graph.constant(largest, wide), count),
      significand: value,
      zero: c.none(code),
    },
    format,
  );
}

/** Truncates; a number outside the integer's range gives an unspecified result, as in C. */
export function toInteger(c: Circuit, code: Value, format: Format, to: Shape): Value {
  const x = fieldsOf(c, code, format);
  const { significand } = x;
  const bits = Math.max(to.bits, significand.shape.bits);
  const pad = bits - significand.shape.bits;
  const padded = pad > 0 ? c.concat(significand, c.constant(0, pad)) : significand;
  const wide = Math.max(format.exponent, Math.ceil(Math.log2(bits))) + 1;
  const amount = c.sub(
    { bits: wide, signed: false },
    c.constant(biasOf(format) + bits - 1, wide),
    x.exponent,
  );
  const magnitude = c.resized(shiftedRight(c, padded, amount), to.bits);
  const turned = c.mux(x.sign, c.not(magnitude), magnitude);
  return c.addWithCarry({ bits: to.bits, signed: false }, turned, c.constant(0, to.bits), x.sign);
}

/** Converts to another format. */
export function converted(c: Circuit, code: Value, from: Format, to: Format): Value {
  const x = fieldsOf(c, code, from);
  const wide = signed(Math.max(from.exponent, to.exponent) + 3);
  const shift = biasOf(to) - biasOf(from);
  // If the exponent range does not extend downwards, subnormal numbers stay subnormal or become 0.
  const { value, count } =
    to.exponent > from.exponent ? normalSignificand(c, x, from) : { value: x.significand, count: c.no };
  const exponent = c.sub(wide, c.add(wide, x.exponent, c.graph.constant(shift, wide)), count);
  const special = { nan: x.nan, infinite: x.infinite, zero: x.zero };
  const number = { sign: x.sign, top: exponent, significand: value, ...special };
  // The smallest number of the source format is a normal number of the target format.
  if (shift >= from.fraction) return roundedNormal(c, number, to);
  if (to.exponent !== from.exponent) return roundedAnywhere(c, number, to);
  const base = c.sub({ bits: from.exponent + 1, signed: false }, x.exponent, c.yes);
  const low = from.fraction - to.fraction;
  const places =
    low > 1
      ? c.concat(c.slice(value, low - 1, to.fraction + 2), c.any(c.resized(value, low - 1)))
      : c.concat(value, c.constant(0, 2 - low));
  return rounded(c, { sign: x.sign, base, significand: places, ...special }, to);
}
