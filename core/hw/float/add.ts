/**
 * a + b: the smaller magnitude is shifted to the larger one's exponent, the sum is normalised as far as the
 * exponent goes down, and rounded. Differences of signs are subtractions of magnitudes.
 */
import type { Format, Value } from "../graph.ts";
import { type Circuit, unsigned } from "./circuit.ts";
import { fieldsOf, rounded } from "./fields.ts";
import { normalisedWithin, shiftedRightJamming } from "./shift.ts";

export function sum(c: Circuit, a: Value, b: Value, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const magnitude = (v: Value) => c.resized(v, e + f);
  const swap = c.named("swap", c.less(magnitude(a), magnitude(b)));
  const x = fieldsOf(c, c.named("larger", c.mux(swap, b, a)), format);
  const y = fieldsOf(c, c.named("smaller", c.mux(swap, a, b)), format);
  const subtract = c.xor(x.sign, y.sign);
  const distance = c.named("distance", c.sub(unsigned(e), x.exponent, y.exponent));
  // Two places and one for all that is below: a bit is lost only where the exponents differ by two and more,
  // and then the sum has at most one leading zero.
  const placed = (v: Value) => c.concat(v, c.constant(0, 3));
  const moved = c.named("moved", shiftedRightJamming(c, placed(y.significand), distance));
  const bits = f + 5;
  const turned = c.mux(subtract, c.not(c.resized(moved, bits)), c.resized(moved, bits));
  const total = c.addWithCarry(unsigned(bits), placed(x.significand), turned, subtract);
  const { value, limit } = normalisedWithin(c, c.named("total", total), x.exponent);
  const low = c.any(c.resized(value, 3));
  // Equal magnitudes of different signs give +0.
  const cancelled = c.and(subtract, c.equal(x.magnitude, y.magnitude));
  const nan = c.or(x.nan, y.nan, c.and(x.infinite, y.infinite, subtract));
  return rounded(
    c,
    {
      sign: c.and(x.sign, c.not(cancelled)),
      base: c.resized(limit, e + 1),
      significand: c.named("normal", c.concat(c.slice(value, 3, f + 2), low)),
      nan,
      infinite: c.or(x.infinite, y.infinite),
      zero: cancelled,
    },
    format,
  );
}
