/**
 * A Gaussian process over the axes of a space (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006,
 * algorithm 2.1): a constant, a trend along each axis, and a smooth remainder.
 */
import type { AxisValue } from "../report/model/report.ts";

interface Expectation {
  /** Logarithm of the value, and its standard deviation. */
  readonly mean: number;
  readonly deviation: number;
}

/** Prior standard deviations, in logarithms, of what the estimate leaves uncertain. */
export interface Doubt {
  readonly all: number;
  readonly axis: number;
  readonly rest: number;
}

/** Variation of tool results from one run to the next. */
const NOISE = 0.03;
/** Length scale of the remainder: each axis spans 1. */
const REACH = 0.5;

interface Known {
  readonly place: readonly Place[];
  readonly error: number;
}

/** The Cholesky factor L of the covariance K of the observations, and K^-1 times their errors. */
export interface Fit {
  readonly known: readonly Known[];
  readonly doubt: Doubt;
  readonly factor: readonly (readonly number[])[];
  readonly weights: readonly number[];
}

/** Before anything is known, what all have in common is left out: it tells no two apart. */
export function fit(known: readonly Known[], prior: Doubt): Fit {
  const doubt = known.length === 0 ? { ...prior, all: 0 } : prior;
  const factor: number[][] = [];
  for (const [i, { place }] of known.entries()) {
    const row: number[] = [];
    for (let j = 0; j <= i; j++) {
      const other = known[j] as Known;
      const pivots = i === j ? row : (factor[j] as number[]);
      let sum = covariance(place, other.place, doubt) + (i === j ? NOISE ** 2 : 0);
      for (let k = 0; k < j; k++) sum -= (row[k] as number) * (pivots[k] as number);
      row.push(i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (pivots[j] as number));
    }
    factor.push(row);
  }
  const half = forward(
    factor,
    known.map(({ error }) => error),
  );
  return { known, doubt, factor, weights: backward(factor, half) };
}

export function expectAt({ known, doubt, factor, weights }: Fit, place: readonly Place[]): Expectation {
  const shared = known.map((one) => covariance(place, one.place, doubt));
  const mean = shared.reduce((sum, value, i) => sum + value * (weights[i] as number), 0);
  const explained = forward(factor, shared).reduce((sum, value) => sum + value * value, 0);
  return { mean, deviation: Math.sqrt(Math.max(0, covariance(place, place, doubt) - explained)) };
}

/** Solves L x = b. */
function forward(factor: readonly (readonly number[])[], b: readonly number[]): readonly number[] {
  const x: number[] = [];
  for (const [i, row] of factor.entries()) {
    let sum = b[i] as number;
    for (let k = 0; k < i; k++) sum -= (row[k] as number) * (x[k] as number);
    x.push(sum / (row[i] as number));
  }
  return x;
}

/** Solves L^T x = b. */
function backward(factor: readonly (readonly number[])[], b: readonly number[]): readonly number[] {
  const x = [...b];
  for (let i = b.length - 1; i >= 0; i--) {
    for (let k = i + 1; k < b.length; k++)
      x[i] = (x[i] as number) - ((factor[k] as readonly number[])[i] as number) * (x[k] as number);
    x[i] = (x[i] as number) / ((factor[i] as readonly number[])[i] as number);
  }
  return x;
}

function covariance(a: readonly Place[], b: readonly Place[], { all, axis, rest }: Doubt): number {
  const trend = a.reduce<number>((sum, place, i) => sum + along(place, b[i]), 0);
  return all ** 2 + axis ** 2 * trend + rest ** 2 * similarity(a, b);
}

/**
 * Similarity along an axis: numbers relative to the middle, so that its ends are opposite; words are equal or
 * unrelated.
 */
const along = (a: Place, b: Place | undefined): number =>
  typeof a === "number" && typeof b === "number" ? (2 * a - 1) * (2 * b - 1) : a === b ? 1 : 0;

export function similarity(a: readonly Place[], b: readonly Place[]): number {
  const square = a.reduce<number>((sum, place, i) => sum + apart(place, b[i]) ** 2, 0);
  return Math.exp(-square / (2 * REACH ** 2));
}

/** A number from 0 to 1, or a word. */
export type Place = number | string;

const apart = (a: Place, b: Place | undefined): number =>
  typeof a === "number" && typeof b === "number" ? Math.abs(a - b) : a === b ? 0 : 1;

interface Sited {
  readonly id: string;
  readonly axes: Readonly<Record<string, AxisValue>>;
  /** Its clock is known where the axis only says that it is the target's own. */
  readonly clocked?: { readonly clock: number };
}

/**
 * Positions of candidates: numbers by their logarithm, since doubling is one step at any size. Words are unchanged, and
 * 0 is one: it says that something is left out, or as the target has it.
 */
export function placesOf(candidates: readonly Sited[]): ReadonlyMap<string, readonly Place[]> {
  const axes = [...new Set(candidates.flatMap((candidate) => Object.keys(candidate.axes)))].sort();
  const valueOf = ({ axes: own, clocked }: Sited, axis: string) =>
    axis === "clock" && clocked !== undefined ? clocked.clock : own[axis];
  const scaled = axes.map((axis) => {
    const values = candidates.map((candidate) => valueOf(candidate, axis));
    const logs = values.flatMap((value) =>
      typeof value === "number" && value > 0 ? [Math.log2(value)] : [],
    );
    const [least, most] = [Math.min(...logs), Math.max(...logs)];
    return (value: AxisValue | undefined): Place =>
      typeof value === "number" && value > 0
        ? most > least
          ? (Math.log2(value) - least) / (most - least)
          : 0
        : String(value);
  });
  const columns = axes.map((axis, i) =>
    candidates.map((candidate) => (scaled[i] as (v?: AxisValue) => Place)(valueOf(candidate, axis))),
  );
  // An axis that tells no candidates apart, or the same ones as an axis before it, says nothing of its own.
  const telling = columns.filter(
    (column, i) => new Set(column).size > 1 && columns.findIndex((other) => isSame(other, column)) === i,
  );
  return new Map(candidates.map(({ id }, row) => [id, telling.map((column) => column[row] as Place)]));
}

/** Whether both tell the same candidates apart. */
function isSame(a: readonly Place[], b: readonly Place[]): boolean {
  const [there, back] = [new Map<Place, Place>(), new Map<Place, Place>()];
  for (const [i, own] of a.entries()) {
    const other = b[i] as Place;
    if ((there.get(own) ?? other) !== other || (back.get(other) ?? own) !== own) return false;
    there.set(own, other);
    back.set(other, own);
  }
  return true;
}
