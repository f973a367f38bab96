/**
 * x^y = 2^(y log2 |x|): the logarithm has additional digits for the integer part of the result's exponent. The special
 * cases are those of C (annex F.10.4.4).
 */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { type Circuit, signed, unsigned } from "../circuits/circuit.ts";
import { type Fields, fieldsOf, roundedAnywhere } from "../circuits/fields.ts";
import { highProduct } from "../circuits/product.ts";
import { normalised, shiftedRight } from "../circuits/shift.ts";
import { guardOf, powersOf } from "./exponential.ts";
import { fixedLogarithm, magnitudeOf } from "./logarithm.ts";
import { polynomialAt } from "./polynomial.ts";

export function powered(c: Circuit, a: Value, b: Value, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const bias = biasOf(format);
  const [x, y] = [fieldsOf(c, a, format), fieldsOf(c, b, format)];
  const fractionBits = f + guardOf("2");
  // log2 |x|: its first digit counts 2^(e - count).
  const digits = fractionBits + e + 1;
  const { sum } = fixedLogarithm(c, x, "2", digits, format);
  const { negative, magnitude } = magnitudeOf(c, sum);
  const normal = normalised(c, c.named("logarithm", magnitude));
  const bits = normal.value.shape.bits;
  const logarithm = c.slice(normal.value, bits - digits, digits);
  // The product's first digit counts 2^whole before it is shifted; beyond 2^whole powers are infinite or 0.
  const integerBits = Math.ceil(Math.log2(bias + f + 2));
  const fixedBits = integerBits + 1 + fractionBits;
  const low = f + 1 + digits - fixedBits;
  const scaled = highProduct(c, logarithm, y.significand, low);
  const wide = signed(e + 4);
  const amount = c.named(
    "amount",
    c.add(wide, c.sub(wide, c.constant(integerBits + bias - e - 1, wide.bits), y.exponent), normal.count),
  );
  const far = c.bit(amount, wide.bits - 1);
  const one = c.none(sum);
  const extreme = c.or(x.zero, x.infinite);
  const huge = c.and(c.or(extreme, c.and(far, c.not(one))), c.not(y.zero));
  const shifted = shiftedRight(c, scaled, c.resized(amount, wide.bits - 1));
  const exponent = c.masked(c.not(c.or(y.zero, one)), c.named("exponent", shifted));
  const down = c.xor(y.sign, c.mux(extreme, x.zero, negative));
  const shape = signed(fixedBits + 1);
  const resizedExponent = c.graph.resize(exponent, shape);
  const fixed = c.named(
    "x",
    c.addWithCarry(
      shape,
      c.mux(down, c.not(resizedExponent), resizedExponent),
      c.constant(0, shape.bits),
      down,
    ),
  );
  const power = c.graph.make("shr", shape, [fixed, c.constant(fractionBits, 32)]);
  const significand = polynomialAt(c, powersOf("2", fractionBits + 1), c.resized(fixed, fractionBits));
  const { isInteger: integer, odd } = wholeNumber(c, y, format);
  const finite = c.not(c.or(y.infinite, y.nan));
  const root = c.and(x.sign, c.not(extreme), finite, c.not(integer));
  const isOne = c.and(one, c.not(c.or(x.sign, extreme)));
  return roundedAnywhere(
    c,
    {
      sign: c.and(x.sign, odd),
      top: c.named("top", c.add(signed(e + 3), power, c.constant(bias + 1, e))),
      significand: c.resized(significand, fractionBits + 3),
      nan: c.or(c.and(x.nan, c.not(y.zero)), c.and(y.nan, c.not(isOne)), c.and(root, c.not(y.zero))),
      infinite: c.and(huge, c.not(down)),
      zero: c.and(huge, down),
    },
    format,
  );
}

/** Whether a number is an integer, and odd. */
function wholeNumber(
  c: Circuit,
  y: Fields,
  { exponent: e, fraction: f, ...format }: Format,
): { readonly isInteger: Value; readonly odd: Value } {
  const bias = biasOf({ exponent: e, fraction: f, ...format });
  const fraction = c.resized(y.magnitude, f);
  const distance = c.sub(unsigned(e), y.exponent, c.constant(bias, e));
  const behind = shiftedRight(c, c.constant(-1, f), distance);
  const small = c.less(y.exponent, c.constant(bias, e));
  const rest = c.any(c.graph.make("and", behind.shape, [fraction, behind]));
  const isInteger = c.or(y.zero, c.and(c.not(small), c.not(rest)));
  const units = c.concat(behind, c.yes);
  const lastBit = c.graph.make("xor", units.shape, [units, c.resized(behind, f + 1)]);
  const lowest = c.any(c.graph.make("and", lastBit.shape, [c.concat(c.yes, fraction), lastBit]));
  const even = bias + f + 1 < 2 ** e ? c.not(c.less(y.exponent, c.constant(bias + f + 1, e))) : c.no;
  return { isInteger, odd: c.and(isInteger, lowest, c.not(c.or(even, y.zero))) };
}
