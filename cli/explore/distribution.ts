/** What is known of a value that was not measured: a mixture of normal distributions. */

interface Normal {
  readonly mean: number;
  readonly deviation: number;
}

interface Part extends Normal {
  /** Its probability: those of all parts add up to 1. */
  readonly weight: number;
}

export type Distribution = readonly Part[];

/** A value that is certain. */
export const exactly = (value: number): Distribution => [{ mean: value, deviation: 0, weight: 1 }];

export const meanOf = (parts: Distribution): number =>
  parts.reduce((sum, { mean, weight }) => sum + weight * mean, 0);

export function deviationOf(parts: Distribution): number {
  const middle = meanOf(parts);
  const square = parts.reduce(
    (sum, { mean, deviation, weight }) => sum + weight * (deviation ** 2 + (mean - middle) ** 2),
    0,
  );
  return Math.sqrt(square);
}

/** How far below a limit the value is expected to be, where being above it counts as 0. */
export const expectedBelow = (parts: Distribution, limit: number): number =>
  parts.reduce((sum, { mean, deviation, weight }) => {
    if (deviation === 0) return sum + weight * Math.max(0, limit - mean);
    const z = (limit - mean) / deviation;
    return sum + weight * deviation * (density(z) + z * chanceBelow(z));
  }, 0);

/** The part of a normal distribution between two bounds: its probability, and the mean and deviation there. */
export function between({ mean, deviation }: Normal, from: number, to: number): Part {
  if (deviation === 0) return { mean, deviation, weight: mean > from && mean <= to ? 1 : 0 };
  const [a, b] = [(from - mean) / deviation, (to - mean) / deviation];
  // Above the mean, tails are subtracted: small numbers keep their digits.
  const weight = a > 0 ? chanceBelow(-a) - chanceBelow(-b) : chanceBelow(b) - chanceBelow(a);
  const inside = (value: number): number => Math.min(to, Math.max(from, value));
  if (weight < 1e-9) return { mean: inside(mean), deviation: 0, weight: 0 };
  const shift = (density(a) - density(b)) / weight;
  const square = 1 + (slope(a) - slope(b)) / weight - shift ** 2;
  return {
    mean: inside(mean + deviation * shift),
    deviation: deviation * Math.sqrt(Math.max(0, square)),
    weight,
  };
}

/** Of the standard normal distribution. */
const density = (z: number): number => Math.exp(-(z ** 2) / 2) / Math.sqrt(2 * Math.PI);

const slope = (z: number): number => (Number.isFinite(z) ? z * density(z) : 0);

/** That a standard normal value is below z, to seven digits (Abramowitz and Stegun, 26.2.17). */
function chanceBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const sum =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = density(z) * sum;
  return z < 0 ? tail : 1 - tail;
}
