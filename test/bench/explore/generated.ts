/**
 * Spaces by a seed, whose whole front is known: accelerators as analytical models describe them, which is not how the
 * search's model describes a space. The time is that of the slower of computing and memory (Williams, Waterman and
 * Patterson, Roofline, 2009), the clock falls as a design grows, and what does not fit cannot be built. Estimates err by a
 * factor that all share, along the axes, and by themselves; some know no memory, and some spaces have none.
 */
import type { Candidate } from "../../../cli/explore/model.ts";
import { type Random, randomFrom } from "../../../cli/explore/random.ts";
import type { Space } from "./recorded.ts";

/** What a choice does: factors. Larger `width` computes more at a time, a larger `period` is a slower clock. */
interface Effect {
  readonly width: number;
  readonly traffic: number;
  readonly area: number;
  readonly period: number;
}

interface Axis {
  readonly name: string;
  readonly values: readonly (number | string | boolean)[];
  readonly effects: readonly Effect[];
}

interface Design {
  readonly axes: Candidate["axes"];
  readonly effects: readonly Effect[];
}

const NONE: Effect = { width: 1, traffic: 1, area: 1, period: 1 };

/** From the least to the most, in logarithms. */
const between = (random: Random, least: number, most: number): number => least * (most / least) ** random();

const below = (random: Random, count: number): number => Math.floor(random() * count);

/** Of the standard normal distribution (Box and Muller). */
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const makers: readonly ((random: Random) => Axis)[] = [
  // Copies: each takes area, and the last bring less.
  (random) => {
    const values = [1, 2, 4, 8, 16].slice(0, 3 + below(random, 3));
    const [gain, cost] = [between(random, 0.6, 1), between(random, 0.3, 1)];
    const effects = values.map((n) => ({ ...NONE, width: n ** gain, area: n ** cost }));
    return { name: "unroll", values, effects };
  },
  // A window reads each element once.
  (random) => {
    const values = [0, 2, 4, 8].slice(0, 2 + below(random, 3));
    const [less, cost] = [between(random, 0.3, 0.9), between(random, 0.2, 0.8)];
    const effects = values.map((n) =>
      n === 0 ? NONE : { ...NONE, width: n, traffic: less, area: 1.2 * n ** cost },
    );
    return { name: "window", values, effects };
  },
  // Operations that take turns.
  (random) => {
    const values = [1, 2, 4].slice(0, 2 + below(random, 2));
    const saved = between(random, 0.3, 0.8);
    return {
      name: "share",
      values,
      effects: values.map((n) => ({ ...NONE, width: 1 / n, area: n ** -saved })),
    };
  },
  // Groups of a launch: too few leave the device idle, too many cost a little.
  (random) => {
    const values = [32, 64, 128, 256, 512];
    const [best, loss] = [below(random, 5), between(random, 1.05, 1.6)];
    return {
      name: "vector-length",
      values,
      effects: values.map((_, i) => ({ ...NONE, width: loss ** -Math.abs(i - best) })),
    };
  },
  // Words whose effects have nothing to do with each other.
  (random) => {
    const values = ["none", "8x8", "16x16", "8x32"].slice(0, 2 + below(random, 3));
    const effects = values.map(() => ({
      width: between(random, 0.6, 1.6),
      traffic: between(random, 0.5, 1.2),
      area: between(random, 0.8, 1.3),
      period: between(random, 0.95, 1.1),
    }));
    return { name: "tile", values, effects };
  },
  (random) => {
    const on = {
      ...NONE,
      width: between(random, 0.9, 1.2),
      area: between(random, 0.8, 1.1),
      period: between(random, 0.95, 1.15),
    };
    return { name: "hoist", values: [false, true], effects: [NONE, on] };
  },
];

/** Of as many designs at most. */
const MOST = 150;
const LEAST = 12;
const NOISE = 0.03;

export function generated(seed: number): Space {
  const random = randomFrom(seed * 2_654_435_761);
  const axes = axesOf(random);
  let designs: readonly Design[] = [{ axes: {}, effects: [] }];
  for (const { name, values, effects } of axes)
    designs = designs.flatMap((design) =>
      values.map((value, i) => ({
        axes: { ...design.axes, [name]: value },
        effects: [...design.effects, effects[i] ?? NONE],
      })),
    );
  // Where memory becomes the limit, how much a clock loses by size, and what fits.
  const widths = designs.map((design) => product(design, "width")).sort((a, b) => a - b);
  const memory = 1 / (widths[Math.floor(widths.length * (0.4 + 0.7 * random()))] ?? Number.POSITIVE_INFINITY);
  const slower = 0.25 * random();
  const base = between(random, 0.1, 2);
  const isEstimated = random() < 0.7;
  const idle = between(random, 0.1, 1);
  const truth = designs.map((design) => {
    const area = base + product(design, "area");
    const cycles = Math.max(1 / product(design, "width"), memory * product(design, "traffic")) + 0.01;
    const period = product(design, "period") * area ** slower;
    const seconds = cycles * period;
    // Kernels whose time nobody estimates are measured: what waits takes power, and so does all that is computed and moved.
    const second = isEstimated ? area : idle * seconds + 0.05 * product(design, "traffic") * area ** 0.2;
    return [seconds, second].map((value) => value * Math.exp(NOISE * normal(random)));
  });
  const areas = truth.map(([, area = 0]) => area).sort((a, b) => a - b);
  const room =
    random() < 0.5 ? Number.POSITIVE_INFINITY : areas[Math.floor(areas.length * (0.75 + 0.25 * random()))];
  const fits = ([, area = 0]: readonly number[]) => area <= (room ?? Number.POSITIVE_INFINITY);
  const isProportional = random() < 0.5;
  const knowsMemory = random() < 0.7;
  const [own, along] = [between(random, 0.02, 0.3), 0.25];
  const errors = [0, 1].map(() => axes.map(({ values }) => (along * normal(random)) / values.length));
  const all = [0, 1].map(() => 0.5 * normal(random));
  const estimate = (design: Design, i: number, objective: number): number => {
    const [seconds = 0, area = 0] = truth[i] ?? [];
    const computed = (product(design, "period") * area ** slower) / product(design, "width");
    const value =
      objective === 1 ? (isProportional ? 300 * area ** 0.8 : area) : knowsMemory ? seconds : computed;
    const places = axes.map(({ name, values }) => values.indexOf(design.axes[name] as never));
    const error = places.reduce(
      (sum, place, k) => sum + place * (errors[objective]?.[k] ?? 0),
      all[objective] ?? 0,
    );
    return value * Math.exp(error + own * normal(random));
  };
  // A compiler that estimates nothing takes of each axis what is best or next to it.
  const usual = axes.map(({ effects }) => {
    const best = effects.reduce((a, b, i) => (b.width > (effects[a]?.width ?? 0) ? i : a), 0);
    return Math.max(0, best - below(random, 2));
  });
  const candidates = designs.map(
    (design, i): Candidate => ({
      id: String(i),
      axes: design.axes,
      predicted: [0, 1].map((objective) => (isEstimated ? estimate(design, i, objective) : undefined)),
      ...(isEstimated
        ? isProportional && { proportional: [1] }
        : {
            departures: axes.filter(({ name, values }, k) => values[usual[k] ?? 0] !== design.axes[name])
              .length,
          }),
    }),
  );
  return {
    name: `seed ${seed}`,
    candidates,
    valuesOf: (id) => {
      const values = truth[Number(id)];
      return values && fits(values) ? values : undefined;
    },
  };
}

const product = ({ effects }: Design, what: keyof Effect): number =>
  effects.reduce((all, effect) => all * effect[what], 1);

/** Two to four of the axes there are, so that a space has neither few nor very many designs. */
function axesOf(random: Random): readonly Axis[] {
  for (;;) {
    const left = [...makers];
    const axes = Array.from({ length: 2 + below(random, 3) }, () => {
      const [maker = itemless] = left.splice(below(random, left.length), 1);
      return maker(random);
    });
    const count = axes.reduce((all, { values }) => all * values.length, 1);
    if (count >= LEAST && count <= MOST) return axes;
  }
}

const itemless = (): Axis => ({ name: "none", values: [0], effects: [NONE] });
