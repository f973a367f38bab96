/** Estimates beside published measurements: fitted on one device, tested on the other. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { DeviceProfile } from "../../../../core/ir/model/device-profile.ts";
import { findDevice } from "../../../../targets/devices/devices.ts";
import {
  type Fitted,
  fit,
  isPipelineBound,
  type Predicted,
  type PublishedTable,
  predict,
  secondsFor,
  spearman,
  tables,
  unmeasured,
  withFitted,
} from "./published.ts";

const names = ["arria-10", "stratix-10"] as const;
const device = (name: string) => findDevice(name) as DeviceProfile;
const otherOf = (name: string): string => (name === names[0] ? names[1] : names[0]);

type Predictions = ReadonlyMap<PublishedTable, readonly Predicted[]>;
const predictions = (on: (t: PublishedTable) => DeviceProfile): Predictions =>
  new Map(tables.map((t) => [t, t.rows.map((row) => predict(t, row, on(t)))]));
const own = predictions((t) => device(t.device));
const fitted = new Map<string, Fitted>(
  names.map((name) => [
    name,
    fit(
      tables.filter((t) => t.device === name).flatMap((t) => own.get(t) ?? []),
      device(name),
    ),
  ]),
);

/** The device with nothing but the other device's measurements. */
const foreignBase = (t: PublishedTable) => unmeasured(device(t.device), device(otherOf(t.device)));
const foreign = (t: PublishedTable): DeviceProfile =>
  withFitted(foreignBase(t), fitted.get(otherOf(t.device)) as Fitted);
const elsewhere = predictions(foreignBase);

const correlation = (
  t: PublishedTable,
  from: Predictions,
  value: (p: Predicted) => number,
  measured: (p: Predicted) => number,
): number => {
  const list = from.get(t) ?? [];
  return spearman(list.map(value), list.map(measured));
};
const ofTimes = (t: PublishedTable): number =>
  correlation(
    t,
    elsewhere,
    (p) => secondsFor(p, foreign(t)),
    (p) => p.row.seconds,
  );

/** At the measured clock, with the device's own figures and with the other device's. */
const pipelineBound = tables.flatMap((t) =>
  (own.get(t) ?? []).flatMap((p, i) => {
    const far = elsewhere.get(t)?.[i] as Predicted;
    if (!isPipelineBound(p.row) || (t.program === "srad" && p.row.name !== "swi_r4_sw")) return [];
    const { clock } = p.row;
    return [
      {
        t,
        p,
        seconds: secondsFor(p, device(t.device), clock),
        elsewhere: secondsFor(far, foreign(t), clock),
      },
    ];
  }),
);

const factor = (a: number, b: number): number => Math.max(a / b, b / a);

describe("estimates beside published measurements", () => {
  it.each(tables.map((t) => [t.number, t.device, t] as const))(
    "rank the variants of Table %d (%s), fitted on the other device, with a correlation of 0.8 at least",
    (_number, _device, table) => {
      expect(ofTimes(table)).toBeGreaterThanOrEqual(0.8);
    },
  );

  it.each(pipelineBound.map(({ t, p, seconds }) => [t.number, p.row.name, seconds, p.row.seconds] as const))(
    "give the time of Table %d, %s, at its clock within a factor of 1.07",
    (_number, _name, seconds, measured) => {
      expect(factor(seconds, measured)).toBeLessThanOrEqual(1.07);
    },
  );

  it("cover all single work-item variants that their pipelines bound", () => {
    expect(pipelineBound).toHaveLength(10);
  });

  it("are what the devices' tables say of their own measurements", () => {
    for (const name of names) {
      const { routing, efficiency, stalls } = (device(name) as Required<DeviceProfile>).design;
      const found = fitted.get(name) as Fitted;
      expect(routing.value).toBeCloseTo(found.routing);
      expect(efficiency.value).toBeCloseTo(found.efficiency);
      expect(stalls.value).toBeCloseTo(found.stalls);
    }
  });

  it("are documented by the figures reached", async () => {
    const text = [
      "# Estimates beside measurements",
      "",
      "Written by `test/core/compiler/estimate/tables.test.ts` (`vitest run -u` writes it anew); [the cost model](cost-model.md) says",
      "what it shows. Measurements: J. Lambert, dissertation, University of Oregon 2021.",
      "",
      "Spearman's rank correlation of estimated and measured values, on a device of which nothing was measured: clock, board",
      "logic, accesses, routing, stalls and the share of the bandwidth are those fitted to the other device's measurements.",
      "",
      "| table | device | program | variants | time | DSP blocks | memory blocks |",
      "|---|---|---|---|---|---|---|",
      ...tables.map((t) => {
        const dsps = correlation(
          t,
          elsewhere,
          (p) => p.resources.dsps,
          (p) => p.row.dsps,
        );
        const rams = correlation(
          t,
          elsewhere,
          (p) => p.resources.rams,
          (p) => p.row.rams,
        );
        return `| ${t.number} | ${device(t.device).name} | ${t.program} | ${t.rows.length} | ${[ofTimes(t), dsps, rams].map((x) => x.toFixed(2)).join(" | ")} |`;
      }),
      "",
      "Single work-item variants that their pipelines bound, at the measured clock, with the figures of arc's tables. With",
      `those fitted on the other device the largest factor is ${Math.max(...pipelineBound.map(({ p, elsewhere }) => factor(elsewhere, p.row.seconds))).toFixed(2)}.`,
      "",
      "| table | variant | estimated s | measured s | ratio |",
      "|---|---|---|---|---|",
      ...pipelineBound.map(
        ({ t, p, seconds }) =>
          `| ${t.number} | ${p.row.name} | ${seconds.toFixed(2)} | ${p.row.seconds.toFixed(2)} | ${(seconds / p.row.seconds).toFixed(2)} |`,
      ),
      "",
      "All variants, at the clock that the model estimates, with the other device's figures as above:",
      "",
      "| table | variant | estimated s | measured s | ratio |",
      "|---|---|---|---|---|",
      ...tables.flatMap((t) =>
        (elsewhere.get(t) ?? []).map((p) => {
          const seconds = secondsFor(p, foreign(t));
          return `| ${t.number} | ${p.row.name} | ${seconds.toFixed(2)} | ${p.row.seconds.toFixed(2)} | ${(seconds / p.row.seconds).toFixed(2)} |`;
        }),
      ),
      "",
    ].join("\n");
    await expect(text).toMatchFileSnapshot(
      path.resolve(import.meta.dirname, "../../../../docs/cost-model-tables.md"),
    );
  });
});
