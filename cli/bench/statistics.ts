/**
 * Summaries of repeated measurements. Run times have long tails, so medians and order statistics are used, not means.
 */
import { itemAt } from "../../core/checked/access.ts";

export interface Summary {
  readonly count: number;
  readonly least: number;
  readonly median: number;
  /** 95 % confidence interval of the median; absent for fewer than six values. */
  readonly interval?: readonly [low: number, high: number];
}

/** Undefined for an empty list. */
export function summarise(values: readonly number[]): Summary | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const [least] = sorted;
  if (least === undefined) return undefined;
  const interval = medianInterval(sorted);
  return { count: sorted.length, least, median: middle(sorted), ...(interval && { interval }) };
}

function middle(sorted: readonly number[]): number {
  const half = Math.floor(sorted.length / 2);
  const high = itemAt(sorted, half);
  return sorted.length % 2 === 1 ? high : (itemAt(sorted, half - 1) + high) / 2;
}

/**
 * The narrowest pair of order statistics x(k), x(n+1-k) with P(k <= B(n, 1/2) <= n-k) >= 0.95. This assumes nothing
 * about the distribution. Hahn and Meeker, Statistical Intervals, 1991, section 5.2.
 */
function medianInterval(sorted: readonly number[]): readonly [number, number] | undefined {
  const n = sorted.length;
  let tail = 0.5 ** n;
  let k = 0;
  // `tail` is P(B <= k), left out at each end.
  for (let term = tail; 2 * tail <= 0.05; tail += term) {
    k += 1;
    term = (term * (n - k + 1)) / k;
  }
  return k === 0 ? undefined : [itemAt(sorted, k - 1), itemAt(sorted, n - k)];
}

/** Width of the confidence interval relative to the median. */
export const spreadOf = ({ median, interval }: Summary): number | undefined =>
  interval === undefined || median === 0 ? undefined : (interval[1] - interval[0]) / median;
