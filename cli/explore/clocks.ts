/**
 * Predicts the run time of hardware made for a given clock. Its cycles are known from the schedule, so only the ratio
 * between asked and reached clock period (`stretch`) has to be learned. A design that meets its clock runs at the clock
 * it reached. One that misses it is scheduled again for longer delays, as a design for a faster clock would be, and
 * needs as many cycles as that.
 */
import { itemAt } from "../../core/checked/access.ts";
import { between, type Distribution } from "./distribution.ts";
import { expectAt, type Fit, fit, scalesOf } from "./gaussian-process.ts";
import type { Coordinate } from "./points.ts";

export interface Clocked {
  /** Cycles of a launch in the first schedule. */
  readonly cycles: number;
  /** Clock that it is made for, in MHz. */
  readonly clock: number;
  /** Cells of the first schedule. */
  readonly cells?: number;
}

interface Design {
  readonly id: string;
  readonly axes: Readonly<Record<string, unknown>>;
  readonly clocked?: Clocked;
}

interface Layout {
  readonly id: string;
  /** The first value is the time in seconds. */
  readonly values?: readonly number[];
  /** Logarithm of the asked clock divided by the clock of the first layout: above 0 the clock was missed. */
  readonly stretch?: number;
}

/**
 * Prior before any layout: the slowest clock is reached with margin; of each factor by which a clock is faster, LOST is
 * lost, and of each by which a design is larger, GROWN. Means of the two spaces in test/bench/explore, integer pipelines
 * on an iCE40; the deviation is learned.
 */
const SLOWEST = -0.4;
const LOST = 0.75;
const GROWN = 0.15;
const DOUBT = { all: 0.2, axis: 0.2, rest: 0.1 };
/** A run may have several launches. Apart from that number, which all designs share, little is uncertain. */
const REST = { all: 3, axis: 0.1, rest: 0.1 };
/** Uncertainty of the estimated cycles of a schedule for longer delays. */
const GUESS = 0.08;
/** Second schedules assume delays this much longer than measured, and at most this many times those of the table. */
const SPREAD = 1.08;
const LARGEST_MARGIN = 1.5;
const MOST = Math.log(LARGEST_MARGIN);

type ClockedDesign = Design & { readonly clocked: Clocked };

export class Clocks {
  /** The same choice for each clock, the slowest first. */
  readonly #byChoice: ReadonlyMap<string, readonly Clocked[]>;
  readonly #slowest: number;
  readonly #smallest: number;
  readonly #fit: Fit;
  /** Model of the deviation of times from what the stretch predicts. */
  readonly #rest: Fit;
  readonly #places: ReadonlyMap<string, readonly Coordinate[]>;

  constructor(
    designs: readonly Design[],
    layouts: readonly Layout[],
    points: ReadonlyMap<string, readonly Coordinate[]>,
  ) {
    this.#places = points;
    const axes = points.values().next().value?.length ?? 0;
    const all = designs.flatMap(({ clocked, ...design }): readonly ClockedDesign[] =>
      clocked === undefined ? [] : [{ ...design, clocked }],
    );
    this.#byChoice = byChoiceOf(all);
    this.#slowest = Math.min(...all.map(({ clocked }) => clocked.clock));
    this.#smallest = Math.min(...all.flatMap(({ clocked }) => clocked.cells ?? []));
    const byId = new Map(all.map((design) => [design.id, design]));
    const known = layouts.flatMap(({ id, stretch, values }) => {
      const design = byId.get(id);
      if (design === undefined || stretch === undefined) return [];
      return [{ design, point: points.get(id) ?? [], stretch, seconds: values?.[0] }];
    });
    this.#fit = fit(
      known.map(({ design, point, stretch }) => ({ point, error: stretch - this.#usual(design.clocked) })),
      scalesOf(DOUBT, axes),
    );
    const errors = known.flatMap(({ design, point, stretch, seconds }) =>
      seconds === undefined ? [] : [{ point, error: Math.log(seconds) - this.#time(design, stretch) }],
    );
    this.#rest = fit(errors, scalesOf(REST, axes));
  }

  /**
   * Predicts the logarithm of seconds. A missed clock costs whole cycles per iteration: the time is spread around that
   * of each schedule which may come of it, and not between them.
   */
  expect(design: ClockedDesign): Distribution {
    const point = this.#places.get(design.id) ?? [];
    const { mean, deviation } = expectAt(this.#fit, { point });
    const rest = expectAt(this.#rest, { point });
    const stretch = { mean: this.#usual(design.clocked) + mean, deviation };
    const bounds = [Number.NEGATIVE_INFINITY, 0, ...this.#steps(design), Number.POSITIVE_INFINITY];
    const parts = bounds.slice(1).flatMap((to, i) => {
      const from = itemAt(bounds, i);
      const part = between(stretch, from, to);
      if (part.weight === 0) return [];
      // Between two steps the cycles are those of one schedule, at the clock that was asked for.
      const own = from >= 0 && to <= MOST ? 0 : part.deviation;
      const time = this.#time(design, part.mean) + rest.mean;
      return [{ mean: time, deviation: Math.hypot(own, rest.deviation), weight: part.weight }];
    });
    return parts;
  }

  #usual({ clock, cells = this.#smallest }: Clocked): number {
    const larger = Number.isFinite(this.#smallest) ? Math.log(cells / this.#smallest) : 0;
    return SLOWEST + LOST * Math.log(clock / this.#slowest) + GROWN * larger;
  }

  #time(design: ClockedDesign, stretch: number): number {
    const { cycles, clock } = design.clocked;
    const atRequestedClock = Math.log(cycles / (1e6 * clock));
    if (stretch <= 0) return atRequestedClock + stretch;
    const margin = Math.min(LARGEST_MARGIN, SPREAD * Math.exp(stretch));
    const again = this.#cyclesAt(design, clock * margin);
    return Math.log(again / (1e6 * clock)) + GUESS + Math.max(0, stretch - MOST);
  }

  /** Stretches at which the second schedule becomes that of the next faster clock. */
  #steps(design: ClockedDesign): readonly number[] {
    const steps = this.#faster(design).map(({ clock }) => Math.log(clock / design.clocked.clock / SPREAD));
    return [...new Set(steps.filter((step) => step > 0 && step < MOST)), MOST];
  }

  /** Cycles of the same choice made for a clock that is at least as fast, among the designs considered. */
  #cyclesAt(design: ClockedDesign, clock: number): number {
    const faster = this.#faster(design);
    const enough = faster.find((one) => one.clock >= clock);
    return Math.max(design.clocked.cycles, enough?.cycles ?? Math.max(0, ...faster.map((one) => one.cycles)));
  }

  #faster(design: ClockedDesign): readonly Clocked[] {
    const all = this.#byChoice.get(choiceOf(design)) ?? [];
    return all.filter(({ clock }) => clock >= design.clocked.clock);
  }
}

function byChoiceOf(designs: readonly ClockedDesign[]): ReadonlyMap<string, readonly Clocked[]> {
  const lists = new Map<string, Clocked[]>();
  for (const design of designs) {
    const choice = choiceOf(design);
    lists.set(choice, [...(lists.get(choice) ?? []), design.clocked]);
  }
  for (const list of lists.values()) list.sort((a, b) => a.clock - b.clock);
  return lists;
}

/** All axes but the clock. */
const choiceOf = ({ axes }: Design): string =>
  JSON.stringify(
    Object.entries(axes)
      .filter(([axis]) => axis !== "clock")
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
