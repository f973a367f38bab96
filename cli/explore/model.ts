/**
 * Predicts variants that were not built: an estimate, corrected by measurements of others. Everything is in logarithms,
 * since estimates are wrong by factors and axes multiply what a design takes. The correction is a Gaussian process over
 * the axes.
 */
import type { AxisValue } from "../report/model/report.ts";
import { type Clocked, Clocks } from "./clocks.ts";
import type { Distribution } from "./distribution.ts";
import { type Doubt, expectAt, type Fit, fit, type Place, placesOf, similarity } from "./gaussian-process.ts";

export interface Candidate {
  readonly id: string;
  readonly axes: Readonly<Record<string, AxisValue>>;
  /** Estimate for each objective (smaller is better); undefined where there is none. */
  readonly predicted: readonly (number | undefined)[];
  /** Objectives whose estimate has another unit and only grows with the measured value. */
  readonly proportional?: readonly number[];
  /** For hardware with a known schedule: the first objective is its time. */
  readonly clocked?: Clocked;
  /** Digest of the tools' input: candidates with the same one differ only in the clock that they ask for. */
  readonly design?: string;
}

export type Outcome =
  | {
      readonly id: string;
      readonly values: readonly number[];
      /** Logarithm of the asked clock divided by the clock of the first layout. */
      readonly stretch?: number;
    }
  /** It does not fit, or its tools failed. */
  | { readonly id: string; readonly failed: true };

/** Estimates are wrong by a third, as in published tables; without an estimate anything is possible. */
const ESTIMATED: Doubt = { all: 0.5, axis: 0.25, rest: 0.2 };
/** A cell count before any tool ran does not give the share of a device, but orders designs by size. */
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

  expect(candidate: Candidate, objective: number): Distribution {
    const { clocked } = candidate;
    if (objective === 0 && clocked !== undefined && this.#clocks !== undefined)
      return this.#clocks.expect({ ...candidate, clocked });
    const { mean, deviation } = expectAt(this.#fits[objective] as Fit, this.#placeOf(candidate));
    return [{ mean: prior(candidate, objective) + mean, deviation, weight: 1 }];
  }

  /** Probability that the candidate can be built, from the results of similar variants. */
  feasible(candidate: Candidate): number {
    let [built, all] = [1, 1];
    for (const outcome of this.#outcomes) {
      const weight = similarity(this.#placeOf(candidate), this.#places.get(outcome.id) ?? []);
      all += weight;
      if ("values" in outcome) built += weight;
    }
    return built / all;
  }

  #placeOf({ id }: Candidate): readonly Place[] {
    return this.#places.get(id) ?? [];
  }
}

/** Without estimates all candidates are assumed equal. */
const prior = ({ predicted }: Candidate, objective: number): number => {
  const value = predicted[objective];
  return value === undefined || value <= 0 ? 0 : Math.log(value);
};
