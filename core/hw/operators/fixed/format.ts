/**
 * Fixed-point numbers, Qm.n: two's complement of m + n bits in units of 2^-n. As values of a graph they are integers
 * whose shape says how many bits are fractional. Sums, differences, products and conversions from integers wrap around
 * like integers, so that sums give the same bits in any order. Overflow in a conversion from floating point, a quotient
 * or a root saturates, and a NaN becomes 0. All rounding is to nearest, ties to even.
 */
import type { FixedPoint } from "../../../ir/model/ir.ts";
import type { Shape } from "../../dfg/value.ts";

export const fixedShape = ({ whole, fractionBits }: FixedPoint): Shape => ({
  bits: whole + fractionBits,
  signed: true,
  fractionBits,
});

/** The shape of a fixed-point number. */
export type FixedShape = Shape & { readonly fractionBits: number };

export const isFixed = (shape: Shape): shape is FixedShape => shape.fractionBits !== undefined;
