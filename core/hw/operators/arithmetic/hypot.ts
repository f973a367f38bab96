/**
 * The square root of a^2 + b^2, rounded once: the squares are exact, and a sticky bit records what the smaller one
 * loses.
 */
import { mapTuple } from "../../../checked/tuples.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { type Circuit, signed } from "../circuits/circuit.ts";
import { fieldsOf, roundedAnywhere } from "../circuits/fields.ts";
import { product } from "../circuits/product.ts";
import { normalised, shiftedRightJamming } from "../circuits/shift.ts";
import { rootDigits } from "./divide.ts";

/** Places below the larger square, from which the root's last bits come. */
const BELOW = 6;

export function hypotenuse(c: Circuit, a: Value, b: Value, format: Format): Value {
  const { exponent: e } = format;
  const [x, y] = [fieldsOf(c, a, format), fieldsOf(c, b, format)];
  const swap = c.named("swap", c.less(x.magnitude, y.magnitude));
  const [large, small] = mapTuple(
    [
      { p: x, q: y },
      { p: y, q: x },
    ],
    ({ p, q }) => ({
      significand: c.mux(swap, q.significand, p.significand),
      exponent: c.mux(swap, q.exponent, p.exponent),
    }),
  );
  const [square, other] = mapTuple([large, small], ({ significand }) =>
    c.concat(product(c, significand, significand), c.constant(0, BELOW)),
  );
  const distance = c.sub({ bits: e, signed: false }, large.exponent, small.exponent);
  const aligned = shiftedRightJamming(c, other, c.concat(distance, c.no));
  const bits = square.shape.bits + 1;
  const sum = c.named("sum", c.add({ bits, signed: false }, square, aligned));
  const { value, count } = normalised(c, sum);
  // The first bit of a normal sum counts 2 or 1 in units of the larger square.
  const wide = signed(e + 3);
  const odd = c.resized(count, 1);
  const exponent = c.sub(
    wide,
    c.add(wide, large.exponent, c.yes),
    c.graph.make("shr", count.shape, [c.add(count.shape, count, c.yes), c.constant(1, 32)]),
  );
  // The exponent must be even: the radicand is in 1 to 4.
  const scaled = c.mux(odd, c.concat(value, c.no), c.concat(c.no, value));
  return roundedAnywhere(
    c,
    {
      sign: c.no,
      top: exponent,
      significand: rootDigits(c, scaled, Math.ceil(scaled.shape.bits / 2)),
      nan: c.and(c.or(x.nan, y.nan), c.not(c.or(x.infinite, y.infinite))),
      infinite: c.or(x.infinite, y.infinite),
      zero: c.and(x.zero, y.zero),
    },
    format,
  );
}
