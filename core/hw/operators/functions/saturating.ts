/**
 * tanh and erf: x h(x), where h is smooth and comes from a table and a polynomial, so that no digits are lost near 0;
 * beyond some x the result rounds to 1.
 */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { type Circuit, signed, unsigned } from "../circuits/circuit.ts";
import { fieldsOf, normalSignificand, roundedAnywhere } from "../circuits/fields.ts";
import { product } from "../circuits/product.ts";
import { normalised, shiftedRight } from "../circuits/shift.ts";
import { fitted } from "./fit.ts";
import { memoized } from "./memoized.ts";
import { polynomialAt } from "./polynomial.ts";
import { errorFunction, fixed, hyperbolicTangent, over, pi, squareRoot } from "./real.ts";

type Saturating = "ftanh" | "ferf";

/** Guard digits after the result's last place; h falls to a ninth of its value at 0, in wide formats to less. */
const GUARD = 9;

/** From this x on the result is 1: 1 - tanh x is about 2 e^-2x, 1 - erf x less than e^-x^2 / 2. */
const endOf = (which: Saturating, fraction: number): number =>
  which === "ftanh" ? ((fraction + 3) * Math.LN2) / 2 : Math.sqrt((fraction + 1) * Math.LN2);

/** h(2^scale z) for z in 0..1, up to `end`. */
const ratios = memoized((which: Saturating, fractionBits: number, scale: number, end: number) =>
  fitted(
    (z, wide) => {
      const x = z << BigInt(scale);
      if (which === "ftanh") return x === 0n ? fixed(1, wide) : over(hyperbolicTangent(x, wide), x, wide);
      return x === 0n
        ? over(fixed(2, wide), squareRoot(pi(wide), wide), wide)
        : over(errorFunction(x, wide), x, wide);
    },
    fractionBits,
    end,
  ),
);

export function saturating(c: Circuit, code: Value, which: Saturating, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const bias = biasOf(format);
  const x = fieldsOf(c, code, format);
  const fractionBits = f + GUARD;
  const most = endOf(which, f);
  const scale = Math.ceil(Math.log2(most));
  const end = most / 2 ** scale;
  // |x| / 2^scale after the binary point: the leading bit of the largest one counts a half.
  const digits = fractionBits + scale;
  const limit = bias + scale - 1;
  const beyond = c.less(c.constant(limit, e), x.exponent);
  const placed = c.concat(x.significand, c.constant(0, digits - f - 1));
  const amount = c.sub(unsigned(e), c.constant(limit, e), x.exponent);
  const z = c.named("z", shiftedRight(c, placed, amount));
  const large = c.or(beyond, c.not(c.less(z, c.constant(BigInt(Math.floor(end * 2 ** digits)), digits))));
  const h = polynomialAt(c, ratios(which, fractionBits, scale, end), z);
  const { value, count } = normalSignificand(c, x, format);
  const exact = c.named("product", product(c, value, c.resized(h, fractionBits + 1)));
  const normal = normalised(c, exact);
  const wide = signed(e + 3);
  // The product's highest bit counts 2 in units of the significand; that of h counts 1.
  const top = c.sub(wide, c.sub(wide, c.add(wide, x.exponent, c.yes), count), normal.count);
  const result = roundedAnywhere(
    c,
    { sign: x.sign, top, significand: normal.value, nan: x.nan, zero: x.zero },
    format,
  );
  const one = c.concat(x.sign, c.constant(BigInt(bias) << BigInt(f), e + f));
  return c.mux(c.and(large, c.not(x.nan)), one, result);
}
