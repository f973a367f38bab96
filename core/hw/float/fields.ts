/** The parts of a floating-point number, and the number from its parts. */
import type { Format, Value } from "../graph.ts";
import { type Circuit, unsigned } from "./circuit.ts";
import { shiftedRightJamming } from "./shift.ts";

export interface Fields {
  readonly sign: Value;
  /** All bits but the sign: larger magnitudes have larger codes. */
  readonly magnitude: Value;
  /** The exponent's code; 1 for 0 and subnormal numbers, whose fraction counts as that of 1 does. */
  readonly exponent: Value;
  /** One bit, the leading one that the code leaves out: 0 for 0 and subnormal numbers. */
  readonly hidden: Value;
  /** With the hidden bit. */
  readonly significand: Value;
  readonly nan: Value;
  readonly infinite: Value;
  readonly zero: Value;
}

export function fieldsOf(c: Circuit, code: Value, { exponent: e, fraction: f }: Format): Fields {
  const fraction = c.resized(code, f);
  const exponent = c.slice(code, f, e);
  const hidden = c.any(exponent);
  const special = c.all(exponent);
  const some = c.any(fraction);
  const lowest = c.or(c.resized(exponent, 1), c.not(hidden));
  return {
    sign: c.bit(code, e + f),
    magnitude: c.resized(code, e + f),
    exponent: c.concat(c.slice(exponent, 1, e - 1), lowest),
    hidden,
    significand: c.concat(hidden, fraction),
    nan: c.and(special, some),
    infinite: c.and(special, c.not(some)),
    zero: c.not(c.or(hidden, some)),
  };
}

/** A number before it is rounded. */
export interface Unrounded {
  readonly sign: Value;
  /**
   * One less than the exponent's code where the significand's top bit is set; where that is not set, 0. Never
   * negative, and wider than the format's exponent.
   */
  readonly base: Value;
  /** The hidden bit and the fraction, then a bit of half their last place, then whether anything is below. */
  readonly significand: Value;
  /** What the result is whatever the rest says. */
  readonly nan?: Value;
  readonly infinite?: Value;
  readonly zero?: Value;
}

/** Rounds to nearest, ties to even, and gives the code; what is too large becomes infinite. */
export function rounded(c: Circuit, number: Unrounded, { exponent: e, fraction: f }: Format): Value {
  const { sign, base, significand } = number;
  const fraction = c.slice(significand, 2, f);
  const hidden = c.bit(significand, f + 2);
  const up = c.and(c.bit(significand, 1), c.any(c.concat(c.bit(significand, 2), c.bit(significand, 0))));
  // The hidden bit adds one to the exponent, and so does a fraction that rounds up beyond its largest.
  const sum = c.add(
    unsigned(base.shape.bits + f),
    c.concat(base, fraction),
    c.concat(hidden, ...(f > 1 ? [c.constant(0, f - 1)] : []), up),
  );
  const code = c.slice(sum, f, e);
  const large = c.or(c.any(c.slice(sum, e + f, base.shape.bits - e)), c.all(code));
  const { nan = c.no, infinite = c.no, zero = c.no } = number;
  const top = c.or(c.and(large, c.not(zero)), infinite, nan);
  const exponent = c.mux(top, c.constant(-1, e), c.masked(c.not(zero), code));
  const rest = c.masked(c.not(c.or(top, zero)), c.resized(sum, f));
  const quiet = c.concat(nan, ...(f > 1 ? [c.constant(0, f - 1)] : []));
  return c.concat(sign, exponent, c.graph.make("or", unsigned(f), [rest, quiet]));
}

/**
 * Rounds a number whose exponent may be below the format's. `top`: the exponent's code, as if it had no
 * bounds, of a significand whose top bit is set; signed. `significand`: of any length, its top bit or the next
 * one is set.
 */
export function roundedAnywhere(
  c: Circuit,
  number: Omit<Unrounded, "base"> & { readonly top: Value },
  format: Format,
): Value {
  const { top } = number;
  const places = format.fraction + 3;
  const more = places + 1 - number.significand.shape.bits;
  const significand = more > 0 ? c.concat(number.significand, c.constant(0, more)) : number.significand;
  const { bits } = significand.shape;
  const jammed = (value: Value, low: number) =>
    low === 0 ? value : c.concat(c.slice(value, low, bits - low), c.any(c.resized(value, low)));
  // Of the form 1.xxx or 01.xxx: the first has a place more than it may keep.
  const leading = c.bit(significand, bits - 1);
  const whole = jammed(significand, bits - places + 1);
  const half = jammed(significand, bits - places);
  const aligned = c.named("aligned", c.mux(leading, whole, c.resized(half, places)));
  const wide = { bits: top.shape.bits, signed: true };
  // One less than the code, and another one less where the top bit is not set: top - 2 + leading.
  const base = c.named("base", c.addWithCarry(wide, top, c.constant(-2, wide.bits), leading));
  const low = c.bit(base, wide.bits - 1);
  const amount = c.resized(c.sub(wide, c.constant(0, wide.bits), base), wide.bits - 1);
  const placed = shiftedRightJamming(c, aligned, c.masked(low, amount));
  return rounded(
    c,
    {
      ...number,
      base: c.resized(c.masked(c.not(low), base), wide.bits - 1),
      significand: c.named("placed", placed),
    },
    format,
  );
}
