/** a * b + c, rounded once: the exact product and the addend are aligned in a field wide enough for both. */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { type Circuit, signed, unsigned } from "../circuits/circuit.ts";
import { type Fields, fieldsOf, roundedAnywhere } from "../circuits/fields.ts";
import { product } from "../circuits/product.ts";
import { normalised, shiftedRightJamming } from "../circuits/shift.ts";

/** Extra places below the product, so that after subtracting something tiny there is still a bit to round. */
const BELOW = 3;

export function multipliedAndAdded(c: Circuit, operands: readonly Value[], format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const bias = biasOf(format);
  const [x, y, z] = operands.map((v) => fieldsOf(c, v, format)) as [Fields, Fields, Fields];
  const exact = c.named("product", product(c, x.significand, y.significand));
  const nothing = c.or(x.zero, y.zero);
  const sign = c.xor(x.sign, y.sign);
  // The addend starts two places above the product and is shifted down by `amount`.
  const above = 2 * f + 4;
  const wide = signed(e + 3);
  const factors = c.add(wide, x.exponent, y.exponent);
  const amount = c.named(
    "amount",
    c.sub(wide, c.add(wide, factors, c.graph.constant(above - bias - f, wide)), z.exponent),
  );
  const far = c.or(nothing, c.bit(amount, wide.bits - 1));
  const bits = 3 * f + 5 + BELOW;
  const addend = shiftedRightJamming(
    c,
    c.concat(z.significand, c.constant(0, above + BELOW)),
    c.masked(c.not(far), c.resized(amount, wide.bits - 1)),
  );
  const factor = c.resized(c.masked(c.not(nothing), c.concat(exact, c.constant(0, BELOW))), bits);
  const subtract = c.xor(sign, z.sign);
  const field = unsigned(bits + 1);
  const extendedFactor = c.resized(factor, bits + 1);
  const difference = c.addWithCarry(
    field,
    addend,
    c.mux(subtract, c.not(extendedFactor), extendedFactor),
    subtract,
  );
  const negative = c.and(subtract, c.bit(difference, bits));
  const turned = c.mux(negative, c.not(difference), difference);
  const total = c.named("total", c.addWithCarry(field, turned, c.constant(0, bits + 1), negative));
  const { value, count } = normalised(c, total);
  // The exponent's code if the sum's highest bit is set.
  const ofProduct = c.add(wide, factors, c.graph.constant(bits - BELOW - bias - 2 * f, wide));
  const ofAddend = c.add(wide, z.exponent, c.graph.constant(1, wide));
  const base = c.mux(far, ofAddend, ofProduct);
  const zero = c.none(total);
  const infinite = c.or(x.infinite, y.infinite);
  const opposite = c.and(infinite, z.infinite, subtract);
  return roundedAnywhere(
    c,
    {
      sign: c.mux(
        c.or(infinite, z.infinite),
        c.mux(infinite, sign, z.sign),
        c.mux(zero, c.and(sign, z.sign), c.xor(z.sign, negative)),
      ),
      top: c.named("top", c.sub(wide, base, count)),
      significand: value,
      nan: c.or(x.nan, y.nan, z.nan, c.and(infinite, nothing), opposite),
      infinite: c.or(infinite, z.infinite),
      zero,
    },
    format,
  );
}
