/** The model of the energy of designs, against the currents that its figures were computed from. */
import { expect, it } from "vitest";
import { parts } from "../../../targets/rtl/parts.ts";
import { launchEnergy, type Power } from "../../../targets/shared/kind/energy.ts";

const VOLTS = 1.219;
const HERTZ = 12e6;

const powerOf = (part: string) => parts[part]?.power as Power;

it.each([
  ["a multiplier of counters, and a counter", 208, 996, 0.05],
  ["a counter, of which few bits change", 28, 645, 0.05],
] as const)(
  "a UP5K's core takes the measured current with %s: %i cells, %i microamperes",
  (_, cells, microamperes, off) => {
    const watts = launchEnergy(powerOf("ice40-up5k"), cells, HERTZ, 1);
    const share = watts / VOLTS / (1e-6 * microamperes);
    expect(Math.abs(share - 1)).toBeLessThan(off);
  },
);

it("standing still costs nothing but time, and running costs more of more cells and cycles", () => {
  for (const [name, { power }] of Object.entries(parts)) {
    if (power === undefined) continue;
    expect(name).toMatch(/^ice40-/);
    expect(launchEnergy(power, 0, 0, 2)).toBe(2 * power.still);
    expect(launchEnergy(power, 200, 10, 1)).toBeGreaterThan(launchEnergy(power, 100, 10, 1));
    expect(launchEnergy(power, 100, 20, 1)).toBeGreaterThan(launchEnergy(power, 100, 10, 1));
  }
});
