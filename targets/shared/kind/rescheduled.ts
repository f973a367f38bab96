/** Handles a design whose first layout misses the clock: it is scheduled again, once, with a margin. */
import type { LoopReport, Rescheduled, SlowerLoop } from "./report.ts";

/** What a layout says about a design's clock. */
export interface Measured {
  /** MHz. */
  readonly reached: number;
  /** Ratio of the slowest path's delay to that in the device's table; absent if unknown. */
  readonly stretch?: number;
}

/** `Rescheduled` as JSON, stored with the tools' outputs. */
export const rescheduledFile = "rescheduled.json";

/** Largest factor on the delays of the device's table. */
const LARGEST_MARGIN = 1.5;

/** Margins are multiples of it, so that similar layouts lead to the same schedule. */
const STEP = 0.05;

/** Variation between layouts of one design with different seeds, which hides gains from a smaller margin. */
const SPREAD = 1.08;

/**
 * The margins to try, the measured one first; others follow if a schedule does not change. By the table, the slowest
 * path may be much shorter than the period, so that only its own stretch cuts it.
 */
export function marginsFor(clock: number, { reached, stretch = 1 }: Measured): readonly number[] {
  const steps = (margin: number) => Math.ceil(margin / STEP - 1e-9);
  const first = Math.min(steps(Math.max(SPREAD * (clock / reached), stretch)), steps(LARGEST_MARGIN));
  const count = steps(LARGEST_MARGIN) - first + 1;
  return Array.from({ length: count }, (_, k) => Math.round(100 * STEP * (first + k)) / 100);
}

/** Loops with a longer interval than in the previous schedule. */
export function slowerLoops(
  before: readonly LoopReport[],
  now: readonly LoopReport[],
): readonly SlowerLoop[] {
  return now.flatMap(({ source, ii: to }, k): SlowerLoop[] => {
    const from = before[k]?.ii;
    return source && from !== undefined && to !== undefined && to > from ? [{ source, from, to }] : [];
  });
}

/** `reached`: clock of the second layout in MHz, if there is one yet. */
export function rescheduledWords(
  { clock, reached: first, margin, slower }: Rescheduled,
  reached?: number,
): string {
  const missed = `clock ${clock} MHz missed at ${first.toFixed(1)}`;
  if (margin === undefined) return `${missed}; no schedule with longer delays differs from this one`;
  const loops = slower.map(
    ({ source: { file, line }, from, to }) =>
      `, an iteration every ${to} cycles, not ${from}, at ${file}:${line}`,
  );
  const again = `${missed}; scheduled again with ${margin.toFixed(2)}x delays${loops.join("")}`;
  if (reached === undefined) return again;
  const why = reached < clock ? ", which misses it too: there is no third schedule" : "";
  return `${again}: ${reached.toFixed(1)} MHz${why}`;
}
