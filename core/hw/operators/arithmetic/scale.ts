/**
 * x 2^n for an integer n (ldexp, scalbn): the significand is unchanged, and rounded once if the result is subnormal.
 */
import type { Format, Value } from "../../dfg/value.ts";
import { type Circuit, signed } from "../circuits/circuit.ts";
import { fieldsOf, normalSignificand, roundedAnywhere } from "../circuits/fields.ts";

export function scaled(c: Circuit, code: Value, by: Value, format: Format): Value {
  const { exponent: e, fraction: f } = format;
  const x = fieldsOf(c, code, format);
  const { value, count } = normalSignificand(c, x, format);
  // Beyond 2^bits the result is infinite or 0 for any x.
  const bits = Math.max(e, Math.ceil(Math.log2(f + 1))) + 2;
  const wide = signed(bits + 2);
  const top = c.add(wide, c.sub(wide, x.exponent, count), bounded(c, by, bits));
  return roundedAnywhere(
    c,
    {
      sign: x.sign,
      top: c.named("top", top),
      significand: value,
      nan: x.nan,
      infinite: x.infinite,
      zero: x.zero,
    },
    format,
  );
}

/** The integer clamped to `bits` bits and a sign. */
function bounded(c: Circuit, n: Value, bits: number): Value {
  const shape = signed(bits + 1);
  const signedScale = n.shape.signed ? n : c.concat(c.no, n);
  const { bits: all } = signedScale.shape;
  if (all <= shape.bits) return c.graph.resize(signedScale, { bits: signedScale.shape.bits, signed: true });
  const negative = c.bit(signedScale, all - 1);
  const above = c.slice(signedScale, bits, all - bits);
  const isRepresentable = c.mux(negative, c.all(above), c.none(above));
  const furthest = c.concat(negative, c.mux(negative, c.constant(0, bits), c.constant(-1, bits)));
  return c.graph.resize(c.mux(isRepresentable, c.resized(signedScale, bits + 1), furthest), shape);
}
