/**
 * expm1 and log1p. Near 0 they are x times a smooth function, so that no digits are lost; elsewhere 1 is added or
 * subtracted in fixed point.
 */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { type Circuit, signed, unsigned } from "../circuits/circuit.ts";
import { type Fields, fieldsOf, normalSignificand, roundedAnywhere } from "../circuits/fields.ts";
import { product } from "../circuits/product.ts";
import { normalised, shiftedRight } from "../circuits/shift.ts";
import { powerOf } from "./exponential.ts";
import { fitted } from "./fit.ts";
import { fixedLogarithm, magnitudeOf } from "./logarithm.ts";
import { memoized } from "./memoized.ts";
import { polynomialAt } from "./polynomial.ts";
import { exponentialSlope, fixed } from "./real.ts";

/** Guard digits after the result's last place; a difference from 1 loses two. */
const GUARD = 6;

/** Bits of a result before rounding. */
const bitsOf = ({ fraction }: Format): number => fraction + 8;

/** (e^x - 1) / x for x = z - 1/2. */
const slopes = memoized((fractionBits: number) =>
  fitted((z, wide) => exponentialSlope(z - fixed(1, wide) / 2n, wide), fractionBits),
);

interface Result {
  readonly significand: Value;
  /** The exponent's code. */
  readonly top: Value;
}

/** The first bits of a number whose highest bit counts 2 in units given by an exponent's code. */
function result(c: Circuit, number: Value, exponent: Value, format: Format): Result {
  const { value, count } = normalised(c, number);
  const { shape } = exponent;
  const bits = bitsOf(format);
  const short = bits - value.shape.bits;
  return {
    significand:
      short > 0 ? c.concat(value, c.constant(0, short)) : c.slice(value, value.shape.bits - bits, bits),
    top: c.sub(shape, c.add(shape, exponent, c.yes), count),
  };
}

/** x times a number between a half and 2 with `places` places. */
function scaled(c: Circuit, x: Fields, by: Value, fractionBits: number, format: Format): Result {
  const { value, count } = normalSignificand(c, x, format);
  const exact = product(c, value, c.resized(by, fractionBits + 1));
  const shape = signed(format.exponent + 3);
  return result(c, exact, c.sub(shape, x.exponent, count), format);
}

export function exponentialLessOne(c: Circuit, code: Value, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const bias = biasOf(format);
  const x = fieldsOf(c, code, format);
  const fractionBits = f + GUARD;
  const { x: fields, power, significand, huge } = powerOf(c, x, "e", fractionBits, format);
  // 2^n s - 1: the smaller of the two is aligned to the larger one.
  const down = c.named("down", c.bit(power, power.shape.bits - 1));
  const bits = significand.shape.bits;
  const one = c.constant(1n << BigInt(fractionBits + 1), bits);
  const plain = c.resized(power, power.shape.bits);
  const amount = c.addWithCarry(
    unsigned(power.shape.bits),
    c.mux(down, c.not(plain), plain),
    c.constant(0, power.shape.bits),
    down,
  );
  const less = shiftedRight(c, c.mux(down, significand, one), amount);
  const difference = c.sub(unsigned(bits), c.mux(down, one, significand), less);
  const shape = signed(e + 3);
  const exponent = c.add(shape, c.masked(c.not(down), c.graph.resize(power, shape)), c.constant(bias, e));
  const far = result(c, difference, exponent, format);
  const z = c.add(
    unsigned(fractionBits),
    c.resized(fields, fractionBits),
    c.constant(1n << BigInt(fractionBits - 1), fractionBits),
  );
  const near = scaled(c, x, polynomialAt(c, slopes(fractionBits), z), fractionBits, format);
  const isNear = c.named("near", c.less(x.exponent, c.constant(bias - 1, e)));
  const rounded = roundedAnywhere(
    c,
    {
      sign: x.sign,
      top: c.mux(isNear, near.top, far.top),
      significand: c.mux(isNear, near.significand, far.significand),
      nan: x.nan,
      infinite: c.and(huge, c.not(x.sign), c.not(x.nan)),
      zero: x.zero,
    },
    format,
  );
  const least = c.concat(c.yes, c.constant(BigInt(bias) << BigInt(f), e + f));
  return c.mux(c.and(huge, x.sign, c.not(x.nan)), least, rounded);
}

export function logarithmOfOneMore(c: Circuit, code: Value, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const bias = biasOf(format);
  const x = fieldsOf(c, code, format);
  const fractionBits = f + GUARD;
  // 1 + x, with one bit more before the point than x's significand has: the smaller one is aligned.
  const small = c.named("small", c.less(x.exponent, c.constant(bias, e)));
  const behind = f + 4;
  const shape = unsigned(behind + 2);
  const one = c.constant(1n << BigInt(behind), behind + 2);
  const placed = c.resized(c.concat(x.significand, c.constant(0, behind - f)), behind + 2);
  const difference = c.sub(unsigned(e), x.exponent, c.constant(bias, e));
  const amount = c.addWithCarry(
    unsigned(e),
    c.mux(small, c.not(difference), difference),
    c.constant(0, e),
    small,
  );
  const shifted = shiftedRight(c, c.mux(small, placed, one), amount);
  const larger = c.mux(small, one, placed);
  const sum = c.addWithCarry(shape, larger, c.mux(x.sign, c.not(shifted), shifted), x.sign);
  const normal = normalised(c, c.named("sum", sum));
  const wide = signed(e + 3);
  const exponent = c.sub(
    wide,
    c.add(wide, c.mux(small, c.constant(bias, e), x.exponent), c.yes),
    normal.count,
  );
  const more: Format = { exponent: e, fraction: behind + 1, flush: true };
  const y: Fields = { ...x, significand: normal.value, exponent: c.resized(exponent, e), sign: c.no };
  const logarithm = fixedLogarithm(c, y, "e", fractionBits, more);
  const { negative, magnitude } = magnitudeOf(c, logarithm.sum);
  const units = magnitude.shape.bits - 1 - logarithm.fractionBits;
  const far = result(c, magnitude, c.graph.constant(bias + units - 1, wide), format);
  const near = scaled(c, x, logarithm.slope, fractionBits, format);
  const limit = c.mux(x.sign, c.constant(bias - 2, e), c.constant(bias - 1, e));
  const isNear = c.named("near", c.less(x.exponent, limit));
  const least = c.constant(BigInt(bias) << BigInt(f), e + f);
  const isLeast = c.and(x.sign, c.equal(x.magnitude, least));
  return roundedAnywhere(
    c,
    {
      sign: c.mux(isNear, x.sign, c.or(negative, isLeast)),
      top: c.mux(isNear, near.top, far.top),
      significand: c.mux(isNear, near.significand, far.significand),
      nan: c.or(x.nan, c.and(x.sign, c.less(least, x.magnitude))),
      infinite: c.or(isLeast, c.and(x.infinite, c.not(x.sign))),
      zero: x.zero,
    },
    format,
  );
}
