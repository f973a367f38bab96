/**
 * The gamma function. For y from 1 on its base-2 logarithm comes from a table and a polynomial, with segments by powers
 * of two. Below 1 it is divided: Γ(x) = Γ(1 + x) / x; negative numbers use Euler's reflection Γ(x) = -π / (Γ(1 - x) sin
 * πx), whose sine is exact to its last digit near integers.
 */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { quotientDigits } from "../arithmetic/divide.ts";
import { type Circuit, signed, unsigned } from "../circuits/circuit.ts";
import { fieldsOf, normalSignificand, roundedAnywhere } from "../circuits/fields.ts";
import { highProduct } from "../circuits/product.ts";
import { normalised, shiftedRight } from "../circuits/shift.ts";
import { powersOf } from "./exponential.ts";
import { fitted } from "./fit.ts";
import { memoized } from "./memoized.ts";
import { polynomialAt } from "./polynomial.ts";
import {
  fixed,
  logarithmOfGamma,
  naturalLogarithm,
  naturalLogarithmOf2,
  over,
  pi,
  toFractionBits,
} from "./real.ts";
import { led, slopes } from "./trigonometric.ts";

/** Guard digits after the result's last place. */
const GUARD = 8;

/** From 2^whole on results are infinite, or round to 0 however near to an integer x is. */
function integerBitsOf({ fraction, ...format }: Format): number {
  const most = biasOf({ fraction, ...format }) + 2 * fraction + 4;
  let bits = 1;
  while (Math.log2(2 ** bits / Math.E) * 2 ** bits - bits < most) bits++;
  return bits;
}

const indexBits = (integerBits: number): number => Math.ceil(Math.log2(integerBits + 1));

/** log2 Γ(2^k (1 + m)) at (k + m) / 2^indexBits. */
const logarithms = memoized((fractionBits: number, integerBits: number) => {
  const bits = indexBits(integerBits);
  return fitted(
    (z, wide) => {
      const scaled = z << BigInt(bits);
      const k = scaled >> BigInt(wide);
      const y = (scaled - fixed(k, wide) + fixed(1, wide)) << k;
      return over(logarithmOfGamma(y, wide), naturalLogarithmOf2(wide), wide);
    },
    fractionBits,
    (integerBits + 1) / 2 ** bits,
    bits,
  );
});

export function gamma(c: Circuit, code: Value, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const bias = biasOf(format);
  const x = fieldsOf(c, code, format);
  const fractionBits = f + GUARD;
  const integerBits = integerBitsOf(format);
  const { value, count } = normalSignificand(c, x, format);
  const exponentBits = signed(Math.max(e + 3, integerBits + 8));
  const unbiased = c.sub(
    exponentBits,
    c.sub(exponentBits, x.exponent, count),
    c.constant(bias, exponentBits.bits - 1),
  );
  // |x|, with space for every number that has a fraction.
  const width = Math.max(f, integerBits) + 1;
  const bits = width + fractionBits;
  const limit = c.constant(bias + width - 1, e);
  const beyond = c.less(limit, x.exponent);
  const amount = c.sub(unsigned(e), limit, x.exponent);
  const placed = c.concat(x.significand, c.constant(0, bits - f - 1));
  const fixedPoint = c.named("fixed", shiftedRight(c, placed, amount));
  const rest = c.resized(fixedPoint, fractionBits);
  const small = c.less(x.exponent, c.constant(bias, e));
  const integer = c.or(beyond, c.and(c.none(rest), c.not(small)));
  const huge = c.or(
    beyond,
    c.any(c.slice(fixedPoint, fractionBits + integerBits, bits - fractionBits - integerBits)),
  );
  const plain = c.not(c.or(x.sign, small));
  const y = c.add(
    unsigned(integerBits + 1 + fractionBits),
    c.resized(fixedPoint, integerBits + fractionBits),
    c.masked(c.not(plain), c.constant(1n << BigInt(fractionBits), fractionBits + 1)),
  );
  const normal = normalised(c, c.named("y", y));
  const k = c.sub(
    unsigned(indexBits(integerBits)),
    c.constant(integerBits, indexBits(integerBits)),
    normal.count,
  );
  const z = c.concat(k, c.resized(normal.value, integerBits + fractionBits));
  const logarithm = polynomialAt(c, logarithms(fractionBits, integerBits), z);
  // Base-2 logarithm of Γ(y), or of π / Γ(y).
  const wide = signed(integerBits + 8 + fractionBits);
  const long = fractionBits + 64;
  const circle = toFractionBits(
    over(naturalLogarithm(pi(long), long), naturalLogarithmOf2(long), long),
    long,
    fractionBits,
  );
  const power = c.named(
    "power",
    c.mux(
      x.sign,
      c.sub(wide, c.graph.constant(circle, wide), c.graph.resize(logarithm, wide)),
      c.graph.resize(logarithm, wide),
    ),
  );
  const two = c.resized(
    polynomialAt(c, powersOf("2", fractionBits + 1), c.resized(power, fractionBits)),
    fractionBits + 3,
  );
  // Keep it below 2, whatever the last digits are.
  const dividend = c.mux(
    c.bit(two, fractionBits + 2),
    c.constant(-1, fractionBits + 2),
    c.resized(two, fractionBits + 2),
  );
  const sine = sineOfTurns(
    c,
    { rest, value, unbiased, tiny: c.less(x.exponent, c.constant(bias - 1, e)) },
    fractionBits,
  );
  const one = c.constant(1n << BigInt(fractionBits + 1), fractionBits + 2);
  const divisor = c.mux(
    x.sign,
    sine.digits,
    c.mux(plain, one, c.concat(value, c.constant(0, fractionBits + 1 - f))),
  );
  const less = c.mux(x.sign, sine.exponent, c.masked(c.not(plain), unbiased));
  const twos = c.graph.make("shr", wide, [power, c.constant(fractionBits, 32)]);
  return roundedAnywhere(
    c,
    {
      sign: c.and(x.sign, c.or(x.zero, c.not(c.bit(fixedPoint, fractionBits)))),
      top: c.add(exponentBits, c.sub(exponentBits, twos, less), c.constant(bias, e)),
      significand: quotientDigits(c, dividend, divisor, f + 4),
      nan: c.or(x.nan, c.and(x.sign, c.or(x.infinite, c.and(integer, c.not(x.zero))))),
      infinite: c.or(x.zero, c.and(c.or(huge, x.infinite), c.not(x.sign))),
      zero: c.and(huge, x.sign),
    },
    format,
  );
}

interface Turns {
  /** The fraction of |x|. */
  readonly rest: Value;
  /** The significand of |x| and its exponent, if |x| is less than a half. */
  readonly value: Value;
  readonly unbiased: Value;
  readonly tiny: Value;
}

/** |sin πx|: its digits, of which the first is set and counts 2^exponent. */
function sineOfTurns(
  c: Circuit,
  { rest, value, unbiased, tiny }: Turns,
  fractionBits: number,
): { readonly digits: Value; readonly exponent: Value } {
  const { shape } = unbiased;
  // sin πx = sin(z π/2) with z = 2x or 2 - 2x, exact.
  const upper = c.bit(rest, fractionBits - 1);
  const turned = c.mux(upper, c.sub(unsigned(fractionBits), c.constant(0, fractionBits), rest), rest);
  const half = c.and(upper, c.none(c.resized(rest, fractionBits - 1)));
  const z = c.mux(half, c.constant(-1, fractionBits), c.concat(c.resized(turned, fractionBits - 1), c.no));
  const slope = c.resized(polynomialAt(c, slopes(fractionBits), z), fractionBits + 1);
  const normal = normalised(c, z);
  const significand = c.mux(
    tiny,
    c.concat(value, c.constant(0, fractionBits + 1 - value.shape.bits)),
    c.concat(normal.value, c.no),
  );
  const { value: digits, isShifted } = led(c, highProduct(c, significand, slope, fractionBits));
  // The product's first digit counts twice the first digit of z.
  const first = c.mux(tiny, c.add(shape, unbiased, c.constant(2, 2)), c.sub(shape, c.no, normal.count));
  return { digits, exponent: c.sub(shape, first, isShifted) };
}
