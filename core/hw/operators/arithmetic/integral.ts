/** Rounding to an integer: down, up, towards 0, or to nearest, as C's five functions do. */

import { biasOf } from "../../dfg/float-format.ts";
import type { Format, Value, WholeNumber } from "../../dfg/value.ts";
import { type Circuit, unsigned } from "../circuits/circuit.ts";
import { fieldsOf } from "../circuits/fields.ts";
import { shiftedRight } from "../circuits/shift.ts";

export function integral(c: Circuit, code: Value, op: WholeNumber, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const bias = biasOf(format);
  const x = fieldsOf(c, code, format);
  const fraction = c.resized(code, f);
  // For numbers from 1 on: ones at the bits after the binary point.
  const distance = c.sub(unsigned(e), x.exponent, c.constant(bias, e));
  const behind = c.named("behind", shiftedRight(c, c.constant(-1, f), distance));
  const rest = c.named("rest", masked(c, fraction, behind));
  const half = c.graph.make("xor", behind.shape, [behind, c.concat(c.no, c.slice(behind, 1, f - 1))]);
  const halves = c.any(masked(c, fraction, half));
  const units = c.concat(behind, c.yes);
  const lastBit = c.graph.make("xor", units.shape, [units, c.resized(behind, f + 1)]);
  const odd = c.any(masked(c, c.concat(c.yes, fraction), lastBit));
  const more = c.any(masked(c, rest, c.not(half)));
  const small = c.named("small", c.less(x.exponent, c.constant(bias, e)));
  const aboutHalf = c.equal(x.exponent, c.constant(bias - 1, e));
  const away = ((): Value => {
    switch (op) {
      case "ftrunc":
        return c.no;
      case "ffloor":
      case "fceil": {
        const some = c.mux(small, c.not(x.zero), c.any(rest));
        return c.and(some, op === "ffloor" ? x.sign : c.not(x.sign));
      }
      case "fround":
        return c.mux(small, aboutHalf, halves);
      case "frint":
        return c.mux(small, c.and(aboutHalf, c.any(fraction)), c.and(halves, c.or(more, odd)));
    }
  })();
  const { magnitude } = x;
  const wide = c.resized(behind, e + f);
  const integerBits = c.graph.make("and", magnitude.shape, [magnitude, c.not(wide)]);
  const filled = c.graph.make("or", magnitude.shape, [magnitude, wide]);
  const large = c.addWithCarry(magnitude.shape, c.mux(away, filled, integerBits), c.constant(0, e + f), away);
  const one = c.constant(BigInt(bias) << BigInt(f), e + f);
  return c.concat(x.sign, c.mux(small, c.masked(away, one), large));
}

const masked = (c: Circuit, value: Value, mask: Value): Value =>
  c.graph.make("and", value.shape, [value, mask]);
