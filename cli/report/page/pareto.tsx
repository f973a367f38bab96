/** Two figures of all variants in a diagram, with the Pareto front. */
import { type Figure, figures, paretoOf } from "../model/figures.ts";
import type { VariantReport } from "../model/report.ts";
import { figureText } from "../text/figure.ts";
import type { Choice } from "./address.ts";
import { Plot } from "./plots/plot.tsx";

interface Props {
  readonly variants: readonly VariantReport[];
  readonly choice: Choice;
  readonly change: (part: Choice) => void;
  /** Names in the address of what is across and up. */
  readonly axes?: readonly [across: string, up: string];
}

export function Pareto({ variants, choice, change, axes: [across, up] = ["x", "y"] }: Props) {
  const known = figures.filter(
    ({ of }) => variants.filter((variant) => of(variant) !== undefined).length > 1,
  );
  const of = (key: string | undefined) => known.find((figure) => figure.key === key);
  const y = of(choice[up]) ?? of("time") ?? known[0];
  const x = of(choice[across]) ?? of("area") ?? of("energy") ?? known.find((figure) => figure !== y);
  if (known.length < 2 || x === undefined || y === undefined) return null;
  const points = variants.flatMap((variant) => {
    const [left, right] = [x.of(variant), y.of(variant)];
    return left === undefined || right === undefined ? [] : [{ variant, x: left, y: right }];
  });
  const front = new Set(paretoOf(variants, [x, y]));
  const best = points.filter(({ variant }) => front.has(variant)).sort((a, b) => a.x - b.x);
  const select = (key: string, now: Figure) => (
    <label>
      {key === across ? "across" : "up"}{" "}
      <select value={now.key} onChange={(event) => change({ [key]: event.currentTarget.value })}>
        {known.map(({ key: value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
  const drawn =
    points.length > MANY ? thinned(points, (one) => front.has(one) || one.address === choice.v) : points;
  const label =
    best.length === 0
      ? `No variant has both ${y.title} and ${x.title}.`
      : `${y.title} against ${x.title} of ${points.length} variants. On the front: ${best
          .slice(0, 8)
          .map(({ variant }) => variant.address)
          .join(", ")}${best.length > 8 ? `, and ${best.length - 8} more` : ""}.${
          drawn.length < points.length ? " Of points that cover each other one is drawn." : ""
        }`;
  const targets = [...new Set(points.map(({ variant }) => variant.target))];
  return (
    <>
      <p class="controls">
        {select(up, y)} {select(across, x)}
      </p>
      <Plot
        height={340}
        label={label}
        version={JSON.stringify([x.key, y.key, points.map(({ variant }) => variant.address), choice.v])}
        options={(_, { dot, line, pointer, tip }) => ({
          marginLeft: 70,
          grid: true,
          x: { label: x.title, tickFormat: (v: number) => figureText(v, x), zero: true, ticks: 6 },
          y: { label: y.title, tickFormat: (v: number) => figureText(v, y), zero: true, ticks: 6 },
          symbol: { domain: targets, legend: targets.length > 1 },
          marks: [
            line(best, {
              x: "x",
              y: "y",
              z: ({ variant }) => variant.target,
              strokeDasharray: "4 3",
              strokeOpacity: 0.7,
            }),
            dot(drawn, {
              x: "x",
              y: "y",
              r: ({ variant }) => (variant.address === choice.v ? 8 : 5),
              symbol: ({ variant }: Point) => variant.target,
              fill: ({ variant }: Point) => (front.has(variant) ? "var(--accent)" : "var(--page)"),
              stroke: "var(--accent)",
            }),
            tip(
              drawn,
              pointer({
                x: "x",
                y: "y",
                fill: "var(--page)",
                title: ({ variant, x: a, y: b }: Point) =>
                  `${variant.address}\n${x.title}: ${figureText(a, x)}\n${y.title}: ${figureText(b, y)}`,
              }),
            ),
          ],
        })}
      />
    </>
  );
}

interface Point {
  readonly variant: VariantReport;
  readonly x: number;
  readonly y: number;
}

/** A browser takes long for more circles than this, most of which cover others. */
const MANY = 1500;
/** Circles are about ten pixels wide, the diagram a thousand by three hundred. */
const CELLS = { across: 100, up: 34 };

/** One point of each part of the diagram that is as large as a circle, and all those to keep. */
export function thinned(
  points: readonly Point[],
  isKept: (variant: VariantReport) => boolean,
): readonly Point[] {
  const [right, top] = [Math.max(...points.map(({ x }) => x)), Math.max(...points.map(({ y }) => y))];
  const taken = new Set<string>();
  return points.filter(({ variant, x, y }) => {
    const cell = `${Math.round((CELLS.across * x) / right)} ${Math.round((CELLS.up * y) / top)}`;
    const isFree = !taken.has(cell);
    taken.add(cell);
    return isFree || isKept(variant);
  });
}
