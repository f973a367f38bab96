/** All variants: totals to sort and filter, two of them to compare, and a diagram of costs and results. */
import { useState } from "preact/hooks";
import { type Figure, figureOf, fronts, sorted } from "../model/figures.ts";
import type { PageData } from "../model/page-data.ts";
import type { VariantReport } from "../model/report.ts";
import { axisText, shownFigures, varyingAxes } from "../text/columns.ts";
import { figureText } from "../text/figure.ts";
import { differingRunWords } from "../text/rows.ts";
import type { Choice } from "./address.ts";
import { Later } from "./later.tsx";
import { More, ROWS } from "./more.tsx";
import { Pareto } from "./pareto.tsx";
import { Scroll, Section } from "./section.tsx";

interface Props {
  readonly data: PageData;
  readonly choice: Choice;
  readonly change: (part: Choice) => void;
}

export function Variants({ data, choice, change }: Props) {
  const { variants } = data;
  const [shown, setShown] = useState(ROWS);
  const axes = varyingAxes(variants);
  const figures = shownFigures(variants);
  const filtered = variants.filter((variant) => matches(variant, axes, choice.q ?? ""));
  const rows = ordered(filtered, choice, axes);
  const front = new Set(fronts(filtered).map(({ address }) => address));
  const sortBy = (key: string): void =>
    change({ sort: key, down: choice.sort === key && choice.down !== "1" ? "1" : "" });
  const sortOf = (key: string): "ascending" | "descending" | "none" =>
    choice.sort !== key ? "none" : choice.down === "1" ? "descending" : "ascending";
  const head = (key: string, title: string, number = false) => (
    <th key={key} scope="col" class={number ? "number" : undefined} aria-sort={sortOf(key)}>
      <button type="button" onClick={() => sortBy(key)}>
        {title}
        <span aria-hidden="true">
          {sortOf(key) === "none" ? "" : sortOf(key) === "ascending" ? " ▲" : " ▼"}
        </span>
      </button>
    </th>
  );
  return (
    <Section
      id="variants"
      title={`Variants: ${variants.length}`}
      note={`★: its results are right as far as compared, and no other such variant of the target is at least as good in time and area (or energy, where it has no area), and better in one. An empty cell is not known.${
        variants.some(({ totals }) => totals.energyFrom === "model")
          ? " Energy of hardware is that of a model: cells, cycles and clock times figures of the part."
          : ""
      }`}
    >
      <p>
        <label>
          filter{" "}
          <input
            type="search"
            placeholder="fpga window=2"
            value={choice.q ?? ""}
            onInput={(event) => change({ q: event.currentTarget.value })}
          />
        </label>{" "}
        <span role="status">
          {rows.length} of {variants.length}
        </span>
      </p>
      <Scroll label="variants">
        <table>
          <thead>
            <tr>
              <th scope="col">compare</th>
              {head("", "variant")}
              {axes.map((axis) => head(`axis.${axis}`, axis))}
              {figures.map(({ key, title }) => head(key, title, true))}
              <th scope="col">same as serial</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((variant) => (
              <Row
                key={variant.address}
                {...{ variant, axes, figures, choice, change, best: front.has(variant.address) }}
              />
            ))}
          </tbody>
        </table>
      </Scroll>
      <More of={rows.length} shown={shown} show={setShown} />
      <Later now={choice.at !== undefined}>
        {() => <Pareto variants={filtered} choice={choice} change={change} />}
      </Later>
    </Section>
  );
}

interface RowProps {
  readonly variant: VariantReport;
  readonly axes: readonly string[];
  readonly figures: readonly Figure[];
  readonly choice: Choice;
  readonly change: (part: Choice) => void;
  readonly best: boolean;
}

function Row({ variant, axes, figures, choice, change, best }: RowProps) {
  const { address, sameDesign } = variant;
  const pick = (key: "a" | "b") => (
    <label class="pick">
      <input
        type="radio"
        name={`compare-${key}`}
        aria-label={`${key === "a" ? "first" : "second"} to compare: ${address}`}
        checked={choice[key] === address}
        onChange={() => change({ [key]: address })}
      />
      <span aria-hidden="true">{key.toUpperCase()}</span>
    </label>
  );
  return (
    <tr id={`variant-${address}`} class={choice.v === address ? "chosen" : undefined}>
      <td>
        {pick("a")} {pick("b")}
      </td>
      <th scope="row">
        <a href={`#at=variants&v=${encodeURIComponent(address)}`}>
          <code>{address}</code>
        </a>
        {best ? <span title="on the front of time and area"> ★</span> : null}
        {sameDesign === undefined ? null : <small> = {sameDesign}</small>}
      </th>
      {axes.map((axis) => (
        <td key={axis}>{axisText(variant.axes[axis])}</td>
      ))}
      {figures.map((figure) => (
        <td key={figure.key} class="number">
          {figureText(figure.of(variant), figure)}
        </td>
      ))}
      <td>{verdictOf(variant)}</td>
    </tr>
  );
}

function verdictOf({ comparisons, differing }: VariantReport) {
  if (differing !== undefined)
    return <strong class="error">{differing.map(differingRunWords).join("; ")}</strong>;
  if (comparisons.some(({ result }) => result === "differs")) return <strong class="error">differs</strong>;
  return comparisons.some(({ result }) => result === "same") ? <span class="good">yes</span> : "";
}

/** Every word must match: a part of the name, or `axis=value`. */
function matches(
  { address, axes: values, kind }: VariantReport,
  axes: readonly string[],
  query: string,
): boolean {
  const all = [address, kind, ...axes.map((axis) => `${axis}=${axisText(values[axis])}`)];
  return query
    .split(/\s+/)
    .filter((word) => word !== "")
    .every((word) => all.some((text) => (word.includes("=") ? text === word : text.includes(word))));
}

function ordered(
  variants: readonly VariantReport[],
  { sort = "", down }: Choice,
  axes: readonly string[],
): readonly VariantReport[] {
  const figure = figureOf(sort);
  const axis = axes.find((one) => `axis.${one}` === sort);
  const by =
    figure !== undefined
      ? sorted(variants, figure)
      : axis !== undefined
        ? [...variants].sort((a, b) => compareTexts(axisText(a.axes[axis]), axisText(b.axes[axis])))
        : variants;
  return down === "1" ? [...by].reverse() : by;
}

const compareTexts = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });
