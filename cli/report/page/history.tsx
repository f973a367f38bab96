/** How a figure of the variants developed over earlier reports up to this one. */
import { useState } from "preact/hooks";
import { compare } from "../model/compare.ts";
import { type Figure, figureOf, figures } from "../model/figures.ts";
import type { PageData } from "../model/page-data.ts";
import type { VariantReport } from "../model/report.ts";
import { figureText } from "../text/figure.ts";
import type { Choice } from "./address.ts";
import { Verdict } from "./compared.tsx";
import { More, ROWS } from "./more.tsx";
import { Plot } from "./plots/plot.tsx";
import { Scroll, Section } from "./section.tsx";

interface Props {
  readonly data: PageData;
  readonly choice: Choice;
  readonly change: (part: Choice) => void;
}

/** How many lines are drawn: those that changed most. */
const LINES = 8;

/** A logarithmic axis is used when figures differ by more than this factor. */
const WIDE = 20;

const NOW = "this report";

export function History({ data, choice, change }: Props) {
  const { earlier = [] } = data;
  const [shown, setShown] = useState(ROWS);
  if (earlier.length === 0) return null;
  // A file that is given twice is one report.
  const reports = [
    ...earlier.map((one, i) => ({ ...one, key: `${i + 1}. ${one.name}` })),
    { name: NOW, key: NOW, variants: data.variants },
  ];
  const known = figures.filter(({ of }) => data.variants.some((variant) => of(variant) !== undefined));
  const figure = figureOf(choice.history ?? "time") ?? known[0];
  if (figure === undefined || known.length === 0) return null;
  const byAddress = reports.map(
    ({ variants }) => new Map(variants.map((variant) => [variant.address, variant])),
  );
  const rows = data.variants
    .map((variant) => {
      const states = byAddress.map((report) => report.get(variant.address));
      return {
        variant,
        before: states.at(-2),
        values: states.map((state) => (state === undefined ? undefined : figure.of(state))),
      };
    })
    .filter(({ values }) => values.some((value) => value !== undefined));
  const moved = [...rows].sort((a, b) => spreadOf(b.values) - spreadOf(a.values)).slice(0, LINES);
  const points = moved.flatMap(({ variant, values }) =>
    values.flatMap((value, at) =>
      value === undefined ? [] : [{ name: variant.address, at, value, report: reports[at]?.key ?? "" }],
    ),
  );
  return (
    <Section id="history" title="History" note={`Of ${earlier.length} earlier reports and this one.`}>
      <p class="controls">
        <label>
          figure{" "}
          <select value={figure.key} onChange={(event) => change({ history: event.currentTarget.value })}>
            {known.map(({ key, title }) => (
              <option key={key} value={key}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </p>
      <Lines figure={figure} points={points} reports={reports.map(({ key }) => key)} of={rows.length} />
      <Scroll label={`${figure.title} by report`}>
        <table>
          <thead>
            <tr>
              <th scope="col">variant</th>
              {reports.map(({ key }) => (
                <th key={key} scope="col" class="number">
                  {key}
                </th>
              ))}
              <th scope="col">since the last</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map(({ variant, before, values }) => (
              <tr key={variant.address}>
                <th scope="row">
                  <code>{variant.address}</code>
                </th>
                {values.map((value, at) => (
                  <td key={reports[at]?.key} class="number">
                    {figureText(value, figure)}
                  </td>
                ))}
                <td>
                  <Since figure={figure} now={variant} before={before} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <More of={rows.length} shown={shown} show={setShown} />
    </Section>
  );
}

function Since({
  figure,
  now,
  before,
}: {
  readonly figure: Figure;
  readonly now: VariantReport;
  readonly before: VariantReport | undefined;
}) {
  if (before === undefined) return null;
  const change = compare(now, before).changes.find((one) => one.figure.key === figure.key);
  return change === undefined ? null : <Verdict change={change} />;
}

/** Largest divided by smallest value: 1 if it never changed. */
function spreadOf(values: readonly (number | undefined)[]): number {
  const known = values.filter((value) => value !== undefined);
  return known.length < 2 ? 0 : Math.max(...known) / Math.max(Math.min(...known), 1e-12);
}

interface Point {
  readonly name: string;
  readonly at: number;
  readonly value: number;
  readonly report: string;
}

function Lines({
  figure,
  points,
  reports,
  of,
}: {
  readonly figure: Figure;
  readonly points: readonly Point[];
  readonly reports: readonly string[];
  /** Total number of variants. */
  readonly of: number;
}) {
  const names = [...new Set(points.map(({ name }) => name))];
  const few = of > names.length ? ` Drawn are the ${names.length} of ${of} variants that changed most.` : "";
  const values = points.map(({ value }) => value);
  const isWide = Math.min(...values) > 0 && Math.max(...values) > WIDE * Math.min(...values);
  const ends = { x: "at", y: "value", stroke: "name" } as const;
  return (
    <Plot
      height={300}
      label={`${figure.title} of ${names.length === 1 ? names[0] : `${names.length} variants`} over ${reports.length} reports.${few} The table below has the figures.`}
      version={JSON.stringify([figure.key, points])}
      options={(width, { axisX, dot, line, pointer, tip }) => ({
        marginLeft: 70,
        marginRight: 20,
        marginBottom: 40,
        x: { domain: [0, reports.length - 1], inset: 12 },
        y: {
          label: figure.title,
          grid: true,
          ...(isWide ? { type: "log" } : { zero: true }),
          nice: true,
          ticks: 5,
          tickFormat: (v: number) => figureText(v, figure),
        },
        color: {
          legend: names.length > 1,
          domain: names,
          range: names.map((_, i) => `var(--series-${(i % 8) + 1})`),
        },
        marks: [
          axisX(
            reports.map((_, at) => at),
            {
              label: null,
              tickFormat: (at: number) =>
                shortened(reports[at] ?? "", Math.floor(width / reports.length / 8)),
            },
          ),
          line(points, { ...ends, strokeWidth: 1.75 }),
          dot(points, { ...ends, fill: "name", r: 3.5 }),
          tip(
            points,
            pointer({
              x: "at",
              y: "value",
              fill: "var(--page)",
              title: ({ name, report, value }: Point) => `${name}\n${report}\n${figureText(value, figure)}`,
            }),
          ),
        ],
      })}
    />
  );
}

/** Shortens a path at its beginning, as the end says most. */
const shortened = (name: string, most: number): string =>
  name.length <= Math.max(6, most) ? name : `…${name.slice(1 - Math.max(6, most))}`;
