/**
 * a * b. At most one factor is subnormal where it matters: the product of two subnormals is less than half of the
 * smallest number. That factor is normalised first, so that what is below the result's last place is known to be small.
 */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { type Circuit, signed } from "../circuits/circuit.ts";
import { fieldsOf, normalSignificand, roundedAnywhere } from "../circuits/fields.ts";
import { product } from "../circuits/product.ts";

export function multiplied(c: Circuit, a: Value, b: Value, format: Format): Value {
  const { exponent: e } = format;
  const [x, y] = [fieldsOf(c, a, format), fieldsOf(c, b, format)];
  const small = format.flush ? x.significand : c.mux(y.hidden, x.significand, y.significand);
  const other = format.flush ? y.significand : c.mux(y.hidden, y.significand, x.significand);
  const { value, count } = normalSignificand(c, { ...x, significand: c.named("small", small) }, format);
  const places = c.named("product", product(c, value, other));
  const wide = signed(e + 3);
  const exponents = c.add(wide, x.exponent, y.exponent);
  const top = c.sub(wide, c.sub(wide, exponents, count), c.constant(biasOf(format) - 1, e));
  return roundedAnywhere(
    c,
    {
      sign: c.xor(x.sign, y.sign),
      top: c.named("top", top),
      significand: places,
      nan: c.or(x.nan, y.nan, c.and(x.infinite, y.zero), c.and(x.zero, y.infinite)),
      infinite: c.or(x.infinite, y.infinite),
      zero: c.or(x.zero, y.zero),
    },
    format,
  );
}
