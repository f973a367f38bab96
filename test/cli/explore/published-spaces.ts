/** The published tables as spaces to search: what arc estimates of each variant, and what was measured. */
import type { Candidate } from "../../../cli/explore/model.ts";
import type { AxisValue } from "../../../cli/report/model/report.ts";
import type { Resources } from "../../../core/compiler/estimate/kernel.ts";
import type { DeviceProfile } from "../../../core/ir/model/device-profile.ts";
import { findDevice } from "../../../targets/devices/devices.ts";
import {
  choicesOf,
  type PublishedTable,
  predict,
  secondsFor,
  tables,
  unmeasured,
} from "../../core/compiler/estimate/published.ts";

interface PublishedSpace {
  readonly table: PublishedTable;
  /** Estimates of the seconds, and of the share of the device. */
  readonly candidates: readonly Candidate[];
  /** The measured ones. */
  readonly valuesOf: (id: string) => readonly [number, number];
}

export const publishedSpaces = (): readonly PublishedSpace[] => tables.map(spaceOf);

function spaceOf(table: PublishedTable): PublishedSpace {
  const device = profileOf(table.device);
  // Nothing that was measured on the device itself is in the estimate.
  const foreign = unmeasured(device, profileOf(table.device === "arria-10" ? "stratix-10" : "arria-10"));
  const { source: _, ...available } = device.design?.resources ?? {};
  const candidates = table.rows.map((row): Candidate => {
    const axes: Record<string, AxisValue> = {};
    for (const [kernel, choice] of Object.entries(choicesOf(table, row)))
      for (const [axis, value] of Object.entries(choice)) axes[`${kernel}.${axis}`] = value;
    const predicted = predict(table, row, foreign);
    return {
      id: row.name,
      axes,
      predicted: [secondsFor(predicted, foreign), shareOf(predicted.resources, available)],
    };
  });
  const values = new Map(
    table.rows.map(({ name, seconds, dsps, rams }) => [
      name,
      [seconds, shareOf({ dsps, rams }, available)] as const,
    ]),
  );
  return { table, candidates, valuesOf: (id) => values.get(id) as readonly [number, number] };
}

const profileOf = (name: string): DeviceProfile => findDevice(name) as DeviceProfile;

/** Percent of what the design takes most of. */
const shareOf = (used: Partial<Resources>, available: Partial<Resources>): number =>
  Math.max(...Object.entries(used).map(([what, n]) => (100 * n) / (available[what as keyof Resources] ?? n)));
