/** Which runs match the serial program, how much they differ, and how long both took. */
import { duration } from "../../show/words.ts";
import type { PageData } from "../model/page-data.ts";
import { figureText } from "../text/figure.ts";
import { Headings } from "./headings.tsx";
import { Scroll, Section } from "./section.tsx";

export function Verification({ data }: { readonly data: PageData }) {
  const runs = data.variants.flatMap(({ address, comparisons, hardware }) =>
    comparisons.map((comparison) => ({ address, simulated: hardware !== undefined, ...comparison })),
  );
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
            {runs.map(({ address, simulated, run, result, worst, seconds, serial }) => (
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
    </Section>
  );
}
