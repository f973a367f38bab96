/** Circuits for piecewise polynomials: tables of coefficients, and Horner's rule in fixed point. */

import { firstOf, itemAt } from "../../../checked/access.ts";
import { bitsOf, type Range } from "../../dfg/ranges.ts";
import type { Shape, Value } from "../../dfg/value.ts";
import type { Circuit } from "../circuits/circuit.ts";
import { highProduct } from "../circuits/product.ts";
import type { Piecewise } from "./fit.ts";

/** The polynomial at `z`, which is unsigned with all bits after the binary point; the result has the coefficients' places. */
export function polynomialAt(
  c: Circuit,
  { coefficients, segmentBits, fractionBits }: Piecewise,
  argument: Value,
): Value {
  const short = segmentBits + 2 - argument.shape.bits;
  const z = short > 0 ? c.concat(argument, c.constant(0, short)) : argument;
  const rest = z.shape.bits - segmentBits;
  const index = segmentBits === 0 ? undefined : c.slice(z, rest, segmentBits);
  const u = c.resized(z, rest);
  const ranges = partialRanges(coefficients);
  const entries = (power: number): Value => {
    const list = itemAt(coefficients, power);
    const shape = shapeOf(hullOf(list.concat(0n)));
    return index ? c.table(index, list, shape) : c.graph.constant(firstOf(list), shape);
  };
  const degree = coefficients.length - 1;
  let sum = c.named(`c${degree}`, entries(degree));
  for (let power = degree - 1; power >= 0; power--) {
    // Only bits of the argument that change the product by at least one unit are used.
    const digits = Math.min(rest, Math.max(2, magnitudeBits(itemAt(ranges, power + 1))));
    const factor = c.slice(u, rest - digits, digits);
    const known = mayFallBelow0(sum.shape, itemAt(ranges, power + 1))
      ? c.signed(sum, sum.shape.bits + 1)
      : sum;
    const high = highProduct(c, known, factor, digits);
    const term = c.graph.resize(high, { bits: high.shape.bits, signed: known.shape.signed });
    const shape = shapeOf(itemAt(ranges, power));
    sum = c.named(`h${power}`, c.add(shape, c.named(`c${power}`, entries(power)), term));
  }
  if (sum.shape.bits < fractionBits) return c.resized(sum, fractionBits);
  return sum;
}

/**
 * Truncating a product may lower it from 0 to -1. If sums need all bits of their shape, that happens for the smallest
 * arguments only, and the next product turns the borrow into less than one unit.
 */
const mayFallBelow0 = ({ bits, signed }: Shape, { min }: Range): boolean =>
  !signed && min < 1n << BigInt(Math.max(0, bits - 2));

const hullOf = (values: readonly bigint[]): Range =>
  values.reduce<Range>(({ min, max }, v) => ({ min: v < min ? v : min, max: v > max ? v : max }), {
    min: firstOf(values),
    max: firstOf(values),
  });

const shapeOf = (range: Range): Shape => ({ bits: bitsOf(range), signed: range.min < 0n });

const magnitudeBits = ({ min, max }: Range): number => bitsOf({ min: 0n, max: -min > max ? -min : max });

/** Range of each partial sum of Horner's rule over all segments and arguments, by the power where it begins. */
function partialRanges(coefficients: readonly (readonly bigint[])[]): readonly Range[] {
  const degree = coefficients.length - 1;
  const ranges: Range[] = [];
  let bounds = itemAt(coefficients, degree).map((v): Range => ({ min: v, max: v }));
  for (let power = degree; power >= 0; power--) {
    if (power < degree)
      bounds = bounds.map(({ min, max }, segment) => {
        const constant = itemAt(itemAt(coefficients, power), segment);
        // Truncating the product lowers it by less than two.
        return { min: constant + (min < 0n ? min : 0n) - 2n, max: constant + (max > 0n ? max : 0n) };
      });
    ranges[power] = bounds.reduce((a, b) => ({
      min: a.min < b.min ? a.min : b.min,
      max: a.max > b.max ? a.max : b.max,
    }));
  }
  return ranges;
}
