/**
 * a + b: the smaller magnitude is shifted to the larger one's exponent, the sum is normalised as far as the exponent
 * range allows, and rounded. With different signs, magnitudes are subtracted.
 */
import type { Format, Value } from "../../dfg/value.ts";
import { type Circuit, unsigned } from "../circuits/circuit.ts";
import { fieldsOf, rounded } from "../circuits/fields.ts";
import { normalised, normalisedWithin, shiftedRightJamming } from "../circuits/shift.ts";

export function sum(c: Circuit, a: Value, b: Value, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const [p, q] = [fieldsOf(c, a, format), fieldsOf(c, b, format)];
  const swap = c.named("swap", c.less(p.magnitude, q.magnitude));
  // Compute both differences, before it is known which one is needed.
  const distance = c.mux(
    swap,
    c.sub(unsigned(e), q.exponent, p.exponent),
    c.sub(unsigned(e), p.exponent, q.exponent),
  );
  const larger = c.named("larger", c.mux(swap, q.significand, p.significand));
  const smaller = c.named("smaller", c.mux(swap, p.significand, q.significand));
  const subtract = c.xor(p.sign, q.sign);
  // Two extra places and a sticky bit: a bit is lost only if the exponents differ by at least two, and then the sum has
  // at most one leading zero.
  const placed = (v: Value) => c.concat(v, c.constant(0, 3));
  const aligned = c.named("moved", shiftedRightJamming(c, placed(smaller), c.named("distance", distance)));
  const bits = f + 5;
  const added = format.flush ? c.masked(c.not(c.mux(swap, p.zero, q.zero)), aligned) : aligned;
  const turned = c.mux(subtract, c.not(c.resized(added, bits)), c.resized(added, bits));
  const total = c.addWithCarry(unsigned(bits), placed(larger), turned, subtract);
  const exponent = c.mux(swap, q.exponent, p.exponent);
  const { value, limit, zero } = leading(c, c.named("total", total), exponent, format);
  const low = c.any(c.resized(value, 3));
  // Equal magnitudes with different signs give +0.
  const same = c.equal(p.magnitude, q.magnitude);
  const nothing = format.flush ? c.and(p.zero, q.zero) : c.no;
  const cancelled = c.and(subtract, c.or(same, nothing));
  const nan = c.or(p.nan, q.nan, c.and(p.infinite, q.infinite, subtract));
  return rounded(
    c,
    {
      sign: c.and(c.mux(swap, q.sign, p.sign), c.not(cancelled)),
      base: c.resized(limit, e + 1),
      significand: c.named("normal", c.concat(c.slice(value, 3, f + 2), low)),
      nan,
      infinite: c.or(p.infinite, q.infinite),
      zero: c.or(cancelled, zero, nothing),
    },
    format,
  );
}

/** The sum normalised as far as the exponent range allows, and the resulting exponent; `zero`: underflow to 0. */
function leading(
  c: Circuit,
  total: Value,
  exponent: Value,
  { flush }: Format,
): { readonly value: Value; readonly limit: Value; readonly zero: Value } {
  if (!flush) return { ...normalisedWithin(c, total, exponent), zero: c.no };
  const { value, count } = normalised(c, total);
  return { value, limit: c.sub(exponent.shape, exponent, count), zero: c.less(exponent, count) };
}
