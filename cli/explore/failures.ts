/**
 * The probability that a variant can be built, learned from those that could and could not: a regression on labels
 * (Rasmussen and Williams, section 6.5). Variants fail alike along the axes, and most often because they are large.
 */
import { expectAt, type Fit, fit, type Site, scalesOf } from "./gaussian-process.ts";
import type { Coordinate } from "./points.ts";

interface Tried {
  readonly point: readonly Coordinate[];
  /** What is expected of each objective, in standard deviations of all candidates. */
  readonly sizes: readonly number[];
}

/** Most variants can be built: the label of one of which nothing is known, between -1 and 1. */
const USUAL = 0.7;
const DOUBT = { all: 0.3, axis: 0.3, curve: 0.2, pairs: 0.2, rest: 0.4, noise: 0.15 };
/** Between which labels there is doubt. */
const STEEPNESS = 2;

export class Failures {
  readonly #fit: Fit | undefined;

  constructor(tried: readonly (Tried & { readonly failed: boolean })[]) {
    const known = tried.map(({ failed, ...one }) => ({ ...siteOf(one), error: (failed ? -1 : 1) - USUAL }));
    this.#fit = tried.some(({ failed }) => failed)
      ? fit(known, scalesOf(DOUBT, tried[0]?.point.length ?? 0))
      : undefined;
  }

  /** 1 as long as nothing has failed. */
  chanceToBuild(one: Tried): number {
    if (this.#fit === undefined) return 1;
    const { mean, deviation } = expectAt(this.#fit, siteOf(one));
    // A normal distribution behind a logistic curve, by the usual approximation (MacKay 1992).
    const label = (STEEPNESS * (USUAL + mean)) / Math.hypot(1, STEEPNESS * deviation);
    return 1 / (1 + Math.exp(-1.7 * label));
  }
}

/** A size of one deviation does to the label what one does that is unknown. */
const siteOf = ({ point, sizes }: Tried): Site => ({ point, effects: sizes });
