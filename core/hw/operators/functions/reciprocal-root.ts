/** 1 / sqrt x: the exponent is halved, and significands between 1 and 4 use a table and a polynomial. */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { type Circuit, signed } from "../circuits/circuit.ts";
import { fieldsOf, normalSignificand, roundedNormal } from "../circuits/fields.ts";
import { fitted } from "./fit.ts";
import { memoized } from "./memoized.ts";
import { polynomialAt } from "./polynomial.ts";
import { fixed, over, squareRoot } from "./real.ts";

/** Guard digits after the result's last place; results are below 1, which loses one place. */
const GUARD = 5;

/** For 1 + 2z with z below a half (1 to 2), and for 4z otherwise (2 to 4). */
const reciprocalRoots = memoized((fractionBits: number) =>
  fitted(
    (z, wide) => {
      const one = fixed(1, wide);
      return over(one, squareRoot(2n * z < one ? one + 2n * z : 4n * z, wide), wide);
    },
    fractionBits,
    1,
    1,
  ),
);

export function reciprocalRoot(c: Circuit, code: Value, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const x = fieldsOf(c, code, format);
  const { value, count } = normalSignificand(c, x, format);
  const fractionBits = f + GUARD;
  const wide = signed(e + 3);
  const power = c.named("power", c.sub(wide, c.sub(wide, x.exponent, count), c.constant(biasOf(format), e)));
  const z = c.concat(c.resized(power, 1), c.resized(value, f));
  const root = c.resized(polynomialAt(c, reciprocalRoots(fractionBits), z), fractionBits + 1);
  const isOne = c.bit(root, fractionBits);
  const half = c.graph.make("shr", wide, [power, c.constant(1, 32)]);
  const below = c.add(wide, half, c.not(isOne));
  return roundedNormal(
    c,
    {
      sign: x.sign,
      top: c.sub(wide, c.constant(biasOf(format), e), below),
      significand: c.mux(isOne, root, c.concat(c.resized(root, fractionBits), c.no)),
      nan: c.or(x.nan, c.and(x.sign, c.not(x.zero))),
      infinite: x.zero,
      zero: x.infinite,
    },
    format,
  );
}
