/** The variants that a search measured, as a table: the best first, and last those that are not trusted. */
import { entryOf } from "../../../core/checked/access.ts";
import { type Energy, energyCells, energyColumns } from "../../bench/device-energy.ts";
import type { DeviceRuns } from "../../bench/device-runs.ts";
import { type Summary, spreadOf } from "../../bench/statistics.ts";
import { withoutEmptyColumns } from "../../show/fit.ts";
import { duration } from "../../show/words.ts";
import type { Valued } from "./judge.ts";

/** `base`: the first variant, with which the others are compared. */
export function measuredTable(
  valued: readonly Pick<Valued, "id">[],
  measured: ReadonlyMap<string, DeviceRuns>,
  base: DeviceRuns | undefined,
): readonly (readonly string[])[] {
  const untrusted = [...measured].flatMap(([id, { differing }]) => (differing ? [{ id }] : []));
  const rows = [...valued, ...untrusted].map(({ id }) => {
    const runs = entryOf(measured, id);
    const { seconds, differing } = runs;
    return [
      id,
      String(seconds.count),
      duration(seconds.median),
      seconds.interval === undefined ? "" : seconds.interval.map(duration).join(" and "),
      spreadText(seconds),
      duration(seconds.least),
      base === undefined ? "" : (seconds.median / base.seconds.median).toFixed(2),
      ...energyCells(knownEnergy(runs)),
      differing === undefined ? "" : `differ in ${differing.runs} of ${differing.of}`,
    ];
  });
  const times = ["runs", "in launches", "between (95 %)", "spread", "least", "to the first"];
  return withoutEmptyColumns([["variant", ...times, ...energyColumns, "results"], ...rows]);
}

export const knownEnergy = ({ energy }: DeviceRuns): Energy | undefined =>
  "missing" in energy ? undefined : energy;

const spreadText = (summary: Summary): string => {
  const spread = spreadOf(summary);
  return spread === undefined ? "" : `${(100 * spread).toFixed(1)} %`;
};
