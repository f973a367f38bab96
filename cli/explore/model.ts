/**
 * What is expected of variants that nobody built: an estimate, corrected by what was measured of others. All in
 * logarithms, since estimates are off by factors and axes multiply what a design takes. The correction is a Gaussian
 * process over the axes (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, algorithm 2.1): a constant,
 * a trend along each axis, and what is left as something smooth.
 */
import type { AxisValue } from "../report/model/report.ts";

export interface Candidate {
  readonly id: string;
  readonly axes: Readonly<Record<string, AxisValue>>;
  /** Of each objective, the less the better; undefined where nothing estimates it. */
  readonly predicted: readonly (number | undefined)[];
  /** Objectives whose prediction has another unit: it only grows with what is measured. */
  readonly proportional?: readonly number[];
}

export type Outcome =
  | { readonly id: string; readonly values: readonly number[] }
  /** It does not fit, or its tools failed. */
  | { readonly id: string; readonly failed: true };

export interface Expectation {
  /** Logarithm of the value, and how far it may be off. */
  readonly mean: number;
  readonly deviation: number;
}

/** Standard deviations, in logarithms, of what the estimate leaves open. */
interface Doubt {
  readonly all: number;
  readonly axis: number;
  readonly rest: number;
}

/** Estimates are off by a third, as on published tables; without one a design may take anything. */
const ESTIMATED: Doubt = { all: 0.5, axis: 0.25, rest: 0.2 };
/** A length of text says nothing of how many cells a character takes, and less than an estimate of who takes more. */
const PROPORTIONAL: Doubt = { all: 10, axis: 0.5, rest: 0.4 };
const UNKNOWN: Doubt = { all: 3, axis: 1, rest: 0.4 };
/** Of tools, from one run to the next. */
const NOISE = 0.03;
/** How far apart variants are whose rests tell little of each other: each axis spans 1. */
const REACH = 0.5;

export class Model {
  readonly #places: ReadonlyMap<string, readonly Place[]>;
  readonly #outcomes: readonly Outcome[];
  readonly #fits: readonly Fit[];

  constructor(candidates: readonly Candidate[], outcomes: readonly Outcome[]) {
    this.#places = placesOf(candidates);
    this.#outcomes = outcomes;
    const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));
    const objectives = candidates[0]?.predicted.length ?? 0;
    this.#fits = Array.from({ length: objectives }, (_, objective) => {
      const known = outcomes.flatMap((outcome) => {
        const candidate = byId.get(outcome.id);
        const value = "values" in outcome ? outcome.values[objective] : undefined;
        if (candidate === undefined || value === undefined) return [];
        return [{ place: this.#placeOf(candidate), error: Math.log(value) - prior(candidate, objective) }];
      });
      const isEstimated = candidates.every(({ predicted }) => predicted[objective] !== undefined);
      const isProportional = candidates.some(({ proportional }) => proportional?.includes(objective));
      return fit(known, !isEstimated ? UNKNOWN : isProportional ? PROPORTIONAL : ESTIMATED);
    });
  }

  expect(candidate: Candidate, objective: number): Expectation {
    const { mean, deviation } = expectAt(this.#fits[objective] as Fit, this.#placeOf(candidate));
    return { mean: prior(candidate, objective) + mean, deviation };
  }

  /** How likely it can be built at all, by what became of variants like it. */
  feasible(candidate: Candidate): number {
    let [built, all] = [1, 1];
    for (const outcome of this.#outcomes) {
      const weight = nearness(this.#placeOf(candidate), this.#places.get(outcome.id) ?? []);
      all += weight;
      if ("values" in outcome) built += weight;
    }
    return built / all;
  }

  #placeOf({ id }: Candidate): readonly Place[] {
    return this.#places.get(id) ?? [];
  }
}

interface Known {
  readonly place: readonly Place[];
  readonly error: number;
}

/** The Cholesky factor L of the covariance K of what is known, and K^-1 times the errors. */
interface Fit {
  readonly known: readonly Known[];
  readonly doubt: Doubt;
  readonly factor: readonly (readonly number[])[];
  readonly weights: readonly number[];
}

function fit(known: readonly Known[], doubt: Doubt): Fit {
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

function expectAt({ known, doubt, factor, weights }: Fit, place: readonly Place[]): Expectation {
  const shared = known.map((one) => covariance(place, one.place, doubt));
  const mean = shared.reduce((sum, value, i) => sum + value * (weights[i] as number), 0);
  const told = forward(factor, shared).reduce((sum, value) => sum + value * value, 0);
  return { mean, deviation: Math.sqrt(Math.max(0, covariance(place, place, doubt) - told)) };
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
  return all ** 2 + axis ** 2 * trend + rest ** 2 * nearness(a, b);
}

/** Numbers from the middle of their axis, so that its ends are opposite; words are alike or have nothing in common. */
const along = (a: Place, b: Place | undefined): number =>
  typeof a === "number" && typeof b === "number" ? (2 * a - 1) * (2 * b - 1) : a === b ? 1 : 0;

function nearness(a: readonly Place[], b: readonly Place[]): number {
  const square = a.reduce<number>((sum, place, i) => sum + apart(place, b[i]) ** 2, 0);
  return Math.exp(-square / (2 * REACH ** 2));
}

/** Where nothing is estimated all are taken to be alike. */
const prior = ({ predicted }: Candidate, objective: number): number => {
  const value = predicted[objective];
  return value === undefined || value <= 0 ? 0 : Math.log(value);
};

/** A number of 0 to 1, or a word. */
type Place = number | string;

const apart = (a: Place, b: Place | undefined): number =>
  typeof a === "number" && typeof b === "number" ? Math.abs(a - b) : a === b ? 0 : 1;

/** Numbers by their logarithm, since twice as wide is one step, whatever the width; words as they are. */
function placesOf(candidates: readonly Candidate[]): ReadonlyMap<string, readonly Place[]> {
  const axes = [...new Set(candidates.flatMap((candidate) => Object.keys(candidate.axes)))].sort();
  const scaled = axes.map((axis) => {
    const values = candidates.map((candidate) => candidate.axes[axis]);
    const logs = values.flatMap((value) => (typeof value === "number" ? [Math.log2(value + 1)] : []));
    const [least, most] = [Math.min(...logs), Math.max(...logs)];
    return (value: AxisValue | undefined): Place =>
      typeof value === "number"
        ? most > least
          ? (Math.log2(value + 1) - least) / (most - least)
          : 0
        : String(value);
  });
  return new Map(
    candidates.map(({ id, axes: own }) => [
      id,
      axes.map((axis, i) => (scaled[i] as (v?: AxisValue) => Place)(own[axis])),
    ]),
  );
}
