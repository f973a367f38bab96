/** The cube root: x = 2^(3k + r) m with m in 1..2; the root is 2^k times the roots of m and 2^r. */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { type Circuit, signed, unsigned } from "../circuits/circuit.ts";
import { fieldsOf, normalSignificand, roundedNormal } from "../circuits/fields.ts";
import { highProduct, product } from "../circuits/product.ts";
import { fitted } from "./fit.ts";
import { memoized } from "./memoized.ts";
import { polynomialAt } from "./polynomial.ts";
import { cubeRoot, fixed } from "./real.ts";

/** Guard digits after the result's last place. */
const GUARD = 5;

/** The cube root of 1 + z for z in 0..1. */
const roots = memoized((fractionBits: number) =>
  fitted((z, wide) => cubeRoot(fixed(1, wide) + z, wide), fractionBits),
);

export function cubeRootOf(c: Circuit, code: Value, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const x = fieldsOf(c, code, format);
  const { value, count } = normalSignificand(c, x, format);
  const fractionBits = f + GUARD;
  // A multiple of 3 that makes all exponents positive.
  const shift = 3 * Math.ceil((biasOf(format) + f) / 3);
  const wide = signed(e + 2);
  const power = c.named(
    "power",
    c.resized(c.sub(wide, c.add(wide, x.exponent, c.constant(shift - biasOf(format), e + 1)), count), e + 1),
  );
  // 1/3 with enough places that no exponent's third is wrong.
  const digits = e + 4;
  const third = c.constant((1n << BigInt(digits)) / 3n + 1n, digits);
  const scaled = c.slice(product(c, power, third), digits, e);
  const rest = c.resized(
    c.sub(unsigned(e + 1), power, c.add(unsigned(e + 1), scaled, c.concat(scaled, c.no))),
    2,
  );
  const m = c.resized(polynomialAt(c, roots(fractionBits), c.resized(value, f)), fractionBits + 1);
  const factors = [1n, 2n, 4n].map((n) => cubeRoot(n << BigInt(fractionBits), fractionBits));
  const factor = c.table(rest, factors, unsigned(fractionBits + 1));
  const exact = highProduct(c, m, factor, fractionBits - 1);
  const less = c.not(c.bit(exact, exact.shape.bits - 1));
  const top = signed(e + 3);
  return roundedNormal(
    c,
    {
      sign: x.sign,
      top: c.sub(top, c.add(top, scaled, c.graph.constant(biasOf(format) + 1 - shift / 3, top)), less),
      significand: c.mux(less, c.concat(c.resized(exact, exact.shape.bits - 1), c.no), exact),
      nan: x.nan,
      infinite: x.infinite,
      zero: x.zero,
    },
    format,
  );
}
