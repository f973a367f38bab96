/**
 * A Gaussian process over the axes of a space (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006,
 * algorithm 2.1): a constant, for each axis a trend and a curve, what two axes do together, and a smooth remainder.
 */
import { itemAt } from "../../core/checked/access.ts";
import type { Coordinate } from "./points.ts";

interface Expectation {
  /** Logarithm of the value, and its standard deviation. */
  readonly mean: number;
  readonly deviation: number;
}

/** Prior standard deviations, in logarithms. */
export interface Scales {
  readonly all: number;
  /** Of each axis. */
  readonly trends: readonly number[];
  readonly curves: readonly number[];
  readonly pairs: number;
  readonly rest: number;
  /** Length scale of the remainder along each axis, each of which spans 1. */
  readonly reaches: readonly number[];
  /** Of a single observation. */
  readonly noise: number;
  /** Whether curves, pairs and the remainder may have kinks. */
  readonly isRough: boolean;
}

/** The same for every axis. */
export interface Doubt {
  readonly all: number;
  readonly axis: number;
  readonly curve?: number;
  readonly pairs?: number;
  readonly rest: number;
  readonly reach?: number;
  readonly noise?: number;
  readonly isRough?: boolean;
}

/** Variation of tool results from one run to the next. */
const NOISE = 0.03;
/** Length scale of curves and pairs, and of the remainder unless its doubt says another. */
const REACH = 0.5;

export const scalesOf = (doubt: Doubt, axes: number): Scales => ({
  all: doubt.all,
  trends: Array<number>(axes).fill(doubt.axis),
  curves: Array<number>(axes).fill(doubt.curve ?? 0),
  pairs: doubt.pairs ?? 0,
  rest: doubt.rest,
  reaches: Array<number>(axes).fill(doubt.reach ?? REACH),
  noise: doubt.noise ?? NOISE,
  isRough: doubt.isRough ?? false,
});

export interface Site {
  readonly point: readonly Coordinate[];
  /** Further quantities that the value may be proportional to, in units of their prior effect. */
  readonly effects?: readonly number[];
}

export interface Known extends Site {
  readonly error: number;
}

/** The Cholesky factor L of the covariance K of the observations, and K^-1 times their errors. */
export interface Fit {
  readonly known: readonly Known[];
  readonly scales: Scales;
  readonly factor: readonly Float64Array[];
  readonly weights: Float64Array;
  /** Logarithm of the probability of the observations, but for a constant. */
  readonly evidence: number;
}

/** Before anything is known, what all have in common is left out: it tells no two apart. */
export function fit(known: readonly Known[], prior: Scales): Fit {
  const scales = known.length === 0 ? { ...prior, all: 0 } : prior;
  const factor: Float64Array[] = [];
  for (const [i, one] of known.entries()) {
    const row = new Float64Array(i + 1);
    for (let j = 0; j <= i; j++) {
      const pivots = i === j ? row : itemAt(factor, j);
      let sum = covariance(one, itemAt(known, j), scales) + (i === j ? scales.noise ** 2 : 0);
      for (let k = 0; k < j; k++) sum -= at(row, k) * at(pivots, k);
      row[j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / at(pivots, j);
    }
    factor.push(row);
  }
  const half = forward(
    factor,
    Float64Array.from(known, ({ error }) => error),
  );
  const evidence = half.reduce(
    (sum, value, i) => sum - value ** 2 / 2 - Math.log(at(itemAt(factor, i), i)),
    0,
  );
  return { known, scales, factor, weights: backward(factor, half), evidence };
}

export function expectAt({ known, scales, factor, weights }: Fit, site: Site): Expectation {
  const shared = new Float64Array(known.length);
  let mean = 0;
  for (let i = 0; i < known.length; i++) {
    shared[i] = covariance(site, itemAt(known, i), scales);
    mean += at(shared, i) * at(weights, i);
  }
  let explained = 0;
  for (const value of forward(factor, shared)) explained += value * value;
  return { mean, deviation: Math.sqrt(Math.max(0, covariance(site, site, scales) - explained)) };
}

/** A number that is there. Its own function, because the loops below read millions. */
const at = (list: ArrayLike<number>, k: number): number => list[k] ?? Number.NaN;

/** Solves L x = b. */
function forward(factor: readonly Float64Array[], b: Float64Array): Float64Array {
  const x = new Float64Array(b.length);
  for (let i = 0; i < factor.length; i++) {
    const row = itemAt(factor, i);
    let sum = at(b, i);
    for (let k = 0; k < i; k++) sum -= at(row, k) * at(x, k);
    x[i] = sum / at(row, i);
  }
  return x;
}

/** Solves L^T x = b. */
function backward(factor: readonly Float64Array[], b: Float64Array): Float64Array {
  const x = b.slice();
  for (let i = b.length - 1; i >= 0; i--) {
    let sum = at(x, i);
    for (let k = i + 1; k < b.length; k++) sum -= at(itemAt(factor, k), i) * at(x, k);
    x[i] = sum / at(itemAt(factor, i), i);
  }
  return x;
}

function covariance(a: Site, b: Site, scales: Scales): number {
  const { all, trends, curves, pairs, rest, reaches, isRough } = scales;
  const axes = a.point.length;
  let sum = all ** 2;
  let alikes = 0;
  let squares = 0;
  let together = 0;
  for (let i = 0; i < axes; i++) {
    const p = itemAt(a.point, i);
    const q = b.point[i];
    const square = apart(p, q) ** 2;
    const alike = similarity(square / REACH ** 2, isRough);
    sum += at(trends, i) ** 2 * along(p, q) + at(curves, i) ** 2 * alike;
    alikes += alike;
    squares += alike ** 2;
    together += square / at(reaches, i) ** 2;
  }
  // The mean of the products of all pairs of axes.
  if (axes > 1) sum += pairs ** 2 * ((alikes ** 2 - squares) / (axes * (axes - 1)));
  sum += rest ** 2 * similarity(together, isRough);
  if (a.effects !== undefined && b.effects !== undefined)
    for (let i = 0; i < a.effects.length; i++) sum += at(a.effects, i) * (b.effects[i] ?? 0);
  return sum;
}

/**
 * By the square of a distance in units of its length scale. Smooth: the squared exponential kernel. Rough: the exponential
 * one, whose functions are continuous but have kinks (Rasmussen and Williams, section 4.2.1; Stein, Interpolation of
 * Spatial Data, 1999, on how seldom what is measured is smooth).
 */
const similarity = (square: number, isRough: boolean): number =>
  Math.exp(isRough ? -Math.sqrt(square) : -square / 2);

/**
 * Similarity along an axis: numbers relative to the middle, so that its ends are opposite; words are equal or
 * unrelated.
 */
const along = (a: Coordinate, b: Coordinate | undefined): number =>
  typeof a === "number" && typeof b === "number" ? (2 * a - 1) * (2 * b - 1) : a === b ? 1 : 0;

const apart = (a: Coordinate, b: Coordinate | undefined): number =>
  typeof a === "number" && typeof b === "number" ? Math.abs(a - b) : a === b ? 0 : 1;
