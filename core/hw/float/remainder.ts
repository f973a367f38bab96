/**
 * fmod and remainder, exact: long division that keeps what is left. There is a step for each place by which the exponents
 * of two numbers of the format may differ; those beyond the difference of a pair leave it as it is.
 */
import type { Format, Value } from "../graph.ts";
import { type Circuit, signed, unsigned } from "./circuit.ts";
import { fieldsOf, normalSignificand, roundedAnywhere } from "./fields.ts";
import { normalised } from "./shift.ts";

export type Remainder = "ffmod" | "fremainder";

export function remainder(c: Circuit, a: Value, b: Value, op: Remainder, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const [x, y] = [fieldsOf(c, a, format), fieldsOf(c, b, format)];
  const divisor = normalSignificand(c, y, format);
  const wide = signed(e + 3);
  const under = c.named("under", c.sub(wide, y.exponent, divisor.count));
  const distance = c.named("distance", c.sub(wide, x.exponent, under));
  const shape = unsigned(f + 3);
  const by = c.resized(divisor.value, shape.bits);
  let rest = c.resized(x.significand, shape.bits);
  let odd: Value = c.no;
  for (let step = furthest(x.exponent, under, format); step >= 0; step--) {
    const less = c.sub(shape, rest, by);
    const fits = c.not(c.bit(less, shape.bits - 1));
    const left = c.mux(fits, less, rest);
    const active = c.less(c.graph.constant(step - 1, wide), distance);
    const next = step === 0 ? left : c.concat(c.resized(left, shape.bits - 1), c.no);
    rest = c.named(`rest${step}`, c.mux(active, next, rest));
    odd = fits;
  }
  const below = c.bit(distance, wide.bits - 1);
  // In halves of the divisor's places.
  const halves = c.mux(below, rest, c.concat(c.resized(rest, shape.bits - 1), c.no));
  const nearer = op === "fremainder" ? rounding() : { size: halves, turned: c.no };
  function rounding(): { readonly size: Value; readonly turned: Value } {
    const tie = c.and(c.equal(halves, by), odd, c.not(below));
    const turned = c.named("turned", c.or(c.less(by, halves), tie));
    return { turned, size: c.mux(turned, c.sub(shape, c.concat(by, c.no), halves), halves) };
  }
  const normal = normalised(c, nearer.size);
  const found = roundedAnywhere(
    c,
    {
      sign: c.xor(x.sign, nearer.turned),
      top: c.sub(wide, c.add(wide, under, c.yes), normal.count),
      significand: normal.value,
      nan: c.or(x.nan, y.nan, x.infinite, y.zero),
      zero: c.none(nearer.size),
    },
    format,
  );
  // Less than the divisor, or than half of it.
  const nearest = op === "fremainder" ? c.less(distance, c.graph.constant(-1, wide)) : below;
  const same = c.and(c.or(nearest, y.infinite), c.not(c.or(x.nan, y.nan, x.infinite)));
  return c.mux(same, a, found);
}

/** By how much exponents may differ: a constant operand tells more of that. */
function furthest(exponent: Value, under: Value, { exponent: e, fraction: f }: Format): number {
  const top = exponent.op === "const" ? Number(exponent.constant) : 2 ** e - 2;
  const least = under.op === "const" ? Number(BigInt.asIntN(e + 3, under.constant as bigint)) : 1 - f;
  return Math.max(top - least, 0);
}
