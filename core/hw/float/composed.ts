/** Functions made of others, in a format with more digits than the result, so that only the last rounding counts. */
import type { Format, Value } from "../graph.ts";
import { sum } from "./add.ts";
import { angle } from "./arctangent.ts";
import type { Circuit } from "./circuit.ts";
import { converted } from "./convert.ts";
import { divided, root } from "./divide.ts";
import { exponentiated } from "./exponential.ts";
import { biasOf } from "./format.ts";
import { multiplied } from "./multiply.ts";
import { exponentialLessOne } from "./near-zero.ts";

export type Composed = "fasin" | "facos" | "fatan" | "fsinh" | "fcosh";

/** More digits, and exponents for what overflows on the way only. */
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
  const half = (v: Value) =>
    multiplied(c, v, c.constant(BigInt(biasOf(inner) - 1) << BigInt(inner.fraction), bits + 1), inner);
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
      // (1 - x)(1 + x) loses nothing near 1.
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
      // Infinite over infinite.
      const infinite = c.constant(((1n << BigInt(inner.exponent)) - 1n) << BigInt(inner.fraction), bits + 1);
      const total = c.mux(c.equal(t, infinite), t, half(sum(c, t, rest, inner)));
      return back(c.concat(c.bit(x, bits), c.resized(total, bits)));
    }
  }
}
