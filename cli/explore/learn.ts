/**
 * Scales of a Gaussian process as observations have them: those of the largest evidence (Rasmussen and Williams, chapter
 * 5), held near a prior, since a few observations say little about many scales.
 */
import { itemAt } from "../../core/checked/access.ts";
import { type Fit, fit, type Known, type Scales } from "./gaussian-process.ts";

interface Learning {
  /** How far the logarithm of a scale may be expected to be from that of the prior. */
  readonly loose: number;
  /** Times that each scale is tried larger and smaller. */
  readonly rounds: number;
  /** Whether the noise is learned, too. */
  readonly noise?: boolean;
}

/** With fewer observations the prior is as good. */
const FEW = 3;
/** First steps are by a factor of nearly three, the last by a fifth. */
const STEP = 1;
const LEAST_STEP = 0.2;

/** A search along one scale after the other. */
export function learn(
  known: readonly Known[],
  prior: Scales,
  { loose, rounds, noise = false }: Learning,
): Fit {
  let best = { factors: flatten(prior).map(() => 0), fit: fit(known, prior) };
  if (known.length < FEW) return best.fit;
  const scoreOf = ({ factors, fit: { evidence } }: typeof best): number =>
    evidence - factors.reduce((sum, factor) => sum + (factor / loose) ** 2 / 2, 0);
  let score = scoreOf(best);
  let step = STEP;
  // The noise is the last.
  const count = best.factors.length - (noise ? 0 : 1);
  for (let round = 0; round < rounds && step >= LEAST_STEP; round++) {
    const before = score;
    for (let i = 0; i < count; i++)
      for (const by of [step, -step]) {
        const factors = best.factors.with(i, itemAt(best.factors, i) + by);
        const tried = { factors, fit: fit(known, scaled(prior, factors)) };
        const own = scoreOf(tried);
        if (own <= score) continue;
        [best, score] = [tried, own];
        break;
      }
    if (score === before) step /= 2;
  }
  return best.fit;
}

const flatten = ({ trends, curves, reaches, pairs, rest, noise }: Scales): readonly number[] => [
  ...trends,
  ...curves,
  ...reaches,
  pairs,
  rest,
  noise,
];

/** The prior's scales times e to the power of each factor. */
function scaled(prior: Scales, factors: readonly number[]): Scales {
  const values = flatten(prior).map((value, i) => value * Math.exp(itemAt(factors, i)));
  const axes = prior.trends.length;
  const [pairs = 0, rest = 0, noise = 0] = values.slice(3 * axes);
  return {
    ...prior,
    trends: values.slice(0, axes),
    curves: values.slice(axes, 2 * axes),
    reaches: values.slice(2 * axes, 3 * axes),
    pairs,
    rest,
    noise,
  };
}
