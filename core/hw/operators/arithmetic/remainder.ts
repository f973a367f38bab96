/**
 * fmod and remainder, exact. For x = X 2^n and y = Y 2^0 the remainder is (X (2^n mod Y)) mod Y. The power is computed
 * by squaring, which takes steps for the digits of a few products instead of one for each bit of exponent difference
 * (binary powers from the left: D. Knuth, The Art of Computer Programming 2, 4.6.3). Powers modulo a constant come from
 * a table.
 */
import { lastOf } from "../../../checked/access.ts";
import { type Format, isLiteral, type Value } from "../../dfg/value.ts";
import { type Circuit, signed, unsigned } from "../circuits/circuit.ts";
import { type Fields, fieldsOf, normalSignificand, roundedAnywhere } from "../circuits/fields.ts";
import { product } from "../circuits/product.ts";
import { normalised } from "../circuits/shift.ts";

type Remainder = "ffmod" | "fremainder";

export function remainder(c: Circuit, a: Value, b: Value, op: Remainder, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const [x, y] = [fieldsOf(c, a, format), fieldsOf(c, b, format)];
  const divisor = normalSignificand(c, y, format);
  const wide = signed(e + 3);
  const under = c.named("under", c.sub(wide, y.exponent, divisor.count));
  const distance = c.named("distance", c.sub(wide, x.exponent, under));
  const shape = unsigned(f + 3);
  const by = c.resized(divisor.value, shape.bits);
  const below = c.bit(distance, wide.bits - 1);
  // All but the quotient's last digit.
  const last = before(c, x, divisor.value, distance, furthest(x.exponent, under, format));
  const less = c.sub(shape, c.resized(last, shape.bits), by);
  const odd = c.not(c.bit(less, shape.bits - 1));
  const rest = c.named("rest", c.mux(c.and(odd, c.not(below)), less, c.resized(last, shape.bits)));
  // In halves of the divisor's places.
  const halves = c.mux(below, rest, c.concat(c.resized(rest, shape.bits - 1), c.no));
  const nearer = op === "fremainder" ? rounding() : { size: halves, turned: c.no };
  function rounding(): { readonly size: Value; readonly turned: Value } {
    const tie = c.and(c.equal(halves, by), odd, c.not(below));
    const turned = c.named("turned", c.or(c.less(by, halves), tie));
    return { turned, size: c.mux(turned, c.sub(shape, c.concat(by, c.no), halves), halves) };
  }
  const normal = normalised(c, nearer.size);
  const rounded = roundedAnywhere(
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
  // x is less than the divisor, or than half of it.
  const nearest = op === "fremainder" ? c.less(distance, c.graph.constant(-1, wide)) : below;
  const same = c.and(c.or(nearest, y.infinite), c.not(c.or(x.nan, y.nan, x.infinite)));
  return c.mux(same, a, rounded);
}

/** The largest possible difference of exponents, smaller with a constant operand. */
function furthest(exponent: Value, under: Value, { exponent: e, fraction: f }: Format): number {
  const top = isLiteral(exponent) ? Number(exponent.constant) : 2 ** e - 2;
  const least = isLiteral(under) ? Number(BigInt.asIntN(e + 3, under.constant)) : 1 - f;
  return Math.max(top - least, 0);
}

/** Start of the division's last step: twice the remainder of X 2^(distance - 1), or X if that is not an integer. */
function before(c: Circuit, { significand }: Fields, by: Value, distance: Value, most: number): Value {
  if (most === 0) return significand;
  const { bits } = by.shape;
  const n = c.sub(unsigned(Math.max(1, bitsFor(most - 1))), distance, c.yes);
  const power = isLiteral(by) ? known(c, n, by, most) : squared(c, n, by, most);
  const exact = product(c, significand, power);
  const rest = modulo(c, exact, by, bits);
  const ahead = c.less(c.graph.constant(0, distance.shape), distance);
  return c.mux(ahead, c.concat(rest, c.no), c.resized(significand, bits + 1));
}

const bitsFor = (n: number): number => n.toString(2).length;

/** 2^n modulo a constant, for n below `most`; unspecified for a constant of 0. */
function known(c: Circuit, n: Value, { constant, shape }: Value, most: number): Value {
  const by = constant || 1n;
  const powers = [1n % by];
  while (powers.length < most) powers.push((2n * lastOf(powers)) % by);
  return c.table(n, powers, unsigned(shape.bits));
}

/** 2^n modulo a number with its top bit set; not reduced if n is too small to need squaring. */
function squared(c: Circuit, n: Value, by: Value, most: number): Value {
  const { bits } = by.shape;
  let left = 0;
  while ((most - 1) >> left >= bits) left++;
  const first = Array.from({ length: ((most - 1) >> left) + 1 }, (_, k) => 1n << BigInt(k));
  const index = c.slice(n, left, Math.max(1, n.shape.bits - left));
  let power = c.table(index, first, unsigned(bits));
  while (left-- > 0) {
    const square = product(c, power, power);
    const doubled = c.mux(c.bit(n, left), c.concat(square, c.no), c.resized(square, 2 * bits + 1));
    power = c.named(`power${left}`, modulo(c, doubled, by, bits + 1));
  }
  return power;
}

/** The remainder of a number whose bits above the lowest `steps` are less than the divisor. */
function modulo(c: Circuit, number: Value, by: Value, steps: number): Value {
  const { bits } = by.shape;
  const shape = unsigned(bits + 2);
  const divisor = c.resized(by, shape.bits);
  let rest = c.slice(number, steps, bits);
  for (let k = steps - 1; k >= 0; k--) {
    const now = c.resized(c.concat(rest, c.bit(number, k)), shape.bits);
    const less = c.sub(shape, now, divisor);
    rest = c.resized(c.mux(c.bit(less, shape.bits - 1), now, less), bits);
  }
  return rest;
}
