/**
 * b^x for b = e, 2 and 10. x is converted to fixed point and split: x = n log_b 2 + r with r in 0..1, so that b^x = 2^n
 * b^r; b^r comes from a table and a polynomial.
 */

import { biasOf } from "../../dfg/float-format.ts";
import type { Elementary, Format, Value } from "../../dfg/value.ts";
import { type Circuit, signed, unsigned } from "../circuits/circuit.ts";
import { type Fields, fieldsOf, roundedAnywhere } from "../circuits/fields.ts";
import { highProduct, product } from "../circuits/product.ts";
import { shiftedRight } from "../circuits/shift.ts";
import { fitted } from "./fit.ts";
import { memoized } from "./memoized.ts";
import { polynomialAt } from "./polynomial.ts";
import { exponential, fixed, naturalLogarithmOf2, naturalLogarithmOf10, over, times } from "./real.ts";

export type Base = "e" | "2" | "10";

/**
 * Guard digits after the result's last place, so that errors there are small compared with half of it; ln 10 magnifies
 * them.
 */
export const guardOf = (base: Base): number => (base === "10" ? 5 : 4);

/** ln b */
export const naturalLogarithmOf = (base: Base, fractionBits: number): bigint =>
  base === "e"
    ? fixed(1, fractionBits)
    : base === "2"
      ? naturalLogarithmOf2(fractionBits)
      : naturalLogarithmOf10(fractionBits);

export const baseOf = (op: Elementary): Base => (op.endsWith("10") ? "10" : op.endsWith("2") ? "2" : "e");

/** b^r for r in 0..1, up to the largest remainder. */
export const powersOf = memoized((base: Base, fractionBits: number) => {
  // n may be one quarter less than what x requires.
  const end = base === "2" ? 1 : (1.25 * Math.LN2) / (base === "e" ? 1 : Math.LN10);
  return fitted(
    (r, wide) => exponential(times(r, naturalLogarithmOf(base, wide), wide), wide),
    fractionBits,
    end,
  );
});

/** A power before rounding: 2^power times a significand. */
interface Power {
  /** x with `places` places, signed; unspecified if x is huge. */
  readonly x: Value;
  readonly power: Value;
  /** With `places` + 1 places and two bits before the point. */
  readonly significand: Value;
  /** The power is infinite, or, for negative x, rounds to 0. */
  readonly huge: Value;
}

export function powerOf(c: Circuit, x: Fields, base: Base, fractionBits: number, format: Format): Power {
  const { exponent: e, fraction: f } = format;
  const bias = biasOf(format);
  // Beyond 2^whole every power is infinite or rounds to 0.
  const perUnit = base === "2" ? 1 : base === "e" ? Math.LOG2E : Math.log2(10);
  const integerBits = Math.ceil(Math.log2((bias + f + 2) / perUnit));
  const limit = c.constant(bias + integerBits, e);
  const huge = bias + integerBits < 2 ** e ? c.not(c.less(x.exponent, limit)) : c.no;
  // The significand's leading bit counts 2^(whole - 1) before it is shifted.
  const operand = x.significand;
  const placed =
    fractionBits + integerBits > f + 1
      ? c.concat(operand, c.constant(0, fractionBits + integerBits - f - 1))
      : operand;
  const amount = c.sub(unsigned(e), c.constant(bias + integerBits - 1, e), x.exponent);
  const magnitude = c.named("magnitude", shiftedRight(c, placed, amount));
  const wide = signed(integerBits + fractionBits + 1);
  const turned = c.mux(x.sign, c.not(c.graph.resize(magnitude, wide)), c.graph.resize(magnitude, wide));
  const fixedPoint = c.named("x", c.addWithCarry(wide, turned, c.constant(0, wide.bits), x.sign));
  const { power, rest } = split(c, fixedPoint, integerBits, fractionBits, base, perUnit);
  const significand = polynomialAt(c, powersOf(base, fractionBits + 1), c.named("rest", rest));
  return { x: fixedPoint, power, significand: c.resized(significand, fractionBits + 3), huge };
}

export function exponentiated(c: Circuit, code: Value, base: Base, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const x = fieldsOf(c, code, format);
  const { power, significand, huge } = powerOf(c, x, base, f + guardOf(base), format);
  const exponent = signed(e + 3);
  return roundedAnywhere(
    c,
    {
      sign: c.no,
      // The leading bit counts two.
      top: c.named("top", c.add(exponent, power, c.constant(biasOf(format) + 1, e))),
      significand,
      nan: x.nan,
      infinite: c.and(huge, c.not(x.sign), c.not(x.nan)),
      zero: c.and(huge, x.sign),
    },
    format,
  );
}

/** n and r of x = n log_b 2 + r; r is unsigned with `places` places, all after the binary point. */
function split(
  c: Circuit,
  x: Value,
  integerBits: number,
  fractionBits: number,
  base: Base,
  perUnit: number,
): { readonly power: Value; readonly rest: Value } {
  if (base === "2")
    return {
      power: c.graph.make("shr", x.shape, [x, c.constant(fractionBits, 32)]),
      rest: c.resized(x, fractionBits),
    };
  // x log2 b, never too large, and too small by at most a quarter.
  const keptBits = 4 + Math.ceil(Math.log2(perUnit));
  const top = c.signed(
    c.graph.make("shr", x.shape, [x, c.constant(fractionBits - keptBits, 32)]),
    integerBits + keptBits + 1,
  );
  const digits = integerBits + 4;
  const factor = BigInt(Math.floor(perUnit * 2 ** digits));
  const scaled = product(c, top, c.constant(factor, digits + 2));
  const shape = signed(scaled.shape.bits);
  const estimate = c.add(
    shape,
    c.graph.resize(scaled, shape),
    c.graph.constant(-1n << BigInt(keptBits + digits - 4), shape),
  );
  const power = c.named(
    "power",
    c.signed(c.graph.make("shr", shape, [estimate, c.constant(keptBits + digits, 32)]), integerBits + 3),
  );
  // The remainder is below one, so that only places after the binary point matter.
  const log2 = over(
    naturalLogarithmOf2(fractionBits + 64),
    naturalLogarithmOf(base, fractionBits + 64),
    fractionBits + 64,
  );
  const more = integerBits + 2;
  const log2Bits = log2 >> BigInt(64 - more);
  const subtracted = c.resized(
    highProduct(c, power, c.constant(log2Bits, fractionBits + more), more),
    fractionBits,
  );
  return { power, rest: c.sub(unsigned(fractionBits), c.resized(x, fractionBits), subtracted) };
}
