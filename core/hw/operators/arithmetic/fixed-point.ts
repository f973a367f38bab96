/** Fixed-point circuits, where integer operations are not enough. */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Shape, Value } from "../../dfg/value.ts";
import { type Circuit, unsigned } from "../circuits/circuit.ts";
import { fieldsOf } from "../circuits/fields.ts";
import { shiftedRightJamming } from "../circuits/shift.ts";

/** Magnitude and sign of a number, to be rounded to `bits` bits by a guard bit and a sticky bit. */
interface Unrounded {
  readonly negative: Value;
  readonly magnitude: Value;
  readonly half: Value;
  readonly below: Value;
  /** Overflow, whatever the other fields are. */
  readonly large?: Value;
}

function rounded(
  c: Circuit,
  { negative, magnitude, half, below, large = c.no }: Unrounded,
  bits: number,
): Value {
  const up = c.and(half, c.or(below, c.bit(magnitude, 0)));
  const size = Math.max(magnitude.shape.bits, bits) + 1;
  const placed = c.resized(magnitude, size);
  // -(m + 1) is the complement of m.
  const value = c.addWithCarry(
    unsigned(size),
    c.mux(negative, c.not(placed), placed),
    c.constant(0, size),
    c.xor(negative, up),
  );
  const signs = c.slice(value, bits - 1, size - bits + 1);
  const isRepresentable = c.mux(negative, c.or(c.all(signs), c.none(value)), c.none(signs));
  const least = 1n << BigInt(bits - 1);
  const most = c.mux(negative, c.constant(least, bits), c.constant(least - 1n, bits));
  return c.mux(c.or(large, c.not(isRepresentable)), most, c.resized(value, bits));
}

/** The fixed-point number nearest to a floating-point number. */
export function fromFloat(
  c: Circuit,
  code: Value,
  format: Format,
  bits: number,
  fractionBits: number,
): Value {
  const { exponent: e, fraction: f } = format;
  const x = fieldsOf(c, code, format);
  // The leading bit of the largest numbers is right below the sign.
  const limit = biasOf(format) + bits - fractionBits - 2;
  const wide = Math.max(e, limit.toString(2).length) + 1;
  const exponent = c.resized(x.exponent, wide);
  const large = c.less(c.constant(limit, wide), exponent);
  const size = Math.max(bits + 1, f + 1);
  const padded = size > f + 1 ? c.concat(x.significand, c.constant(0, size - f - 1)) : x.significand;
  const amount = c.sub(unsigned(wide), c.constant(limit, wide), exponent);
  const shifted = c.named("moved", shiftedRightJamming(c, padded, c.named("amount", amount)));
  const low = size - (bits - 1);
  const number = rounded(
    c,
    {
      negative: x.sign,
      magnitude: c.slice(shifted, low, bits - 1),
      half: c.bit(shifted, low - 1),
      below: c.any(c.resized(shifted, low - 1)),
      large,
    },
    bits,
  );
  return c.masked(c.not(c.or(x.nan, x.zero)), number);
}

function magnitudeOf(c: Circuit, value: Value): { readonly negative: Value; readonly magnitude: Value } {
  const { bits, signed } = value.shape;
  const plain = c.resized(value, bits);
  if (!signed) return { negative: c.no, magnitude: plain };
  const negative = c.bit(plain, bits - 1);
  const turned = c.mux(negative, c.not(plain), plain);
  return { negative, magnitude: c.addWithCarry(unsigned(bits), turned, c.constant(0, bits), negative) };
}

/** a / b, one bit of the result after another; division by 0 saturates. */
export function quotient(c: Circuit, a: Value, b: Value, bits: number, fractionBits: number): Value {
  const [x, y] = [magnitudeOf(c, a), magnitudeOf(c, b)];
  const dividend = c.concat(x.magnitude, c.constant(0, fractionBits + 1));
  // The remainder is less than the divisor.
  const { bits: size } = y.magnitude.shape;
  const by = c.resized(y.magnitude, size + 1);
  const digits: Value[] = [];
  let rest = c.constant(0, size);
  for (let k = dividend.shape.bits - 1; k >= 0; k--) {
    const now = c.concat(rest, c.bit(dividend, k));
    const less = c.sub(by.shape, now, by);
    const isNotNegative = c.not(c.bit(less, size));
    digits.push(isNotNegative);
    rest = c.named(`rest${k}`, c.resized(c.mux(isNotNegative, less, now), size));
  }
  const allDigits = c.concat(...digits);
  return rounded(
    c,
    {
      negative: c.xor(x.negative, y.negative),
      magnitude: c.slice(allDigits, 1, allDigits.shape.bits - 1),
      half: c.bit(allDigits, 0),
      below: c.any(rest),
      large: c.none(y.magnitude),
    },
    bits,
  );
}

/** The square root; 0 for negative numbers. A root is never half way between two numbers. */
export function squareRoot(c: Circuit, a: Value, to: Shape, fractionBits: number): Value {
  const { bits, signed } = a.shape;
  const negative = signed ? c.bit(a, bits - 1) : c.no;
  const operand = c.masked(c.not(negative), c.resized(a, bits));
  // Two bits of the radicand give one of the root, which has one place more than the result.
  const radicand = c.concat(operand, c.constant(0, fractionBits + 2));
  const steps = Math.ceil(radicand.shape.bits / 2);
  const even = c.resized(radicand, 2 * steps);
  const digits: Value[] = [];
  let rest = c.constant(0, 2);
  for (let k = 0; k < steps; k++) {
    const pair = c.slice(even, 2 * (steps - 1 - k), 2);
    const shape = unsigned(k + 4);
    const now = c.resized(c.concat(rest, pair), shape.bits);
    const less = c.sub(shape, now, c.resized(c.concat(...digits, c.no, c.yes), shape.bits));
    const isNotNegative = c.not(c.bit(less, shape.bits - 1));
    digits.push(isNotNegative);
    rest = c.named(`rest${k}`, c.resized(c.mux(isNotNegative, less, now), k + 3));
  }
  const root = c.concat(...digits);
  const up = c.addWithCarry(
    unsigned(steps),
    c.slice(root, 1, steps - 1),
    c.constant(0, steps),
    c.bit(root, 0),
  );
  if (steps < to.bits) return c.resized(up, to.bits);
  const large = c.any(c.slice(up, to.bits - 1, steps - to.bits + 1));
  return c.mux(large, c.constant((1n << BigInt(to.bits - 1)) - 1n, to.bits), c.resized(up, to.bits));
}
