/** The binary floating-point formats. */
import type { Format, Shape } from "./value.ts";

export const binary16: Format = { exponent: 5, fraction: 10 };
export const bfloat16: Format = { exponent: 8, fraction: 7 };
export const binary32: Format = { exponent: 8, fraction: 23 };
export const binary64: Format = { exponent: 11, fraction: 52 };

export const bitsOf = ({ exponent, fraction }: Format): number => 1 + exponent + fraction;

/** The bias: added to the exponent of a normal number in its code. */
export const biasOf = ({ exponent }: Format): number => 2 ** (exponent - 1) - 1;

export const floatShape = (float: Format): Shape => ({ bits: bitsOf(float), signed: false, float });

/** The format of a value that is a floating-point number. */
export function formatOf({ float }: Shape): Format {
  if (float === undefined) throw new TypeError("the value is no floating-point number");
  return float;
}

/** The code of a double. */
export function codeOfDouble(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}
