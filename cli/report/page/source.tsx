/** The source, with the hardware that each line became beside it. */
import { useEffect, useRef } from "preact/hooks";
import type { HardwareRow } from "../../hardware/rows.ts";
import type { PageData } from "../model/page-data.ts";
import type { Choice } from "./address.ts";
import { heatColour, type LineCells, Treemap } from "./plots/treemap.tsx";
import { Scroll, Section } from "./section.tsx";

interface Props {
  readonly data: PageData;
  readonly choice: Choice;
  readonly change: (part: Choice) => void;
}

/** Resources that are counted where there are no logic cells. */
const counted = ["lcs", "luts", "aluts", "ffs"] as const;

export function Source({ data, choice, change }: Props) {
  const files = Object.keys(data.sources);
  const file = choice.file !== undefined && files.includes(choice.file) ? choice.file : files[0];
  const mark = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (choice.at === "source" && choice.line !== undefined)
      mark.current?.scrollIntoView({ block: "center" });
  }, [choice.at, choice.file, choice.line]);
  if (file === undefined) return null;
  const variants = data.variants.filter(({ hardware = [] }) =>
    hardware.some(({ lines = [] }) => lines.length > 0),
  );
  const shown = variants.find(({ address }) => address === choice.heat) ?? variants[0];
  const rows = shown?.hardware ?? [];
  const cells = cellsOf(rows);
  const heat = new Map(cells.filter((one) => one.file === file).map((one) => [one.line, one.cells]));
  const most = Math.max(1, ...cells.map((one) => one.cells));
  return (
    <Section id="source" title="Source" note={noteOf(shown?.address)}>
      <p class="controls">
        <label>
          file{" "}
          <select value={file} onChange={(event) => change({ file: event.currentTarget.value, line: "" })}>
            {files.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>{" "}
        {variants.length < 2 ? null : (
          <label>
            cells of{" "}
            <select
              value={shown?.address ?? ""}
              onChange={(event) => change({ heat: event.currentTarget.value })}
            >
              {variants.map(({ address }) => (
                <option key={address}>{address}</option>
              ))}
            </select>
          </label>
        )}
      </p>
      {cells.length === 0 ? null : (
        <Treemap data={data} lines={cells} others={Math.max(0, allCells(rows) - sumOf(cells))} />
      )}
      <Scroll label={`source ${file}`}>
        <table class="source">
          <thead>
            <tr>
              <th scope="col">cells</th>
              <th scope="col">line</th>
              <th scope="col">{file}</th>
            </tr>
          </thead>
          <tbody>
            {(data.sources[file] ?? "").split("\n").map((text, i) => {
              const line = i + 1;
              const own = heat.get(line);
              const chosen = choice.line === String(line);
              return (
                <tr key={line} ref={chosen ? mark : null} class={chosen ? "chosen" : undefined}>
                  <td
                    class="number"
                    style={own === undefined ? undefined : { background: heatColour(own / most) }}
                  >
                    {own}
                  </td>
                  <td class="number">
                    <a href={`#at=source&file=${encodeURIComponent(file)}&line=${line}`}>{line}</a>
                  </td>
                  <td>
                    <code>{text}</code>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
    </Section>
  );
}

const noteOf = (variant: string | undefined) =>
  variant === undefined ? undefined : (
    <>
      Cells (lookup tables and flip-flops) that each line became in <code>{variant}</code>, as the place and
      route tool traces them.
    </>
  );

/** Cells of all kernels by line. */
function cellsOf(rows: readonly HardwareRow[]): readonly LineCells[] {
  const all = new Map<string, LineCells>();
  for (const { lines = [] } of rows)
    for (const { file, line, resources } of lines) {
      const key = `${file}:${line}`;
      const cells = (all.get(key)?.cells ?? 0) + cellsIn(resources);
      if (cells > 0) all.set(key, { file, line, cells });
    }
  return [...all.values()];
}

const cellsIn = (resources: HardwareRow["resources"]): number =>
  resources.lcs ?? counted.reduce((sum, what) => sum + (resources[what] ?? 0), 0);

const sumOf = (lines: readonly LineCells[]): number => lines.reduce((sum, { cells }) => sum + cells, 0);

/** Lines are attributed by lookup tables and flip-flops: those packed into one cell are counted separately. */
const allCells = (rows: readonly HardwareRow[]): number =>
  rows.reduce(
    (all, { resources }) =>
      all + counted.reduce((sum, what) => sum + (what === "lcs" ? 0 : (resources[what] ?? 0)), 0),
    0,
  );
