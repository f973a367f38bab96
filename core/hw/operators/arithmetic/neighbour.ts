/** nextafter and logb. Both are exact. */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { type Circuit, signed } from "../circuits/circuit.ts";
import { fieldsOf, normalSignificand } from "../circuits/fields.ts";
import { comparison } from "./compare.ts";
import { fromInteger } from "./convert.ts";

/** nextafter: the number that follows `a` in the direction of `b`. */
export function neighbour(c: Circuit, a: Value, b: Value, format: Format): Value {
  const x = fieldsOf(c, a, format);
  const y = fieldsOf(c, b, format);
  const { shape } = x.magnitude;
  const { equal, less } = comparison(c, a, b, format);
  // Away from 0 the code counts up; starting at 0, in the direction of b.
  const up = c.or(x.zero, c.xor(less, x.sign));
  const magnitude = c.add(
    shape,
    x.magnitude,
    c.mux(up, c.constant(1, shape.bits), c.constant(-1, shape.bits)),
  );
  const next = c.concat(c.mux(x.zero, y.sign, x.sign), magnitude);
  const quiet = c.constant(1n << BigInt(format.fraction - 1), a.shape.bits);
  const nan = c.graph.make("or", a.shape, [c.mux(x.nan, a, b), quiet]);
  return c.mux(c.or(x.nan, y.nan), nan, c.mux(equal, b, next));
}

/** logb: the exponent of |a|, including subnormal numbers, as a floating-point number. */
export function binaryExponent(c: Circuit, a: Value, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const x = fieldsOf(c, a, format);
  const wide = signed(e + 2);
  const { count } = normalSignificand(c, x, format);
  const unbiased = c.sub(wide, c.sub(wide, x.exponent, count), c.constant(biasOf(format), e));
  const exponent = fromInteger(c, unbiased, true, format);
  const infinity = ((1n << BigInt(e)) - 1n) << BigInt(f);
  // A NaN gives the same NaN.
  const magnitude = c.mux(x.zero, c.constant(infinity, e + f), x.magnitude);
  return c.mux(c.or(x.zero, x.infinite, x.nan), c.concat(c.mux(x.nan, x.sign, x.zero), magnitude), exponent);
}
