/**
 * erfc(x) = e^-x^2 g(|x|) if x is not negative, else 2 minus that. g decreases slowly from 1 and comes from a table and
 * a polynomial; the square is exact, so that the power has all its digits however small it is.
 */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { type Circuit, signed, unsigned } from "../circuits/circuit.ts";
import { type Fields, fieldsOf, roundedAnywhere } from "../circuits/fields.ts";
import { highProduct, product } from "../circuits/product.ts";
import { normalised, shiftedRight } from "../circuits/shift.ts";
import { powerOf } from "./exponential.ts";
import { fitted } from "./fit.ts";
import { memoized } from "./memoized.ts";
import { polynomialAt } from "./polynomial.ts";
import { scaledErrorComplement } from "./real.ts";

/** Guard digits after the result's last place; g falls to 1/18 where results of `float` end, to 1/48 for `double`. */
const GUARD = 9;

/** Bits by which g may be less than 1. */
const FALL = 6;

/** g(2^scale z) for z in 0..1, up to `end`. */
const complements = memoized((fractionBits: number, scale: number, end: number) =>
  fitted((z, wide) => scaledErrorComplement(z << BigInt(scale), wide), fractionBits, end),
);

export function errorComplement(c: Circuit, code: Value, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const bias = biasOf(format);
  const x = fieldsOf(c, code, format);
  const fractionBits = f + GUARD;
  // From there on e^-x^2 is less than half of the smallest number, or the result is 2.
  const most = Math.sqrt((bias + f) * Math.LN2);
  const scale = Math.ceil(Math.log2(most));
  const end = most / 2 ** scale;
  const digits = fractionBits + scale;
  const limit = bias + scale - 1;
  const beyond = c.less(c.constant(limit, e), x.exponent);
  const amount = c.sub(unsigned(e), c.constant(limit, e), x.exponent);
  const placed = c.concat(x.significand, c.constant(0, digits - f - 1));
  const z = c.named("z", shiftedRight(c, placed, amount));
  const last = c.constant(BigInt(Math.floor(end * 2 ** digits)), digits);
  const far = c.named("far", c.or(beyond, c.not(c.less(z, last))));
  const { power, significand } = powerOf(c, squared(c, x, format), "e", fractionBits, squareFormat(format));
  const g = c.resized(polynomialAt(c, complements(fractionBits, scale, end), z), fractionBits + 1);
  // With places + 1 + FALL places, and three bits before the point.
  const exact = c.named("product", highProduct(c, significand, g, fractionBits - FALL));
  const bits = exact.shape.bits;
  const normal = normalised(c, exact);
  const wide = signed(e + 3);
  const top = c.sub(wide, c.add(wide, power, c.constant(bias + 2, e)), normal.count);
  // The power is negative: what is subtracted from 2 counts half of the product's units.
  const plain = c.resized(power, power.shape.bits);
  const shifted = shiftedRight(c, c.masked(c.not(far), exact), c.not(plain));
  const less = c.sub(unsigned(bits), c.constant(1n << BigInt(bits - 1), bits), shifted);
  return roundedAnywhere(
    c,
    {
      sign: c.no,
      top: c.mux(x.sign, c.graph.constant(bias + 1, wide), top),
      significand: c.mux(x.sign, less, normal.value),
      nan: x.nan,
      zero: c.and(far, c.not(x.sign), c.not(x.nan)),
    },
    format,
  );
}

/**
 * Bits of the square that matter in the power's fixed point, which has at least as many bits before the point as the
 * exponent.
 */
const squareBits = ({ exponent, fraction }: Format): number =>
  Math.min(2 * fraction + 2, fraction + GUARD + exponent);

const squareFormat = (format: Format): Format => ({
  exponent: format.exponent + 1,
  fraction: squareBits(format) - 1,
});

/** -x^2, whose first bit counts twice the square of the significand's first bit. */
function squared(c: Circuit, x: Fields, format: Format): Fields {
  const { exponent: e, fraction: f } = format;
  const exact = product(c, x.significand, x.significand);
  const keptBits = squareBits(format);
  const wide = unsigned(e + 1);
  return {
    ...x,
    sign: c.yes,
    significand: c.slice(exact, 2 * f + 2 - keptBits, keptBits),
    exponent: c.add(wide, c.concat(x.exponent, c.no), c.constant(2, e + 1)),
  };
}
