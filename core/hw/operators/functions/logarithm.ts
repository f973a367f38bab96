/**
 * log_b x for b = e, 2 and 10: x = 2^n m with m in 3/4..3/2, and log_b x = n log_b 2 + (m - 1) q(m), where
 * q(m) = log_b(m) / (m - 1) is smooth and comes from a table and a polynomial: near 1 no digits are lost.
 */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { type Circuit, signed } from "../circuits/circuit.ts";
import { type Fields, fieldsOf, normalSignificand, roundedNormal } from "../circuits/fields.ts";
import { product } from "../circuits/product.ts";
import { normalised } from "../circuits/shift.ts";
import { type Base, guardOf, naturalLogarithmOf } from "./exponential.ts";
import { fitted } from "./fit.ts";
import { memoized } from "./memoized.ts";
import { polynomialAt } from "./polynomial.ts";
import { fixed, logarithm, naturalLogarithmOf2, over, toFractionBits } from "./real.ts";

/** q(1 + z) for z below a half, q((1 + z) / 2) otherwise. */
const slopesOf = memoized((base: Base, fractionBits: number) =>
  fitted((z, wide) => {
    const one = fixed(1, wide);
    const m = 2n * z < one ? one + z : (one + z) / 2n;
    return over(over(logarithm(m, wide), naturalLogarithmOf(base, wide), wide), m - one, wide);
  }, fractionBits),
);

interface FixedPoint {
  /** q(m), with the requested places. */
  readonly slope: Value;
  /** Signed, with `places` places after the binary point and space for every exponent. */
  readonly sum: Value;
  readonly fractionBits: number;
}

/** log_b |x| of a number that is neither 0 nor infinite, with a relative error of a few units of 2^-fractionBits. */
export function fixedLogarithm(
  c: Circuit,
  x: Fields,
  base: Base,
  fractionBits: number,
  format: Format,
): FixedPoint {
  const { exponent: e, fraction: f } = format;
  const { value, count } = normalSignificand(c, x, format);
  const fraction = c.resized(value, f);
  const upper = c.bit(fraction, f - 1);
  const wide = signed(e + 2 + Math.ceil(Math.log2(Math.log2(f + 2) + 1)));
  const exponent = c.sub(wide, c.add(wide, x.exponent, upper), count);
  const power = c.named("power", c.sub(wide, exponent, c.constant(biasOf(format), e)));
  // m - 1 with f + 1 places: m is (1 + z) / 2 if z is at least a half.
  const distance = c.named(
    "distance",
    c.mux(
      upper,
      c.signed(c.concat(c.yes, c.yes, fraction), f + 2),
      c.signed(c.concat(c.no, fraction, c.no), f + 2),
    ),
  );
  const slope = polynomialAt(c, slopesOf(base, fractionBits), fraction);
  const near = asSigned(c, product(c, distance, slope));
  // n log_b 2, with as many places as its own digits leave exact.
  const log2 = over(
    naturalLogarithmOf2(fractionBits + 64),
    naturalLogarithmOf(base, fractionBits + 64),
    fractionBits + 64,
  );
  const unitFractionBits = fractionBits + e;
  const log2Bits = toFractionBits(log2, fractionBits + 64, unitFractionBits);
  const far = asSigned(c, product(c, power, c.constant(log2Bits, unitFractionBits + 1)));
  const low = f + 1 + fractionBits;
  const aligned =
    low >= unitFractionBits
      ? c.concat(far, c.constant(0, low - unitFractionBits))
      : c.graph.make("shr", far.shape, [far, c.constant(unitFractionBits - low, 32)]);
  return { slope, sum: c.named("sum", c.add(signed(e + 2 + low), aligned, near)), fractionBits: low };
}

const asSigned = (c: Circuit, value: Value): Value => c.graph.resize(value, signed(value.shape.bits));

/** The magnitude; for a negative number it is one unit too small, which is far below the last place. */
export function magnitudeOf(c: Circuit, sum: Value): { readonly negative: Value; readonly magnitude: Value } {
  const negative = c.bit(sum, sum.shape.bits - 1);
  return { negative, magnitude: c.resized(c.mux(negative, c.not(sum), sum), sum.shape.bits - 1) };
}

export function logarithmOf(c: Circuit, code: Value, base: Base, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const x = fieldsOf(c, code, format);
  const { sum } = fixedLogarithm(c, x, base, f + guardOf(base), format);
  const { negative, magnitude } = magnitudeOf(c, sum);
  const normal = normalised(c, c.named("total", magnitude));
  const top = signed(e + 3);
  return roundedNormal(
    c,
    {
      sign: c.or(negative, x.zero),
      top: c.sub(top, c.constant(biasOf(format) + e, top.bits), normal.count),
      significand: normal.value,
      nan: c.or(x.nan, c.and(x.sign, c.not(x.zero))),
      infinite: c.or(x.zero, x.infinite),
      zero: c.none(sum),
    },
    format,
  );
}
