/**
 * Predicts variants that were not built: an estimate, corrected by measurements of others. Everything is in logarithms,
 * since estimates are wrong by factors and axes multiply what a design takes. The correction is a Gaussian process over
 * the axes, whose scales are learned from what was measured.
 */
import { itemAt } from "../../core/checked/access.ts";
import type { AxisValue } from "../report/model/report.ts";
import { type Clocked, Clocks } from "./clocks.ts";
import { type Distribution, meanOf } from "./distribution.ts";
import { type Estimate, estimatesOf } from "./estimates.ts";
import { Failures } from "./failures.ts";
import { type Doubt, expectAt, type Fit, type Site, scalesOf } from "./gaussian-process.ts";
import type { Launch } from "./launches.ts";
import { learn } from "./learn.ts";
import { type Parallelism, parallelismOf, slowdown, withoutSlowdown } from "./parallelism.ts";
import { type Coordinate, pointsOf } from "./points.ts";

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
  /** Where nothing is estimated: number of choices that are not the compiler's own. */
  readonly departures?: number;
  /** What its kernels are launched with; absent for hardware. */
  readonly launches?: readonly Launch[];
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
const SMOOTH: Doubt = { all: 0.5, axis: 0.25, curve: 0.05, pairs: 0.05, rest: 0.2, reach: 0.7 };
/**
 * By a tenth each estimate errs by itself, which no neighbour tells: a nugget (Gramacy and Lee, Cases for the nugget in
 * modeling computer experiments, 2012). Without it two results that agree would make what is between them certain.
 * What is measured has kinks: where memory becomes the limit, or where there are as many items as the device has room for.
 */
const ESTIMATED: Doubt = { ...SMOOTH, noise: 0.1, isRough: true };
/** A cell count before any tool ran does not give the share of a device, but orders designs by size. */
const PROPORTIONAL: Doubt = { ...SMOOTH, all: 10 };
const UNKNOWN: Doubt = { all: 10, axis: 0.3, curve: 0.3, pairs: 0.2, rest: 0.2, reach: 1, isRough: true };
const ROUNDS = 4;
/** How far scales may be learned from their priors, and after how many outcomes they may be so far. */
const LOOSE = 0.8;
const MANY = 16;
/** What the compiler takes by itself is its own estimate of the best: by how much another choice is expected to lose. */
const LOST = 0.2;

/** Where candidates are, and what is estimated of each objective: the same for every step of a search. */
interface Ground {
  readonly points: ReadonlyMap<string, readonly Coordinate[]>;
  readonly estimates: readonly (ReadonlyMap<string, Estimate> | undefined)[];
}

const grounds = new WeakMap<readonly Candidate[], Ground>();

export class Model {
  readonly #ground: Ground;
  readonly #fits: readonly Fit[];
  /** For each objective that launches tell of. */
  readonly #parallelisms: (Parallelism | undefined)[] = [];
  readonly #clocks: Clocks | undefined;
  readonly #failures: Failures;
  readonly #expected = new Map<string, Distribution>();
  /** Mean and deviation of what is expected of all candidates, for each objective. */
  readonly #spreads: readonly { readonly mean: number; readonly deviation: number }[];

  constructor(candidates: readonly Candidate[], outcomes: readonly Outcome[]) {
    this.#ground = groundOf(candidates);
    const { points } = this.#ground;
    this.#clocks = candidates.some(({ clocked }) => clocked !== undefined)
      ? new Clocks(candidates, outcomes, points)
      : undefined;
    const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));
    const known = outcomes.flatMap((outcome) => {
      const candidate = byId.get(outcome.id);
      return candidate === undefined ? [] : [{ candidate, outcome }];
    });
    const axes = points.values().next().value?.length ?? 0;
    const objectives = candidates[0]?.predicted.length ?? 0;
    this.#fits = Array.from({ length: objectives }, (_, objective) => {
      const observed = known.flatMap(({ candidate, outcome }) => {
        const value = "values" in outcome ? outcome.values[objective] : undefined;
        if (value === undefined) return [];
        const error = Math.log(value) - this.#prior(candidate, objective);
        return [{ ...this.#siteOf(candidate, objective), error, launches: candidate.launches ?? [] }];
      });
      const isEstimated = candidates.every(({ predicted }) => predicted[objective] !== undefined);
      const isProportional = candidates.some(({ proportional }) => proportional?.includes(objective));
      const doubt = !isEstimated ? UNKNOWN : isProportional ? PROPORTIONAL : ESTIMATED;
      const scales = scalesOf(doubt, axes);
      const parallelism =
        isEstimated || candidates.every(({ launches }) => launches === undefined)
          ? undefined
          : parallelismOf(observed, scales);
      this.#parallelisms[objective] = parallelism;
      return learn(parallelism ? withoutSlowdown(observed, parallelism) : observed, scales, {
        loose: LOOSE * Math.min(1, observed.length / MANY),
        rounds: ROUNDS,
        noise: true,
      });
    });
    const failed = outcomes.some((outcome) => "failed" in outcome);
    this.#spreads = failed ? this.#fits.map((_, i) => this.#spreadOf(candidates, i)) : [];
    this.#failures = new Failures(
      known.map(({ candidate, outcome }) => ({ ...this.#triedOf(candidate), failed: "failed" in outcome })),
    );
  }

  expect(candidate: Candidate, objective: number): Distribution {
    const key = `${objective} ${candidate.id}`;
    const before = this.#expected.get(key);
    if (before !== undefined) return before;
    const found = this.#expectAnew(candidate, objective);
    this.#expected.set(key, found);
    return found;
  }

  #expectAnew(candidate: Candidate, objective: number): Distribution {
    const { clocked } = candidate;
    if (objective === 0 && clocked !== undefined && this.#clocks !== undefined)
      return this.#clocks.expect({ ...candidate, clocked });
    const fit = itemAt(this.#fits, objective);
    const { mean, deviation } = expectAt(fit, this.#siteOf(candidate, objective));
    // Whether what an estimate does not share with its neighbours is an error is open for each of them.
    const own = this.#ground.estimates[objective]?.get(candidate.id)?.own ?? 0;
    return [
      {
        mean: this.#prior(candidate, objective) + mean,
        deviation: Math.hypot(deviation, own, fit.scales.noise),
        weight: 1,
      },
    ];
  }

  /** Probability that the candidate can be built. */
  feasible(candidate: Candidate): number {
    return this.#failures.chanceToBuild(this.#triedOf(candidate));
  }

  /** Without estimates, candidates are equal but for choices that are not the compiler's, and for too few work-items. */
  #prior({ id, predicted, departures = 0, launches = [] }: Candidate, objective: number): number {
    const estimate = this.#ground.estimates[objective]?.get(id)?.value;
    if (estimate !== undefined) return estimate;
    const value = predicted[objective];
    if (value !== undefined && value > 0) return Math.log(value);
    const parallelism = this.#parallelisms[objective];
    return LOST * departures + (parallelism ? slowdown(launches, parallelism) : 0);
  }

  #siteOf({ id }: Candidate, objective: number): Site {
    const own = this.#ground.estimates[objective]?.get(id)?.own ?? 0;
    return { point: this.#placeOf(id), ...(own !== 0 && { effects: [own] }) };
  }

  #triedOf(candidate: Candidate) {
    const sizes = this.#spreads.map(
      ({ mean, deviation }, i) => (meanOf(this.expect(candidate, i)) - mean) / deviation,
    );
    return { point: this.#placeOf(candidate.id), sizes };
  }

  #spreadOf(candidates: readonly Candidate[], objective: number) {
    const means = candidates.map((one) => meanOf(this.expect(one, objective)));
    const mean = means.reduce((a, b) => a + b, 0) / means.length;
    const square = means.reduce((sum, one) => sum + (one - mean) ** 2, 0) / means.length;
    return { mean, deviation: Math.sqrt(square) || 1 };
  }

  #placeOf(id: string): readonly Coordinate[] {
    return this.#ground.points.get(id) ?? [];
  }
}

function groundOf(candidates: readonly Candidate[]): Ground {
  const before = grounds.get(candidates);
  if (before !== undefined) return before;
  const points = pointsOf(candidates);
  const rows = candidates.map(({ id }) => points.get(id) ?? []);
  const estimates = (candidates[0]?.predicted ?? []).map((_, objective) => {
    const found = estimatesOf(
      rows,
      candidates.map(({ predicted }) => predicted[objective]),
    );
    return found && new Map(candidates.map(({ id }, i) => [id, itemAt(found, i)]));
  });
  const ground = { points, estimates };
  grounds.set(candidates, ground);
  return ground;
}
