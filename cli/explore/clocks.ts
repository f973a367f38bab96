/**
 * Predicts the run time of hardware made for a given clock. Its cycles are known from the schedule, so only the ratio
 * between asked and reached clock period (`stretch`) has to be learned. A design that meets its clock runs at the clock
 * it reached. One that misses it is scheduled again for longer delays, as a design for a faster clock would be, and
 * needs as many cycles as that.
 */
import { type Expectation, expectAt, type Fit, fit, type Place } from "./gaussian-process.ts";

export interface Clocked {
  /** Cycles of a launch in the first schedule. */
  readonly cycles: number;
  /** Clock that it is made for, in MHz. */
  readonly clock: number;
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
 * Prior before any layout: the slowest clock is reached with margin, and of each factor by which a clock is faster,
 * half is lost. Measured with integer pipelines on an iCE40; the deviation is learned.
 */
const SLOWEST = -0.4;
const LOST = 0.5;
const DOUBT = { all: 0.2, axis: 0.2, rest: 0.1 };
/** A run may have several launches. Apart from that number, which all designs share, little is uncertain. */
const REST = { all: 3, axis: 0.1, rest: 0.1 };
/** Uncertainty of the estimated cycles of a schedule for longer delays. */
const GUESS = 0.08;
/** Second schedules assume delays this much longer than measured, and at most this many times those of the table. */
const SPREAD = 1.08;
const LARGEST_MARGIN = 1.5;

/** Distances from the mean in standard deviations, and weights: five points of a normal distribution. */
const points = [-1.6, -0.8, 0, 0.8, 1.6].map((z) => ({ z, weight: Math.exp(-(z ** 2) / 2) }));

export class Clocks {
  readonly #designs: readonly Design[];
  readonly #slowest: number;
  readonly #fit: Fit;
  /** Model of the deviation of times from what the stretch predicts. */
  readonly #rest: Fit;
  readonly #places: ReadonlyMap<string, readonly Place[]>;

  constructor(
    designs: readonly Design[],
    layouts: readonly Layout[],
    places: ReadonlyMap<string, readonly Place[]>,
  ) {
    this.#designs = designs;
    this.#places = places;
    this.#slowest = Math.min(...designs.flatMap(({ clocked }) => clocked?.clock ?? []));
    const byId = new Map(designs.map((design) => [design.id, design]));
    const known = layouts.flatMap(({ id, stretch }) => {
      const clock = byId.get(id)?.clocked?.clock;
      return clock === undefined || stretch === undefined
        ? []
        : [{ place: places.get(id) ?? [], error: stretch - this.#usual(clock) }];
    });
    this.#fit = fit(known, DOUBT);
    const errors = layouts.flatMap(({ id, stretch, values }) => {
      const { clocked, ...design } = byId.get(id) ?? {};
      const seconds = values?.[0];
      if (clocked === undefined || stretch === undefined || seconds === undefined) return [];
      const expected = this.#time({ ...(design as Design), clocked }, stretch);
      return [{ place: places.get(id) ?? [], error: Math.log(seconds) - expected }];
    });
    this.#rest = fit(errors, REST);
  }

  /** Predicts the logarithm of seconds. */
  expect(design: Design & { readonly clocked: Clocked }): Expectation {
    const place = this.#places.get(design.id) ?? [];
    const { mean, deviation } = expectAt(this.#fit, place);
    const rest = expectAt(this.#rest, place);
    const usual = this.#usual(design.clocked.clock);
    const all = points.reduce((sum, { weight }) => sum + weight, 0);
    const times = points.map(({ z, weight }) => ({
      weight: weight / all,
      time: this.#time(design, usual + mean + z * deviation),
    }));
    const middle = times.reduce((sum, { weight, time }) => sum + weight * time, 0);
    const square = times.reduce((sum, { weight, time }) => sum + weight * (time - middle) ** 2, 0);
    return { mean: middle + rest.mean, deviation: Math.sqrt(square + rest.deviation ** 2) };
  }

  #usual(clock: number): number {
    return SLOWEST + LOST * Math.log(clock / this.#slowest);
  }

  #time(design: Design & { readonly clocked: Clocked }, stretch: number): number {
    const { cycles, clock } = design.clocked;
    const atRequestedClock = Math.log(cycles / (1e6 * clock));
    if (stretch <= 0) return atRequestedClock + stretch;
    const margin = Math.min(LARGEST_MARGIN, SPREAD * Math.exp(stretch));
    const again = this.#cyclesAt(design, clock * margin);
    return Math.log(again / (1e6 * clock)) + GUESS + Math.max(0, stretch - Math.log(LARGEST_MARGIN));
  }

  /** Cycles of the same choice made for a clock that is at least as fast, among the designs considered. */
  #cyclesAt(design: Design & { readonly clocked: Clocked }, clock: number): number {
    const faster = this.#designs.flatMap((other) =>
      other.clocked !== undefined &&
      other.clocked.clock >= design.clocked.clock &&
      isOtherClock(design, other)
        ? [other.clocked]
        : [],
    );
    const enough = faster.filter((one) => one.clock >= clock).sort((a, b) => a.clock - b.clock)[0];
    return Math.max(design.clocked.cycles, enough?.cycles ?? Math.max(0, ...faster.map((one) => one.cycles)));
  }
}

const isOtherClock = (a: Design, b: Design): boolean =>
  Object.keys({ ...a.axes, ...b.axes }).every((axis) => axis === "clock" || a.axes[axis] === b.axes[axis]);
