/**
 * What is expected of variants that nobody built: an estimate, corrected by what was measured of others. All in
 * logarithms, since estimates are off by factors and axes multiply what a design takes. The correction is a Gaussian
 * process over the axes.
 */
import type { AxisValue } from "../report/model/report.ts";
import { type Clocked, Clocks } from "./clocks.ts";
import {
  type Doubt,
  type Expectation,
  expectAt,
  type Fit,
  fit,
  nearness,
  type Place,
  placesOf,
} from "./gaussian-process.ts";

export interface Candidate {
  readonly id: string;
  readonly axes: Readonly<Record<string, AxisValue>>;
  /** Of each objective, the less the better; undefined where nothing estimates it. */
  readonly predicted: readonly (number | undefined)[];
  /** Objectives whose prediction has another unit: it only grows with what is measured. */
  readonly proportional?: readonly number[];
  /** Of hardware whose schedule is known: the first objective is its time. */
  readonly clocked?: Clocked;
  /** Of what tools get: candidates with the same one differ in nothing but the clock that they ask for. */
  readonly design?: string;
}

export type Outcome =
  | {
      readonly id: string;
      readonly values: readonly number[];
      /** Logarithm of the clock that was asked for over what the first layout reached. */
      readonly stretch?: number;
    }
  /** It does not fit, or its tools failed. */
  | { readonly id: string; readonly failed: true };

/** Estimates are off by a third, as on published tables; without one a design may take anything. */
const ESTIMATED: Doubt = { all: 0.5, axis: 0.25, rest: 0.2 };
/** A count of cells before any tool ran says nothing of the share of a device, but well who takes more. */
const PROPORTIONAL: Doubt = { all: 10, axis: 0.25, rest: 0.2 };
const UNKNOWN: Doubt = { all: 3, axis: 1, rest: 0.4 };

export class Model {
  readonly #places: ReadonlyMap<string, readonly Place[]>;
  readonly #outcomes: readonly Outcome[];
  readonly #fits: readonly Fit[];
  readonly #clocks: Clocks | undefined;

  constructor(candidates: readonly Candidate[], outcomes: readonly Outcome[]) {
    this.#places = placesOf(candidates);
    this.#outcomes = outcomes;
    this.#clocks = candidates.some(({ clocked }) => clocked !== undefined)
      ? new Clocks(candidates, outcomes, this.#places)
      : undefined;
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
    const { clocked } = candidate;
    if (objective === 0 && clocked !== undefined && this.#clocks !== undefined)
      return this.#clocks.expect({ ...candidate, clocked });
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

/** Where nothing is estimated all are taken to be alike. */
const prior = ({ predicted }: Candidate, objective: number): number => {
  const value = predicted[objective];
  return value === undefined || value <= 0 ? 0 : Math.log(value);
};
