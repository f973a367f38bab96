/** Measured runs: time of programs compared with the serial one, the device's share of it, and transfers. */

import { useState } from "preact/hooks";
import { energyCells, energyColumns } from "../../bench/device-energy.ts";
import type { ProfileRow } from "../../bench/device-times.ts";
import type { Summary } from "../../bench/statistics.ts";
import { bytes, duration } from "../../show/words.ts";
import type { MeasuredRun, PageData } from "../model/page-data.ts";
import type { VariantReport } from "../model/report.ts";
import { figureText } from "../text/figure.ts";
import type { Choice } from "./address.ts";
import { Headings } from "./headings.tsx";
import { More, ROWS } from "./more.tsx";
import { Pareto } from "./pareto.tsx";
import { PlaceOf } from "./place.tsx";
import { operationsOf, Roofline } from "./plots/roofline.tsx";
import { Scroll, Section } from "./section.tsx";

interface Props {
  readonly data: PageData;
  readonly choice: Choice;
  readonly change: (part: Choice) => void;
}

export function Measured({ data, choice, change }: Props) {
  const { measured = [] } = data;
  const [count, setCount] = useState(ROWS);
  if (measured.length === 0) return null;
  const watched = measured.filter(({ rows = [] }) => rows.length > 0);
  const metered = measured.some(({ energy }) => energy !== undefined && "by" in energy);
  const shown = watched.find((one) => nameOf(one) === choice.run) ?? watched[0];
  return (
    <Section
      id="runs"
      title="Runs, measured"
      note={
        <>
          Medians of <code>arc bench</code>, of this very program, its input, device and driver. The serial
          program is the same source without directives, on this machine's processor: its time is that of its
          run in <code>arc verify</code>. Launches, transfers and a GPU's energy are medians of other runs
          than the program's time: those with device profiling, which costs time.
        </>
      }
    >
      <Scroll label="measured runs">
        <table>
          <Headings
            titles={["variant", "run"]}
            numbers={[
              ...["runs", "median", "between (95 %)", "serial", "speed-up", "launches", "transfers"],
              ...(metered ? energyColumns : []),
            ]}
          />
          <tbody>
            {measured.slice(0, count).map((one) => (
              <Line key={nameOf(one)} one={one} serial={serialOf(data, one)} metered={metered} />
            ))}
          </tbody>
        </table>
      </Scroll>
      <More of={measured.length} shown={count} show={setCount} />
      {[...new Set(measured.map(({ run }) => run))].map((run) => (
        <Costs key={run} run={run} {...{ data, choice, change }} />
      ))}
      {shown === undefined ? null : (
        <>
          <h3>Kernels and transfers</h3>
          <p class="controls">
            <label>
              run{" "}
              <select value={nameOf(shown)} onChange={(event) => change({ run: event.currentTarget.value })}>
                {watched.map((one) => (
                  <option key={nameOf(one)}>{nameOf(one)}</option>
                ))}
              </select>
            </label>
          </p>
          <p>
            Of {nameOf(shown)}, the run with device profiling whose time in launches is the median
            {shown.launches === undefined ? "" : `, ${duration(shown.launches.median)},`} of{" "}
            {shown.launches?.count ?? 1}.
          </p>
          <Rows data={data} one={shown} />
          <Roofline one={shown} />
        </>
      )}
    </Section>
  );
}

const nameOf = ({ variant, run }: MeasuredRun): string => `${variant}, ${run}`;

const serialOf = ({ variants }: PageData, { variant, run }: MeasuredRun): number | undefined =>
  variants
    .find(({ address }) => address === variant)
    ?.comparisons.find((comparison) => comparison.run === run)?.serial;

/** Time and energy of all variants in a run, where at least two have both. */
function Costs({ run, data, choice, change }: Props & { readonly run: string }) {
  const { variants, measured = [] } = data;
  const known = measured.filter(
    ({ run: other, energy }) => other === run && energy !== undefined && "by" in energy,
  );
  // `arc explore` leaves times in launches only: all variants are drawn by the same time.
  const time = known.every(({ program }) => program !== undefined) ? "program" : "launches";
  const byAddress = new Map(variants.map((variant) => [variant.address, variant]));
  const costs = known.flatMap((one): readonly VariantReport[] => {
    const variant = byAddress.get(one.variant);
    const { [time]: times, energy } = one;
    if (variant === undefined || times === undefined || energy === undefined || !("by" in energy)) return [];
    const { images: _, ...rest } = variant;
    const totals = { seconds: times.median, energy: energy.median, resources: {}, percent: {} };
    return [{ ...rest, totals }];
  });
  if (costs.length < 2) return null;
  return (
    <>
      <h3>
        {time === "program" ? "Time" : "Time in launches"} and energy of {run}
      </h3>
      <Pareto variants={costs} choice={choice} change={change} axes={[`x-${run}`, `y-${run}`]} />
    </>
  );
}

interface LineProps {
  readonly one: MeasuredRun;
  readonly serial: number | undefined;
  /** There are columns for the energy. */
  readonly metered: boolean;
}

function Line({ one, serial, metered }: LineProps) {
  const { variant, run, program, launches, transfers, energy, differing } = one;
  const median = (summary: Summary | undefined) => (summary === undefined ? "" : duration(summary.median));
  return (
    <tr>
      <th scope="row">
        <code>{variant}</code>
        {differing === undefined ? null : (
          <>
            {" "}
            <strong class="error">not trusted:</strong>{" "}
            <small>
              results differ in {differing.runs} of {differing.of}: {differing.differs}
            </small>
          </>
        )}
      </th>
      <td>{run}</td>
      <td class="number">{program?.count ?? ""}</td>
      <td class="number">{median(program)}</td>
      <td class="number">{program?.interval?.map(duration).join(" and ") ?? ""}</td>
      <td class="number">{serial === undefined ? "" : duration(serial)}</td>
      <td class="number">
        {serial === undefined || program === undefined
          ? ""
          : figureText(serial / program.median, { unit: "times" })}
      </td>
      <td class="number">{median(launches)}</td>
      <td class="number">{median(transfers)}</td>
      {metered
        ? energyCells(energy !== undefined && "by" in energy ? energy : undefined).map((text, i) => (
            <td key={energyColumns[i]} class="number">
              {text}
            </td>
          ))
        : null}
    </tr>
  );
}

function Rows({ data, one }: { readonly data: PageData; readonly one: MeasuredRun }) {
  const { rows = [], operations = {} } = one;
  const all = rows.reduce((sum, { seconds }) => sum + seconds, 0);
  const counted = rows.some((row) => operationsOf(row, operations, rows) !== undefined);
  const peaks = rows.some(({ peak }) => peak !== undefined);
  return (
    <Scroll label={`kernels and transfers of ${nameOf(one)}`}>
      <table>
        <Headings
          titles={["what", "at", "share"]}
          numbers={[
            "time",
            "times",
            "bytes",
            "rate",
            ...(peaks ? ["of the memory's peak"] : []),
            ...(counted ? ["operations", "GFLOP/s"] : []),
          ]}
        />
        <tbody>
          {[...rows]
            .sort((a, b) => b.seconds - a.seconds)
            .map((row, i) => (
              <tr key={i}>
                <th scope="row">{whatOf(row)}</th>
                <td>
                  {row.file === undefined ? null : <PlaceOf data={data} place={`${row.file}:${row.line}`} />}
                </td>
                <td class="share">
                  <Share of={all > 0 ? row.seconds / all : 0} kind={row.kind} />
                </td>
                <td class="number">{duration(row.seconds)}</td>
                <td class="number">{row.count}</td>
                <td class="number">{row.bytes === undefined ? "" : bytes(row.bytes)}</td>
                <td class="number">{rateOf(row)}</td>
                {peaks ? (
                  <td class="number">
                    {row.peak && row.bytes
                      ? `${((100 * row.bytes) / row.seconds / row.peak).toFixed(1)} %`
                      : ""}
                  </td>
                ) : null}
                {counted ? <Operations row={row} operations={operations} rows={rows} /> : null}
              </tr>
            ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Operations({
  row,
  operations,
  rows,
}: {
  readonly row: ProfileRow;
  readonly operations: Readonly<Record<string, number>>;
  readonly rows: readonly ProfileRow[];
}) {
  const count = operationsOf(row, operations, rows);
  return (
    <>
      <td class="number">{count === undefined ? "" : count.toExponential(2)}</td>
      <td class="number">
        {count === undefined || row.seconds === 0 ? "" : (count / row.seconds / 1e9).toPrecision(3)}
      </td>
    </>
  );
}

const whatOf = ({ kind, kernel, variable, direction }: ProfileRow) =>
  kind === "launch" ? (
    <code>{kernel?.replace(/_[0-9a-f]{8}(?=_|$)/, "")}</code>
  ) : (
    <>
      <code>{variable}</code> {direction}
    </>
  );

const rateOf = ({ bytes: moved, seconds }: ProfileRow): string =>
  moved === undefined || seconds === 0 ? "" : `${(moved / seconds / 1e9).toPrecision(3)} GB/s`;

const Share = ({ of, kind }: { readonly of: number; readonly kind: ProfileRow["kind"] }) => (
  <>
    <span class="number">{`${(100 * of).toFixed(of < 0.0995 ? 1 : 0)} %`}</span>
    <span class="rail" aria-hidden="true">
      <span class={kind} style={{ width: `${100 * of}%` }} />
    </span>
  </>
);
