/** IEEE 754 binary16, which C calls `_Float16`: 5 bits of exponent and 10 of fraction, subnormals included. */

/** The number rounded once to the nearest one that a half holds, ties to even. */
export function roundToHalf(x: number): number {
  if (!Number.isFinite(x) || x === 0) return x;
  const magnitude = Math.abs(x);
  // Half of the distance of the largest two above the largest one.
  if (magnitude >= 65520) return Math.sign(x) * Infinity;
  const unit = 2 ** (Math.max(-14, exponentOf(magnitude)) - 10);
  // A division by a power of two is exact, as `magnitude` is no subnormal double where it matters.
  const scaled = magnitude / unit;
  const below = Math.floor(scaled);
  const rest = scaled - below;
  const up = rest > 0.5 || (rest === 0.5 && below % 2 === 1);
  return Math.sign(x) * (below + (up ? 1 : 0)) * unit || (x < 0 ? -0 : 0);
}

/** The 16 bits of the half that `x` is rounded to. */
export function halfBits(x: number): number {
  const half = roundToHalf(x);
  const sign = half < 0 || Object.is(half, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(half);
  if (Number.isNaN(half)) return 0x7e00;
  if (magnitude === Infinity) return sign | 0x7c00;
  if (magnitude < 2 ** -14) return sign | (magnitude * 2 ** 24);
  const exponent = exponentOf(magnitude);
  return sign | ((exponent + 15) << 10) | (magnitude * 2 ** (10 - exponent) - 1024);
}

/** The largest e with 2^e <= x, of a positive number. */
function exponentOf(x: number): number {
  const e = Math.floor(Math.log2(x));
  // The logarithm is rounded.
  return 2 ** e > x ? e - 1 : 2 ** (e + 1) <= x ? e + 1 : e;
}
