/** Unpacks floating-point numbers into fields, and rounds and packs results. */
import type { Format, Value } from "../../dfg/value.ts";
import { type Circuit, unsigned } from "./circuit.ts";
import { normalised, shiftedRightJamming } from "./shift.ts";

export interface Fields {
  readonly sign: Value;
  /** All bits but the sign: larger magnitudes have larger codes. */
  readonly magnitude: Value;
  /** The exponent's code; 1 for 0 and subnormal numbers, whose fractions have that weight. */
  readonly exponent: Value;
  /** One bit, the leading bit that the code omits: 0 for 0 and subnormal numbers. */
  readonly hidden: Value;
  /** Includes the hidden bit; in a format that flushes subnormals it is always one, even for 0. */
  readonly significand: Value;
  readonly nan: Value;
  readonly infinite: Value;
  readonly zero: Value;
}

export function fieldsOf(c: Circuit, code: Value, { exponent: e, fraction: f, flush }: Format): Fields {
  const fraction = c.resized(code, f);
  const exponent = c.slice(code, f, e);
  const hidden = c.any(exponent);
  const special = c.all(exponent);
  const some = c.any(fraction);
  const lowest = flush ? c.resized(exponent, 1) : c.or(c.resized(exponent, 1), c.not(hidden));
  return {
    sign: c.bit(code, e + f),
    magnitude: c.resized(code, e + f),
    exponent: c.concat(c.slice(exponent, 1, e - 1), lowest),
    hidden,
    significand: c.concat(flush ? c.yes : hidden, fraction),
    nan: c.and(special, some),
    infinite: c.and(special, c.not(some)),
    zero: c.not(flush ? hidden : c.or(hidden, some)),
  };
}

/** The significand with its top bit set, and by how much the exponent decreases; unspecified for 0. */
export function normalSignificand(
  c: Circuit,
  { significand }: Fields,
  { flush }: Format,
): { readonly value: Value; readonly count: Value } {
  return flush ? { value: significand, count: c.no } : normalised(c, significand);
}

/** A number before rounding. */
interface Unrounded {
  readonly sign: Value;
  /**
   * One less than the exponent's code if the significand's top bit is set, otherwise 0. Never negative, and wider than
   * the format's exponent.
   */
  readonly base: Value;
  /** The hidden bit and the fraction, then a guard bit and a sticky bit. */
  readonly significand: Value;
  /** Overrides all other fields. */
  readonly nan?: Value;
  readonly infinite?: Value;
  readonly zero?: Value;
}

/** Rounds to nearest, ties to even, and packs the code; overflow gives infinity. */
export function rounded(c: Circuit, number: Unrounded, { exponent: e, fraction: f }: Format): Value {
  const { sign, base, significand } = number;
  const fraction = c.slice(significand, 2, f);
  const hidden = c.bit(significand, f + 2);
  const up = c.and(c.bit(significand, 1), c.any(c.concat(c.bit(significand, 2), c.bit(significand, 0))));
  // The hidden bit adds one to the exponent, and so does a fraction that rounds up beyond its largest value.
  const sum = c.add(
    unsigned(base.shape.bits + f),
    c.concat(base, fraction),
    c.concat(hidden, ...(f > 1 ? [c.constant(0, f - 1)] : []), up),
  );
  const code = c.slice(sum, f, e);
  const large = c.or(c.any(c.slice(sum, e + f, base.shape.bits - e)), c.all(code));
  const { nan = c.no, infinite = c.no, zero = c.no } = number;
  const forced = c.or(infinite, nan);
  const some = c.not(c.and(zero, c.not(forced)));
  // 0 does not overflow, whatever its exponent.
  const top = c.or(c.and(large, some), forced);
  const exponent = c.mux(top, c.constant(-1, e), c.masked(some, code));
  const rest = c.masked(c.not(top), c.masked(some, c.resized(sum, f)));
  const quiet = c.concat(nan, ...(f > 1 ? [c.constant(0, f - 1)] : []));
  return c.concat(sign, exponent, c.graph.make("or", unsigned(f), [rest, quiet]));
}

/** The highest `places` bits, of which the lowest is sticky; short values are padded with zeros. */
function truncated(c: Circuit, value: Value, fractionBits: number): Value {
  const { bits } = value.shape;
  if (bits <= fractionBits)
    return bits === fractionBits ? value : c.concat(value, c.constant(0, fractionBits - bits));
  const low = bits - fractionBits + 1;
  return c.concat(c.slice(value, low, fractionBits - 1), c.any(c.resized(value, low)));
}

/** A number whose exponent may be outside the format's range. */
interface Unbounded extends Omit<Unrounded, "base"> {
  /** The exponent's code without bounds, if the significand's top bit is set; signed. */
  readonly top: Value;
}

/** Rounds a number with the significand's top bit set and an exponent not below the format's range. */
export function roundedNormal(c: Circuit, number: Unbounded, format: Format): Value {
  const { top } = number;
  const base = c.resized(c.sub(top.shape, top, c.yes), top.shape.bits - 1);
  return rounded(
    c,
    { ...number, base, significand: truncated(c, number.significand, format.fraction + 3) },
    format,
  );
}

/** Rounds a number whose exponent may be below the format's range; the significand's top bit or the next one is set. */
export function roundedAnywhere(c: Circuit, number: Unbounded, format: Format): Value {
  const { top } = number;
  const fractionBits = format.fraction + 4;
  const { bits } = top.shape;
  if (format.flush) return roundedOrZero(c, number, format);
  const base = c.sub(top.shape, top, c.yes);
  const low = c.named("low", c.bit(base, bits - 1));
  const amount = c.masked(low, c.resized(c.sub(top.shape, c.yes, top), bits - 1));
  const limit = c.named("base", c.masked(c.not(low), c.resized(base, bits - 1)));
  const placed = c.named(
    "placed",
    shiftedRightJamming(c, truncated(c, number.significand, fractionBits), amount),
  );
  const once = c.and(c.not(c.bit(placed, fractionBits - 1)), c.any(limit));
  const normal = c.mux(once, c.concat(c.resized(placed, fractionBits - 1), c.no), placed);
  return rounded(
    c,
    {
      ...number,
      base: c.sub(limit.shape, limit, once),
      significand: c.named(
        "normal",
        c.concat(c.slice(normal, 2, fractionBits - 2), c.any(c.resized(normal, 2))),
      ),
    },
    format,
  );
}

/** The same, but numbers below the format's range become 0. */
function roundedOrZero(c: Circuit, number: Unbounded, format: Format): Value {
  const { top, zero = c.no } = number;
  const fractionBits = format.fraction + 4;
  const placed = truncated(c, number.significand, fractionBits);
  const once = c.not(c.bit(placed, fractionBits - 1));
  const normal = c.mux(once, c.concat(c.resized(placed, fractionBits - 1), c.no), placed);
  const base = c.sub(top.shape, c.sub(top.shape, top, c.yes), once);
  return rounded(
    c,
    {
      ...number,
      base: c.resized(base, top.shape.bits - 1),
      significand: c.named(
        "normal",
        c.concat(c.slice(normal, 2, fractionBits - 2), c.any(c.resized(normal, 2))),
      ),
      zero: c.or(zero, c.bit(base, top.shape.bits - 1)),
    },
    format,
  );
}
