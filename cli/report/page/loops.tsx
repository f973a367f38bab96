/** Loops of kernels as hardware: the initiation interval, what limits it, and what could help. */
import { useState } from "preact/hooks";
import type { HardwareLoop, HardwareRow } from "../../hardware/rows.ts";
import type { PageData } from "../model/page-data.ts";
import { figureText } from "../text/figure.ts";
import { Headings } from "./headings.tsx";
import { remedyOf } from "./limits.ts";
import { More, ROWS } from "./more.tsx";
import { PlaceOf } from "./place.tsx";
import { Scroll, Section } from "./section.tsx";

export function Loops({ data }: { readonly data: PageData }) {
  const rows = data.variants.flatMap(({ hardware = [], sameDesign }) =>
    sameDesign === undefined ? hardware : [],
  );
  const loops = rows.flatMap((row) => row.loops.map((loop) => ({ row, loop })));
  const [shown, setShown] = useState(ROWS);
  if (loops.length === 0) return null;
  return (
    <Section
      id="loops"
      title="Loops in hardware"
      note="II, the initiation interval: cycles between the starts of two iterations. 1 is the most that a pipeline gives."
    >
      <Scroll label="loops">
        <table>
          <Headings
            titles={[
              "variant",
              "kernel",
              "loop",
              "II",
              "limited by",
              "what could lift it",
              "iterations",
              "figures from",
            ]}
          />
          <tbody>
            {loops.slice(0, shown).map(({ row, loop }, i) => (
              <Line key={i} data={data} row={row} loop={loop} />
            ))}
          </tbody>
        </table>
      </Scroll>
      <More of={loops.length} shown={shown} show={setShown} />
    </Section>
  );
}

function Line({
  data,
  row,
  loop,
}: {
  readonly data: PageData;
  readonly row: HardwareRow;
  readonly loop: HardwareLoop;
}) {
  const limit = loop.ii === 1 ? "" : (loop.limit ?? "");
  const file = /\((.*):\d+\)$/.exec(row.kernel)?.[1];
  const place = loop.place.replace(/^line (\d+)$/, (_, line: string) => `${file}:${line}`);
  return (
    <tr>
      <td>
        <code>{row.variant}</code>
      </td>
      <td>{row.kernel.replace(/ \(.*/, "")}</td>
      <td>
        <PlaceOf data={data} place={place} />
      </td>
      <td class="number">{loop.ii === undefined ? "" : String(Math.round(100 * loop.ii) / 100)}</td>
      <td class="words">{limit}</td>
      <td class="words">{remedyOf(limit)}</td>
      <td class="number">{figureText(loop.trips, { unit: "count" })}</td>
      <td>{row.from}</td>
    </tr>
  );
}
