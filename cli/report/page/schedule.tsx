/**
 * One iteration of a pipelined loop, cycle by cycle: when each operation starts, its slack, and what limits the
 * interval.
 */
import type { HardwareLoop, HardwareRow } from "../../hardware/rows.ts";
import type { PageData } from "../model/page-data.ts";
import type { Choice } from "./address.ts";
import { Place } from "./place.tsx";
import { Scroll, Section } from "./section.tsx";

interface Props {
  readonly data: PageData;
  readonly choice: Choice;
  readonly change: (part: Choice) => void;
}

interface Scheduled {
  readonly name: string;
  readonly row: HardwareRow;
  readonly loop: HardwareLoop;
  readonly schedule: NonNullable<HardwareLoop["schedule"]>;
}

export function scheduledLoops({ variants }: PageData): readonly Scheduled[] {
  const rows = variants.flatMap(({ hardware = [], sameDesign }) =>
    sameDesign === undefined ? hardware : [],
  );
  return rows.flatMap((row) =>
    row.loops.flatMap((loop) =>
      loop.schedule === undefined || loop.schedule.steps.length === 0
        ? []
        : [
            {
              name: `${row.variant}, ${row.kernel.replace(/ \(.*/, "")}, ${loop.place}`,
              row,
              loop,
              schedule: loop.schedule,
            },
          ],
    ),
  );
}

export function Schedule({ data, choice, change }: Props) {
  const loops = scheduledLoops(data);
  const shown = loops.find(({ name }) => name === choice.loop) ?? loops[0];
  if (shown === undefined) return null;
  const { schedule, loop } = shown;
  const cycles = 1 + Math.max(...schedule.steps.map(({ start, cycles: n, slack }) => start + n + slack));
  const stages = [...new Set(schedule.steps.map(({ stage }) => stage))].sort((a, b) => a - b);
  return (
    <Section
      id="schedule"
      title="Schedule of an iteration"
      note="Each operation from the cycle of its start to that of its result, pale where it takes less than a cycle; hatched: how much later it could come without the iteration taking longer. Bands are as wide as the interval: when one ends the next iteration starts."
    >
      <p class="controls">
        <label>
          loop{" "}
          <select value={shown.name} onChange={(event) => change({ loop: event.currentTarget.value })}>
            {loops.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </p>
      <p>
        An iteration starts every {schedule.interval === 1 ? "cycle" : `${schedule.interval} cycles`} and
        takes {cycles} {cycles === 1 ? "cycle" : "cycles"}.{" "}
        {schedule.interval > 1 && loop.limit ? (
          <>
            What limits it is marked <span class="limits-word">in this colour and by ●</span>: {loop.limit}.
          </>
        ) : null}
        {schedule.more === undefined ? null : ` ${schedule.more} operations with more slack are left out.`}
      </p>
      <Scroll label={`schedule of ${shown.name}`}>
        <table class="schedule">
          <thead>
            <tr>
              <th scope="col">line</th>
              <th scope="col">operation</th>
              <th scope="col" class="track">
                <Ticks total={cycles} />
              </th>
              {["starts", "ready", "slack"].map((title) => (
                <th key={title} scope="col" class="number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          {stages.map((stage) => (
            <tbody key={stage}>
              {stages.length > 1 ? (
                <tr class="group">
                  <th scope="rowgroup" colSpan={6}>
                    {stage === stages.at(-1) ? "computes" : `asks memory, ahead of it (${stage + 1})`}
                  </th>
                </tr>
              ) : null}
              {schedule.steps
                .filter((step) => step.stage === stage)
                .map((step, i) => (
                  <tr key={i}>
                    <td class="number">
                      {step.source === undefined ? null : <Place data={data} {...step.source} short />}
                    </td>
                    <th scope="row">
                      <code>{step.what}</code>
                      {step.limits ? (
                        <span class="limits-word" title="limits the interval">
                          {" "}
                          ●
                        </span>
                      ) : null}
                    </th>
                    <td class="track">
                      <Track {...step} total={cycles} interval={schedule.interval} />
                    </td>
                    <td class="number">{step.start}</td>
                    <td class="number">{step.start + step.cycles}</td>
                    <td class="number">{step.slack}</td>
                  </tr>
                ))}
            </tbody>
          ))}
        </table>
      </Scroll>
    </Section>
  );
}

/** Labels cycles at regular distances, so that the numbers do not overlap. */
function Ticks({ total }: { readonly total: number }) {
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((n) => total / n <= 12) ?? 1000;
  const named = Array.from({ length: Math.ceil(total / every) }, (_, k) => k * every);
  return (
    <>
      <span class="hidden">cycles 0 to {total - 1}</span>
      <span class="ticks" aria-hidden="true">
        {named.map((cycle) => (
          <span key={cycle} style={{ left: `${(100 * cycle) / total}%` }}>
            {cycle}
          </span>
        ))}
      </span>
    </>
  );
}

interface TrackProps {
  readonly start: number;
  readonly cycles: number;
  readonly slack: number;
  readonly limits?: true;
  readonly total: number;
  readonly interval: number;
}

/** Hidden from screen readers, as the figures beside it say the same. */
function Track({ start, cycles, slack, limits, total, interval }: TrackProps) {
  const at = (cycle: number): string => `${(100 * cycle) / total}%`;
  // An operation shorter than a cycle is drawn as the cycle that it lies in.
  const width = Math.max(1, cycles);
  return (
    <span class="cycles" aria-hidden="true" style={{ "--interval": at(interval) }}>
      <span
        class="slack"
        style={{ left: at(start + width), width: at(Math.min(slack, total - start - width)) }}
      />
      <span
        class={`step${limits ? " limits" : ""}${cycles === 0 ? " within" : ""}`}
        style={{ left: at(start), width: at(width) }}
      />
    </span>
  );
}
