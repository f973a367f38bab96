/** Which runs match the serial program, how much they differ, and how long both took. */
import { useState } from "preact/hooks";
import { duration } from "../../show/words.ts";
import type { PageData } from "../model/page-data.ts";
import { figureText } from "../text/figure.ts";
import { Headings } from "./headings.tsx";
import { More, ROWS } from "./more.tsx";
import { Scroll, Section } from "./section.tsx";

export function Verification({ data }: { readonly data: PageData }) {
  const [shown, setShown] = useState(ROWS);
  const all = data.variants.flatMap(({ address, comparisons, hardware }) =>
    comparisons.map((comparison) => ({ address, simulated: hardware !== undefined, ...comparison })),
  );
  // What is wrong comes first: of many rows only some are drawn.
  const runs = [
    ...all.filter(({ result }) => result === "differs"),
    ...all.filter(({ result }) => result !== "differs"),
  ];
  if (runs.length === 0) return null;
  const done = runs.filter(({ result }) => result !== "not run");
  return (
    <Section
      id="verification"
      title={`Verification: ${done.length} of ${runs.length} runs compared`}
      note="Wall times of whole programs. Simulated hardware is slow in wall time; its own time is among the variants."
    >
      <Scroll label="verification">
        <table>
          <Headings
            titles={[
              "variant",
              "run",
              "beside the serial program",
              "greatest relative difference",
              "time",
              "serial",
              "speed-up",
            ]}
          />
          <tbody>
            {runs.slice(0, shown).map(({ address, simulated, run, result, worst, seconds, serial }) => (
              <tr key={`${address} ${run}`}>
                <th scope="row">
                  <code>{address}</code>
                </th>
                <td>{run}</td>
                <td class={result === "same" ? "good" : result === "differs" ? "error" : undefined}>
                  {result}
                </td>
                <td class="number">
                  {worst === undefined ? "" : worst === 0 ? "0" : worst.toExponential(1)}
                </td>
                <td class="number">{seconds === undefined ? "" : duration(seconds)}</td>
                <td class="number">{serial === undefined ? "" : duration(serial)}</td>
                <td class="number">
                  {seconds && serial !== undefined && !simulated
                    ? figureText(serial / seconds, { unit: "times" })
                    : ""}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <More of={runs.length} shown={shown} show={setShown} />
    </Section>
  );
}
