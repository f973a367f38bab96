/**
 * Functions composed of others, in a format with more digits than the result, so that only the last rounding matters.
 */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value } from "../../dfg/value.ts";
import { sum } from "../arithmetic/add.ts";
import { converted } from "../arithmetic/convert.ts";
import { divided, root } from "../arithmetic/divide.ts";
import { hypotenuse } from "../arithmetic/hypot.ts";
import { multiplied } from "../arithmetic/multiply.ts";
import type { Circuit } from "../circuits/circuit.ts";
import { angle } from "./arctangent.ts";
import { exponentiated } from "./exponential.ts";
import { exponentialLessOne, logarithmOfOneMore } from "./near-zero.ts";

type Composed = "fasin" | "facos" | "fatan" | "fsinh" | "fcosh" | "fasinh" | "facosh" | "fatanh";

/** More digits, and a larger exponent range for intermediate overflow. */
const within = ({ exponent, fraction }: Format): Format => ({
  exponent: exponent + 1,
  fraction: fraction + 3,
});

export function composed(c: Circuit, code: Value, op: Composed, format: Format): Value {
  const inner = within(format);
  const bits = inner.exponent + inner.fraction;
  const x = converted(c, code, format, inner);
  const back = (value: Value) => converted(c, value, inner, format);
  const one = c.constant(BigInt(biasOf(inner)) << BigInt(inner.fraction), bits + 1);
  const negated = (v: Value) => c.concat(c.not(c.bit(v, bits)), c.resized(v, bits));
  const magnitude = c.concat(c.no, c.resized(x, bits));
  const withSign = (v: Value) => c.concat(c.bit(x, bits), c.resized(v, bits));
  const half = (v: Value) =>
    multiplied(c, v, c.constant(BigInt(biasOf(inner) - 1) << BigInt(inner.fraction), bits + 1), inner);
  /** For numbers without a sign; infinity divided by infinity is a NaN. */
  const isInfinite = (v: Value) =>
    c.equal(v, c.constant(((1n << BigInt(inner.exponent)) - 1n) << BigInt(inner.fraction), bits + 1));
  switch (op) {
    case "fatan":
      return angle(
        c,
        code,
        c.constant(BigInt(biasOf(format)) << BigInt(format.fraction), code.shape.bits),
        format,
      );
    case "fasin":
    case "facos": {
      // (1 - x)(1 + x) is accurate near 1.
      const square = multiplied(c, sum(c, one, negated(x), inner), sum(c, one, x, inner), inner);
      const other = root(c, square, inner);
      return back(op === "fasin" ? angle(c, x, other, inner) : angle(c, other, x, inner));
    }
    case "fcosh": {
      const power = exponentiated(c, magnitude, "e", inner);
      return back(half(sum(c, power, divided(c, one, power, inner), inner)));
    }
    case "fsinh": {
      // e^x - e^-x = t + t / (t + 1) with t = e^x - 1.
      const t = exponentialLessOne(c, magnitude, inner);
      const rest = divided(c, t, sum(c, t, one, inner), inner);
      const total = c.mux(isInfinite(t), t, half(sum(c, t, rest, inner)));
      return back(withSign(total));
    }
    // Logarithms of 1 + t, with t as in fdlibm (Sun Microsystems, 1993): the error of t is not magnified.
    case "fasinh": {
      // t = |x| (1 + |x| / (1 + sqrt(1 + x^2)))
      const beside = sum(c, one, hypotenuse(c, one, magnitude, inner), inner);
      const grown = sum(c, one, divided(c, magnitude, beside, inner), inner);
      const t = c.mux(isInfinite(magnitude), magnitude, multiplied(c, magnitude, grown, inner));
      return back(withSign(logarithmOfOneMore(c, t, inner)));
    }
    case "facosh": {
      // t = x - 1 + sqrt((x - 1)(x + 1)), if x is not negative.
      const less = sum(c, x, negated(one), inner);
      const other = root(c, multiplied(c, less, sum(c, x, one, inner), inner), inner);
      const t = sum(c, less, other, inner);
      const none = c.constant((1n << BigInt(inner.exponent + inner.fraction)) - 1n, bits + 1);
      return back(logarithmOfOneMore(c, c.mux(c.bit(x, bits), none, t), inner));
    }
    case "fatanh": {
      // t = 2 |x| / (1 - |x|); the result is half of the logarithm.
      const twice = sum(c, magnitude, magnitude, inner);
      const t = divided(c, twice, sum(c, one, negated(magnitude), inner), inner);
      return back(withSign(half(logarithmOfOneMore(c, t, inner))));
    }
  }
}
