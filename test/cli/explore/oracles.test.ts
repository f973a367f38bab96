/** The search on recorded tables: what it finds with how many builds, though it knows nothing but estimates beforehand. */
import { describe, expect, it } from "vitest";
import type { Candidate, Outcome } from "../../../cli/explore/model.ts";
import { nextCandidate } from "../../../cli/explore/search.ts";
import type { AxisValue } from "../../../cli/report/model/report.ts";
import type { DeviceProfile } from "../../../core/ir/model/device-profile.ts";
import { findDevice } from "../../../targets/devices/devices.ts";
import {
  choicesOf,
  predict,
  secondsFor,
  tables,
  unmeasured,
} from "../../core/compiler/estimate/published.ts";

const device = (name: string) => findDevice(name) as DeviceProfile;
const otherOf = (name: string) => (name === "arria-10" ? "stratix-10" : "arria-10");

describe.each(tables)("table $number: $program on $device", (table) => {
  // Nothing that was measured on the device itself is in the estimate.
  const foreign = unmeasured(device(table.device), device(otherOf(table.device)));
  const candidates = table.rows.map((row): Candidate => {
    const axes: Record<string, AxisValue> = {};
    for (const [kernel, choice] of Object.entries(choicesOf(table, row)))
      for (const [axis, value] of Object.entries(choice)) axes[`${kernel}.${axis}`] = value;
    return { id: row.name, axes, predicted: [secondsFor(predict(table, row, foreign), foreign)] };
  });

  /** Until nothing promises more, or the budget is spent. */
  function search(budget: number, seed: number): readonly string[] {
    const outcomes: Outcome[] = [];
    while (outcomes.length < budget) {
      const next = nextCandidate(candidates, outcomes, { seed });
      if (next === undefined) break;
      const row = table.rows.find(({ name }) => name === next.id);
      outcomes.push({ id: next.id, values: [row?.seconds as number] });
    }
    return outcomes.map(({ id }) => id);
  }

  const best = [...table.rows].sort((a, b) => a.seconds - b.seconds)[0]?.name as string;

  it.each([1, 2, 3, 4, 5])("finds the best variant with a third of the builds, with seed %i", (seed) => {
    expect(search(Math.floor(table.rows.length / 3), seed)).toContain(best);
  });
});
