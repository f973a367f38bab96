/** Comparisons: magnitudes compare like their codes; a NaN is neither equal nor less. */
import type { Format, Value } from "../../dfg/value.ts";
import type { Circuit } from "../circuits/circuit.ts";
import { fieldsOf } from "../circuits/fields.ts";

interface Comparison {
  readonly equal: Value;
  readonly less: Value;
  readonly ordered: Value;
}

export function comparison(c: Circuit, a: Value, b: Value, format: Format): Comparison {
  const [x, y] = [fieldsOf(c, a, format), fieldsOf(c, b, format)];
  const same = c.equal(x.magnitude, y.magnitude);
  const lower = c.less(x.magnitude, y.magnitude);
  const zeros = c.and(x.zero, y.zero);
  const equal = c.or(c.and(same, c.not(c.xor(x.sign, y.sign))), zeros);
  const higher = c.not(c.or(same, lower));
  const less = c.mux(x.sign, c.mux(y.sign, higher, c.not(zeros)), c.and(lower, c.not(y.sign)));
  return { equal, less, ordered: c.not(c.or(x.nan, y.nan)) };
}
