/**
 * Numbers in fixed point, Qm.n: two's complement of m + n bits that counts 2^-n. As values of a graph they are integers
 * whose shape tells the places; sums, differences, products and what is made of integers wrap round as those do, so
 * that sums give the same bits in any order. What is too large for a conversion from floating point, a quotient or a
 * root becomes the largest or smallest number, and a NaN 0. All rounding is to nearest, ties to even.
 */
import type { FixedPoint } from "../../../ir/model/ir.ts";
import type { Shape } from "../../dfg/graph.ts";

export const fixedShape = ({ whole, places }: FixedPoint): Shape => ({
  bits: whole + places,
  signed: true,
  places,
});

/** A shape of numbers in fixed point. */
export type FixedShape = Shape & { readonly places: number };

export const isFixed = (shape: Shape): shape is FixedShape => shape.places !== undefined;
