/**
 * log_b x for b = e, 2 and 10: x = 2^n m with m in 3/4..3/2, and log_b x = n log_b 2 + (m - 1) q(m), where
 * q(m) = log_b(m) / (m - 1) is smooth and comes from a table and a polynomial: near 1 no digits are lost.
 */
import type { Format, Value } from "../graph.ts";
import { type Circuit, signed } from "./circuit.ts";
import { type Base, guardOf, naturalLogarithmOf } from "./exponential.ts";
import { fieldsOf, normalSignificand, roundedNormal } from "./fields.ts";
import { fitted, type Piecewise } from "./fit.ts";
import { biasOf } from "./format.ts";
import { polynomialAt } from "./polynomial.ts";
import { product } from "./product.ts";
import { fixed, logarithm, naturalLogarithmOf2, over, toPlaces } from "./real.ts";
import { normalised } from "./shift.ts";

const fits = new Map<string, Piecewise>();

/** q(1 + z) for z below a half, q((1 + z) / 2) from there. */
function slopesOf(base: Base, places: number): Piecewise {
  const key = `${base} ${places}`;
  const found = fits.get(key);
  if (found) return found;
  const made = fitted((z, wide) => {
    const one = fixed(1, wide);
    const m = 2n * z < one ? one + z : (one + z) / 2n;
    return over(over(logarithm(m, wide), naturalLogarithmOf(base, wide), wide), m - one, wide);
  }, places);
  fits.set(key, made);
  return made;
}

export function logarithmOf(c: Circuit, code: Value, base: Base, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const bias = biasOf(format);
  const x = fieldsOf(c, code, format);
  const { value, count } = normalSignificand(c, x, format);
  const fraction = c.resized(value, f);
  const upper = c.bit(fraction, f - 1);
  const wide = signed(e + 2 + Math.ceil(Math.log2(Math.log2(f + 2) + 1)));
  const code0 = c.add(wide, x.exponent, upper);
  const power = c.named("power", c.sub(wide, c.sub(wide, code0, count), c.constant(bias, e)));
  // m - 1 with f + 1 places: m is (1 + z) / 2 where z is a half or more.
  const distance = c.named(
    "distance",
    c.mux(
      upper,
      c.signed(c.concat(c.yes, c.yes, fraction), f + 2),
      c.signed(c.concat(c.no, fraction, c.no), f + 2),
    ),
  );
  const places = f + guardOf(base);
  const slope = polynomialAt(c, slopesOf(base, places), fraction);
  const near = product(c, distance, slope);
  // n log_b 2, with as many places as its own digits leave exact.
  const log2 = over(naturalLogarithmOf2(places + 64), naturalLogarithmOf(base, places + 64), places + 64);
  const unitPlaces = places + e;
  const unit = toPlaces(log2, places + 64, unitPlaces);
  const far = product(c, power, c.constant(unit, unitPlaces + 1));
  const low = f + 1 + places;
  const total = signed(e + 2 + low);
  const aligned =
    low >= unitPlaces
      ? c.concat(c.graph.resize(far, signed(far.shape.bits)), c.constant(0, low - unitPlaces))
      : c.graph.make("shr", signed(far.shape.bits), [
          c.graph.resize(far, signed(far.shape.bits)),
          c.constant(unitPlaces - low, 32),
        ]);
  const sum = c.named(
    "sum",
    c.add(total, aligned, c.signed(c.graph.resize(near, signed(near.shape.bits)), near.shape.bits)),
  );
  const negative = c.bit(sum, total.bits - 1);
  // The complement is one unit off, of many below the last place.
  const magnitude = c.resized(c.mux(negative, c.not(sum), sum), total.bits - 1);
  const normal = normalised(c, c.named("total", magnitude));
  const top = signed(e + 3);
  return roundedNormal(
    c,
    {
      sign: c.or(negative, x.zero),
      top: c.sub(top, c.constant(bias + e, top.bits), normal.count),
      significand: normal.value,
      nan: c.or(x.nan, c.and(x.sign, c.not(x.zero))),
      infinite: c.or(x.zero, x.infinite),
      zero: c.none(sum),
    },
    format,
  );
}
