import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { energyMeter } from "../../../cli/bench/rapl.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** What the kernel shows of a machine, by zone: its name, and microjoules. */
function powercap(zones: Readonly<Record<string, readonly [name: string, energy: number]>>) {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-powercap-"));
  folders.push(folder);
  const set = (zone: string, energy: number | string): void =>
    writeFileSync(path.join(folder, zone, "energy_uj"), `${energy}\n`);
  for (const [zone, [name, energy]] of Object.entries(zones)) {
    mkdirSync(path.join(folder, zone));
    writeFileSync(path.join(folder, zone, "name"), `${name}\n`);
    writeFileSync(path.join(folder, zone, "max_energy_range_uj"), "1000000\n");
    set(zone, energy);
  }
  return { folder, set };
}

it("adds packages and memory, counting nothing twice", () => {
  const { folder, set } = powercap({
    "intel-rapl:0": ["package-0", 100],
    "intel-rapl:0:0": ["core", 50],
    "intel-rapl:0:1": ["dram", 10],
    "intel-rapl:1": ["package-1", 0],
    "intel-rapl:2": ["psys", 500],
    "dtpm:0": ["package-0", 0],
  });
  const joules = energyMeter(folder);
  for (const zone of ["intel-rapl:0", "intel-rapl:0:0", "intel-rapl:0:1", "intel-rapl:1", "intel-rapl:2"])
    set(zone, 500_000);
  expect(joules()).toBeCloseTo((499_900 + 499_990 + 500_000) / 1e6, 9);
});

it("continues when a counter wraps around", () => {
  const { folder, set } = powercap({ "intel-rapl:0": ["package-0", 999_000] });
  const joules = energyMeter(folder);
  set("intel-rapl:0", 2000);
  expect(joules()).toBeCloseTo(0.003, 9);
});

it("is unknown if there are no counters, or they cannot be read", () => {
  expect(energyMeter("/nonexistent")()).toBeUndefined();
  expect(energyMeter(powercap({ "dtpm:0": ["package-0", 0] }).folder)()).toBeUndefined();
  const { folder, set } = powercap({ "intel-rapl:0": ["package-0", 0] });
  set("intel-rapl:0", "");
  expect(energyMeter(folder)()).toBeUndefined();
});
