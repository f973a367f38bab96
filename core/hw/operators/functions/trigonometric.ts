/**
 * Sine, cosine and tangent, accurate for every number of the format: x 2/pi is reduced modulo 4 with a window of the
 * digits of 2/pi that x's exponent selects (M. Payne and R. Hanek, SIGNUM Newsletter 18(1), 1983). The fraction z, or 1
 * - z, is mapped to z s(z), where s(z) = sin(z pi/2) / z comes from a table and a polynomial.
 */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { quotientDigits } from "../arithmetic/divide.ts";
import { type Circuit, signed, unsigned } from "../circuits/circuit.ts";
import { fieldsOf, roundedAnywhere, roundedNormal } from "../circuits/fields.ts";
import { highProduct } from "../circuits/product.ts";
import { normalised, shiftedRight } from "../circuits/shift.ts";
import { fitted } from "./fit.ts";
import { memoized } from "./memoized.ts";
import { polynomialAt } from "./polynomial.ts";
import { over, pi, sine, times } from "./real.ts";

/** Guard digits after the result's last place. */
const GUARD = 4;

/** sin(z pi/2) / z for z in 0..1. */
export const slopes = memoized((fractionBits: number) =>
  fitted((z, wide) => {
    const angle = times(z, pi(wide) / 2n, wide);
    return z === 0n ? pi(wide) / 2n : over(sine(angle, wide), z, wide);
  }, fractionBits),
);

/**
 * The largest number of zeros (or ones) after the binary point of M 2^s 2/pi, for M of at most f + 1 bits: continued
 * fractions give the multiples nearest to an integer (W. Kahan, 1983).
 */
const mostLost = memoized((least: number, most: number, digits: number): number => {
  const fractionBits = 4 * digits + 64;
  const long = fractionBits + Math.max(0, most);
  const constant = over(2n << BigInt(long), pi(long), long);
  const one = 1n << BigInt(fractionBits);
  const bound = 1n << BigInt(digits);
  let lostBits = 0;
  for (let s = least; s <= most; s++) {
    const scaled = constant >> BigInt(long - fractionBits - s);
    const fraction = scaled % one;
    let [n, d] = [one, fraction];
    let [before, now] = [0n, 1n];
    while (d !== 0n) {
      const next = (n / d) * now + before;
      if (next >= bound) break;
      [before, now] = [now, next];
      [n, d] = [d, n % d];
    }
    const rest = (now * fraction) % one;
    const distance = rest < one - rest ? rest : one - rest;
    lostBits = Math.max(lostBits, fractionBits + 1 - distance.toString(2).length);
  }
  return lostBits;
});

interface Reduced {
  /** The quadrant, two bits. */
  readonly quadrant: Value;
  /** The fraction. */
  readonly rest: Value;
  /** So small that sin x and tan x round to x. */
  readonly tiny: Value;
  /** Rounds a result; the smallest may be subnormal if the format's exponent range is too small. */
  readonly rounded: typeof roundedNormal;
}

function reduced(c: Circuit, significand: Value, exponent: Value, format: Format): Reduced {
  const { exponent: e, fraction: f } = format;
  const bias = biasOf(format);
  // Below this exponent x^2 / 3 is less than an eighth of the last place.
  const smallest = -Math.ceil((f + 3) / 2) - 1;
  const least = smallest - f;
  const most = 2 ** e - 2 - bias - f;
  const lostBits = mostLost(least, most, f + 1);
  const fractionBits = f + GUARD + lostBits;
  const below = fractionBits + f + 2;
  const window = below + 2;
  const indexBits = Math.min(4, Math.ceil(Math.log2(most - least + 1)));
  const shiftBits = Math.ceil(Math.log2(most - least + 1)) - indexBits;
  const step = 2 ** shiftBits;
  const long = below + most + step + 8;
  const constant = over(2n << BigInt(long), pi(long), long);
  const entries = Array.from({ length: Math.ceil((most - least + 1) / step) }, (_, k) => {
    const at = least + step * k + step - 1;
    const digits = constant >> BigInt(long - below - at);
    return BigInt.asUintN(window + step - 1, digits);
  });
  const tiny = c.less(exponent, c.constant(bias + smallest, e));
  const tableIndex = c.sub(unsigned(e), exponent, c.constant(bias + smallest, e));
  const coarse = c.named(
    "digits",
    c.table(c.slice(tableIndex, shiftBits, indexBits), entries, unsigned(window + step - 1)),
  );
  const digits =
    shiftBits === 0
      ? coarse
      : c.resized(shiftedRight(c, coarse, c.not(c.resized(tableIndex, shiftBits))), window);
  const turns = c.resized(
    highProduct(c, digits, c.masked(c.not(tiny), significand), below - fractionBits),
    fractionBits + 2,
  );
  return {
    quadrant: c.slice(turns, fractionBits, 2),
    rest: c.named("turn", c.resized(turns, fractionBits)),
    tiny,
    rounded: lostBits + 1 < bias ? roundedNormal : roundedAnywhere,
  };
}

/** The digits of sin(z pi/2), of which the first counts 2^-count; that or the next one is set. */
function sineOf(
  c: Circuit,
  z: Value,
  fractionBits: number,
): { readonly digits: Value; readonly count: Value } {
  const bits = z.shape.bits;
  const slope = polynomialAt(c, slopes(fractionBits), c.slice(z, bits - fractionBits, fractionBits));
  const normal = normalised(c, z);
  const angle = c.slice(normal.value, bits - fractionBits - 1, fractionBits + 1);
  const digits = highProduct(c, angle, c.resized(slope, fractionBits + 1), fractionBits);
  return { digits, count: normal.count };
}

/** Normalises digits, of which the first or second is set; returns whether they were shifted. */
export function led(c: Circuit, digits: Value): { readonly value: Value; readonly isShifted: Value } {
  const { bits } = digits.shape;
  const isShifted = c.not(c.bit(digits, bits - 1));
  return { value: c.mux(isShifted, c.concat(c.resized(digits, bits - 1), c.no), digits), isShifted };
}

export function sineOrCosine(c: Circuit, code: Value, which: "sine" | "cosine", format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const x = fieldsOf(c, code, format);
  const { quadrant, rest, tiny, rounded } = reduced(c, x.significand, x.exponent, format);
  const turned = which === "sine" ? quadrant : c.add(unsigned(2), quadrant, c.yes);
  // 1 - z as the complement: too small by a unit far below the last place.
  const z = c.named("z", c.mux(c.bit(turned, 0), c.not(rest), rest));
  const { digits, count } = sineOf(c, z, f + GUARD);
  const { value, isShifted } = led(c, digits);
  const top = signed(e + 3);
  const one = c.constant(biasOf(format), top.bits);
  const half = c.bit(turned, 1);
  const result = rounded(
    c,
    {
      sign: which === "sine" ? c.xor(half, x.sign) : half,
      top: c.sub(top, c.sub(top, one, count), isShifted),
      significand: c.named("sine", value),
      nan: c.or(x.nan, x.infinite),
    },
    format,
  );
  return which === "sine" ? c.mux(tiny, code, result) : result;
}

export function tangent(c: Circuit, code: Value, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const x = fieldsOf(c, code, format);
  const { quadrant, rest, tiny, rounded } = reduced(c, x.significand, x.exponent, format);
  const odd = c.bit(quadrant, 0);
  const sides = [c.mux(odd, c.not(rest), rest), c.mux(odd, rest, c.not(rest))].map((z) => {
    const { digits, count } = sineOf(c, z, f + GUARD);
    return { count, ...led(c, digits) };
  });
  const [over, under] = sides as [(typeof sides)[0], (typeof sides)[0]];
  const top = signed(e + 3);
  const plus = c.add(top, c.add(top, c.constant(biasOf(format), e), under.count), under.isShifted);
  const exponent = c.sub(top, c.sub(top, plus, over.count), over.isShifted);
  const { value, isShifted } = led(c, quotientDigits(c, over.value, under.value, f + 4));
  const result = rounded(
    c,
    {
      sign: c.xor(odd, x.sign),
      top: c.sub(top, exponent, isShifted),
      significand: c.named("quotient", value),
      nan: c.or(x.nan, x.infinite),
    },
    format,
  );
  return c.mux(tiny, code, result);
}
