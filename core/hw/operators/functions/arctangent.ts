/**
 * The angle of a point: atan2(y, x). The smaller coordinate is divided by the larger one; the quotient q has the angle
 * q h(q), where h is smooth and comes from a table and a polynomial. Multiples of a right angle are added in fixed
 * point.
 */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { quotientDigits } from "../arithmetic/divide.ts";
import { type Circuit, signed, unsigned } from "../circuits/circuit.ts";
import { fieldsOf, normalSignificand, roundedAnywhere } from "../circuits/fields.ts";
import { highProduct } from "../circuits/product.ts";
import { normalised, shiftedRight } from "../circuits/shift.ts";
import { fitted } from "./fit.ts";
import { memoized } from "./memoized.ts";
import { polynomialAt } from "./polynomial.ts";
import { arctangent, fixed, over, pi, toFractionBits } from "./real.ts";

/** Guard digits after the result's last place. */
const GUARD = 5;

/** atan(z) / z for z in 0..1. */
const ratios = memoized((fractionBits: number) =>
  fitted((z, wide) => (z === 0n ? fixed(1, wide) : over(arctangent(z, wide), z, wide)), fractionBits),
);

export function angle(c: Circuit, a: Value, b: Value, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const [y, x] = [fieldsOf(c, a, format), fieldsOf(c, b, format)];
  const steep = c.named("steep", c.less(x.magnitude, y.magnitude));
  const both = c.and(x.infinite, y.infinite);
  const none = c.and(x.zero, y.zero);
  const [p, q] = [normalSignificand(c, y, format), normalSignificand(c, x, format)];
  const wide = signed(e + 3);
  const [m, n] = [c.sub(wide, y.exponent, p.count), c.sub(wide, x.exponent, q.count)];
  const fractionBits = f + GUARD;
  // The quotient's first digit counts 1; that or the next one is set.
  const digits = quotientDigits(
    c,
    c.mux(steep, q.value, p.value),
    c.mux(steep, p.value, q.value),
    fractionBits + 1,
  );
  const quotient = c.named("quotient", c.slice(digits, 1, fractionBits + 1));
  const distance = c.named("distance", c.mux(steep, c.sub(wide, m, n), c.sub(wide, n, m)));
  const amount = c.resized(distance, wide.bits - 1);
  // A quotient of 1 is represented as all ones after the binary point.
  const shifted = c.named("moved", shiftedRight(c, quotient, amount));
  const full = c.bit(shifted, fractionBits);
  const z = c.graph.make("or", unsigned(fractionBits), [
    c.resized(shifted, fractionBits),
    c.mux(full, c.constant(-1, fractionBits), c.constant(0, fractionBits)),
  ]);
  const h = c.resized(polynomialAt(c, ratios(fractionBits), z), fractionBits + 1);
  const small = c.named("small", highProduct(c, quotient, h, fractionBits));
  // In units of 2^-fractionBits, shifted by `amount`.
  const near = shiftedRight(c, c.resized(small, fractionBits + 1), amount);
  const half = toFractionBits(pi(fractionBits + 64), fractionBits + 64, fractionBits - 1);
  const shape = unsigned(fractionBits + 3);
  const base = c.mux(
    both,
    c.mux(x.sign, c.constant((3n * half) / 2n, shape.bits), c.constant(half / 2n, shape.bits)),
    c.mux(steep, c.constant(half, shape.bits), c.constant(2n * half, shape.bits)),
  );
  // Towards the right angle, or away from it.
  const less = c.xor(steep, x.sign);
  const subtracted = c.masked(
    c.not(c.or(both, none, c.mux(steep, y.infinite, x.infinite))),
    c.resized(near, shape.bits),
  );
  const total = c.addWithCarry(shape, base, c.mux(less, c.not(subtracted), subtracted), less);
  const plain = c.not(c.or(steep, x.sign, both));
  const result = c.mux(plain, c.concat(c.resized(small, fractionBits + 1), c.constant(0, 2)), total);
  const normal = normalised(c, result);
  const bias = biasOf(format);
  const code = c.mux(
    plain,
    c.sub(wide, c.constant(bias, wide.bits), distance),
    c.graph.constant(bias + 2, wide),
  );
  const zero = c.and(c.not(c.or(steep, x.sign, both)), c.or(y.zero, x.infinite));
  return roundedAnywhere(
    c,
    {
      sign: y.sign,
      top: c.sub(wide, code, normal.count),
      significand: normal.value,
      nan: c.or(x.nan, y.nan),
      zero,
    },
    format,
  );
}
