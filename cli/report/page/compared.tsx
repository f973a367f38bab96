/** Two variants side by side: their choices, costs and results, and the differences of their kernels' texts. */
import { useMemo, useState } from "preact/hooks";
import { lineDiff } from "../../show/line-diff.ts";
import { type Change, compare } from "../model/compare.ts";
import type { EarlierReport, PageData } from "../model/page-data.ts";
import type { VariantReport } from "../model/report.ts";
import { axisText } from "../text/columns.ts";
import { changeText, figureText } from "../text/figure.ts";
import type { Choice } from "./address.ts";
import { More, ROWS } from "./more.tsx";
import { Scroll, Section } from "./section.tsx";

interface Props {
  readonly data: PageData;
  readonly choice: Choice;
}

export function Compared({ data, choice }: Props) {
  const { variants, earlier = [] } = data;
  const baseline = earlier.at(-1);
  const [a, b] = [choice.a, choice.b].map((address) => variants.find((one) => one.address === address));
  return (
    <Section id="compare" title="Compare">
      {a !== undefined && b !== undefined ? (
        <Pair data={data} a={a} b={b} />
      ) : (
        <p>Choose A and B in the table of variants: their figures, choices and kernels are compared here.</p>
      )}
      {baseline === undefined ? null : <Since data={data} baseline={baseline} />}
    </Section>
  );
}

function Pair({
  data,
  a,
  b,
}: {
  readonly data: PageData;
  readonly a: VariantReport;
  readonly b: VariantReport;
}) {
  const axes = [...new Set([...Object.keys(a.axes), ...Object.keys(b.axes)])].filter(
    (axis) => a.axes[axis] !== b.axes[axis],
  );
  return (
    <>
      <Scroll label={`${a.address} and ${b.address}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">what</th>
              <th scope="col">
                A: <code>{a.address}</code>
              </th>
              <th scope="col">
                B: <code>{b.address}</code>
              </th>
              <th scope="col">change</th>
            </tr>
          </thead>
          <tbody>
            {axes.map((axis) => (
              <tr key={axis}>
                <th scope="row">axis {axis}</th>
                <td>{axisText(a.axes[axis])}</td>
                <td>{axisText(b.axes[axis])}</td>
                <td />
              </tr>
            ))}
            {compare(b, a).changes.map((change) => (
              <tr key={change.figure.key}>
                <th scope="row">{change.figure.title}</th>
                <td class="number">{figureText(change.before, change.figure)}</td>
                <td class="number">{figureText(change.after, change.figure)}</td>
                <td>
                  <Verdict change={change} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <Kernels data={data} a={a} b={b} />
    </>
  );
}

/** The verdict in words, not only in colour. */
export function Verdict({ change: { relative, verdict, bases } }: { readonly change: Change }) {
  if (bases !== undefined)
    return (
      <span>
        not compared: by {bases[0]}, and by {bases[1]}
      </span>
    );
  if (verdict === "unknown") return null;
  if (verdict === "same") return <span>same</span>;
  const words = relative === undefined ? verdict : `${changeText(relative)}, ${verdict}`;
  return <span class={verdict === "better" ? "good" : "error"}>{words}</span>;
}

/** How many lines of a difference are shown: beyond that, the texts have little in common. */
const MOST = 400;

interface DiffProps {
  readonly title: string;
  /** Label for screen readers. */
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** The difference of two texts, folded until opened. */
export function TextDiff({ title, label, before, after }: DiffProps) {
  const [open, setOpen] = useState(false);
  const lines = useMemo(() => lineDiff(before, after).split("\n"), [before, after]);
  const count = lines.filter((line) => /^[-+]/.test(line)).length;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title}: {count} {count === 1 ? "line differs" : "lines differ"}
      </summary>
      {open ? (
        <Scroll label={label}>
          <pre class="diff">
            {lines.slice(0, MOST).map((line, i) => (
              <span
                key={i}
                class={line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : undefined}
              >
                {line}
                {"\n"}
              </span>
            ))}
            {lines.length > MOST ? `and ${lines.length - MOST} lines more\n` : ""}
          </pre>
        </Scroll>
      ) : null}
    </details>
  );
}

function Kernels({
  data,
  a,
  b,
}: {
  readonly data: PageData;
  readonly a: VariantReport;
  readonly b: VariantReport;
}) {
  const textsOf = ({ address }: VariantReport) => data.kernels.filter(({ variant }) => variant === address);
  const [before, after] = [textsOf(a), textsOf(b)];
  return (
    <>
      {after.map(({ kernel, region, text }) => {
        const other = before.find((one) => one.region === region);
        if (other === undefined) return null;
        if (other.text === text && text !== undefined)
          return (
            <p key={region}>
              {kernel}: <span class="good">the same text</span>
            </p>
          );
        if (other.text === undefined || text === undefined)
          return <p key={region}>{kernel}: too long to be compared here</p>;
        return (
          <TextDiff
            key={region}
            title={`${kernel}, the kernel's text`}
            label={`difference of ${kernel}`}
            before={data.texts[other.text] ?? ""}
            after={data.texts[text] ?? ""}
          />
        );
      })}
    </>
  );
}

function Since({ data, baseline }: { readonly data: PageData; readonly baseline: EarlierReport }) {
  const [shown, setShown] = useState(ROWS);
  const changed = useMemo(() => changesSince(data.variants, baseline), [data, baseline]);
  return (
    <>
      <h3>Since {baseline.name}</h3>
      {changed.length === 0 ? (
        <p>No figure of a variant that both reports know has changed.</p>
      ) : (
        <ul>
          {changed.slice(0, shown).map(({ variant, changes }) => (
            <li key={variant.address}>
              <code>{variant.address}</code>:{" "}
              {changes.map((change, i) => (
                <span key={change.figure.key}>
                  {i > 0 ? "; " : ""}
                  {change.figure.title} {figureText(change.before, change.figure)} →{" "}
                  {figureText(change.after, change.figure)} (<Verdict change={change} />)
                </span>
              ))}
            </li>
          ))}
        </ul>
      )}
      <More of={changed.length} shown={shown} show={setShown} />
    </>
  );
}

/** Variants with what became better or worse of them, where anything did. */
function changesSince(variants: readonly VariantReport[], baseline: EarlierReport) {
  const before = new Map(baseline.variants.map((variant) => [variant.address, variant]));
  return variants
    .map((variant) => compare(variant, before.get(variant.address)))
    .map(({ variant, changes }) => ({
      variant,
      changes: changes.filter(({ verdict }) => verdict === "better" || verdict === "worse"),
    }))
    .filter(({ changes }) => changes.length > 0);
}
