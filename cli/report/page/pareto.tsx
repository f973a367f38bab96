/** Two figures of all variants in a diagram, with the Pareto front. */
import { dot, line, pointer, tip } from "@observablehq/plot";
import { type Figure, figureOf, figures, paretoOf } from "../model/figures.ts";
import type { VariantReport } from "../model/report.ts";
import { figureText } from "../text/figure.ts";
import type { Choice } from "./address.ts";
import { Plot } from "./plots/plot.tsx";

interface Props {
  readonly variants: readonly VariantReport[];
  readonly choice: Choice;
  readonly change: (part: Choice) => void;
}

export function Pareto({ variants, choice, change }: Props) {
  const known = figures.filter(
    ({ of }) => variants.filter((variant) => of(variant) !== undefined).length > 1,
  );
  const x = figureOf(choice.x ?? "area") ?? known[0];
  const y = figureOf(choice.y ?? "time") ?? known[1];
  if (known.length < 2 || x === undefined || y === undefined) return null;
  const points = variants.flatMap((variant) => {
    const [left, right] = [x.of(variant), y.of(variant)];
    return left === undefined || right === undefined ? [] : [{ variant, x: left, y: right }];
  });
  const front = new Set(paretoOf(variants, [x, y]));
  const best = points.filter(({ variant }) => front.has(variant)).sort((a, b) => a.x - b.x);
  const select = (key: "x" | "y", now: Figure) => (
    <label>
      {key === "x" ? "across" : "up"}{" "}
      <select value={now.key} onChange={(event) => change({ [key]: event.currentTarget.value })}>
        {known.map(({ key: value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
  const label =
    best.length === 0
      ? `No variant has both ${y.title} and ${x.title}.`
      : `${y.title} against ${x.title} of ${points.length} variants. On the front: ${best
          .slice(0, 8)
          .map(({ variant }) => variant.address)
          .join(", ")}${best.length > 8 ? `, and ${best.length - 8} more` : ""}.`;
  const targets = [...new Set(points.map(({ variant }) => variant.target))];
  return (
    <>
      <p class="controls">
        {select("y", y)} {select("x", x)}
      </p>
      <Plot
        label={label}
        version={JSON.stringify([x.key, y.key, points.map(({ variant }) => variant.address), choice.v])}
        options={() => ({
          height: 340,
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
            dot(points, {
              x: "x",
              y: "y",
              r: ({ variant }) => (variant.address === choice.v ? 8 : 5),
              symbol: ({ variant }: (typeof points)[number]) => variant.target,
              fill: ({ variant }: (typeof points)[number]) =>
                front.has(variant) ? "var(--accent)" : "var(--page)",
              stroke: "var(--accent)",
            }),
            tip(
              points,
              pointer({
                x: "x",
                y: "y",
                fill: "var(--page)",
                title: ({ variant, x: a, y: b }: (typeof points)[number]) =>
                  `${variant.address}\n${x.title}: ${figureText(a, x)}\n${y.title}: ${figureText(b, y)}`,
              }),
            ),
          ],
        })}
      />
    </>
  );
}
