/** a / b and the square root of a, one bit of the result after another by trial subtraction. */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { type Circuit, signed, unsigned } from "../circuits/circuit.ts";
import { fieldsOf, normalSignificand, roundedAnywhere, roundedNormal } from "../circuits/fields.ts";

/**
 * The quotient of two significands of equal width with their top bits set: `digits` bits and a sticky bit for the
 * remainder. The first bit counts 1: the quotient is between a half and two.
 */
export function quotientDigits(c: Circuit, dividend: Value, divisor: Value, digits: number): Value {
  const shape = unsigned(dividend.shape.bits + 2);
  const by = c.resized(divisor, shape.bits);
  const quotient: Value[] = [];
  let rest = c.resized(dividend, shape.bits);
  for (let k = 0; k < digits; k++) {
    const less = c.sub(shape, rest, by);
    const isNotNegative = c.not(c.bit(less, shape.bits - 1));
    quotient.push(isNotNegative);
    rest = c.named(`rest${k}`, c.concat(c.resized(c.mux(isNotNegative, less, rest), shape.bits - 1), c.no));
  }
  return c.concat(...quotient, c.any(rest));
}

export function divided(c: Circuit, a: Value, b: Value, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const [x, y] = [fieldsOf(c, a, format), fieldsOf(c, b, format)];
  const dividend = normalSignificand(c, x, format);
  const divisor = normalSignificand(c, y, format);
  const wide = signed(e + 3);
  const difference = c.sub(
    wide,
    c.sub(wide, x.exponent, dividend.count),
    c.sub(wide, y.exponent, divisor.count),
  );
  return roundedAnywhere(
    c,
    {
      sign: c.xor(x.sign, y.sign),
      top: c.named("top", c.add(wide, difference, c.constant(biasOf(format), e))),
      significand: quotientDigits(c, dividend.value, divisor.value, f + 3),
      nan: c.or(x.nan, y.nan, c.and(x.infinite, y.infinite), c.and(x.zero, y.zero)),
      infinite: c.or(x.infinite, y.zero),
      zero: c.or(x.zero, y.infinite),
    },
    format,
  );
}

/**
 * `steps` bits of the square root of a number between 1 and 4, and a sticky bit. The number has two bits before the
 * point and at most twice as many bits in all.
 */
export function rootDigits(c: Circuit, number: Value, steps: number): Value {
  const radicand = c.concat(number, c.constant(0, 2 * steps - number.shape.bits));
  const digits: Value[] = [];
  let rest = c.constant(0, 2);
  for (let k = 0; k < steps; k++) {
    const pair = c.slice(radicand, 2 * (steps - 1 - k), 2);
    const shape = unsigned(k + 4);
    const now = c.resized(c.concat(rest, pair), shape.bits);
    const trial = c.concat(...digits, c.no, c.yes);
    const less = c.sub(shape, now, c.resized(trial, shape.bits));
    const isNotNegative = c.not(c.bit(less, shape.bits - 1));
    digits.push(isNotNegative);
    rest = c.named(`rest${k}`, c.resized(c.mux(isNotNegative, less, now), k + 3));
  }
  return c.concat(...digits, c.any(rest));
}

export function root(c: Circuit, a: Value, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const x = fieldsOf(c, a, format);
  const { value, count } = normalSignificand(c, x, format);
  const wide = signed(e + 3);
  const exponent = c.sub(wide, c.sub(wide, x.exponent, count), c.constant(biasOf(format), e));
  const odd = c.resized(exponent, 1);
  // Two bits of the radicand, between 1 and 4, give one bit of the root, between 1 and 2.
  const steps = f + 2;
  const scaled = c.mux(odd, c.concat(value, c.no), c.concat(c.no, value));
  const half = c.graph.make("shr", wide, [exponent, c.constant(1, 32)]);
  const negative = c.and(x.sign, c.not(x.zero));
  return roundedNormal(
    c,
    {
      sign: x.sign,
      top: c.add(wide, half, c.constant(biasOf(format), e)),
      significand: rootDigits(c, scaled, steps),
      nan: c.or(x.nan, negative),
      infinite: c.and(x.infinite, c.not(x.sign)),
      zero: x.zero,
    },
    format,
  );
}
