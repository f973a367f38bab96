import { describe, expect, it } from "vitest";
import type { HardwarePlan } from "../../../../core/hw/binding/process.ts";
import { predictCycles } from "../../../../core/hw/schedule/predict.ts";
import { serialArrays } from "../serial.ts";
import { designed, ideal, loadsAt, simulate } from "../simulation.ts";
import { countedLoop, throughMemory, triangularNest, updatedWindow, windowedSums } from "./random-loops.ts";

/** More on demand: ARC_RTL_SEEDS=100-400. */
const [from = 1, to = 10] = (process.env.ARC_RTL_SEEDS ?? "1-10").split("-").map(Number);
const seeds = Array.from({ length: to - from + 1 }, (_, k) => from + k);

describe("random loops", () => {
  it.each([
    ["over counters with constant bounds give the serial result", countedLoop, false],
    // The last iteration stores: so their cycles are known.
    ["over windows give the serial result, without stalls in the predicted cycles", windowedSums, true],
    ["over windows that they update give the serial result", updatedWindow, false],
    ["that hand values on through memory give the serial result", throughMemory, false],
    ["that begin or end at counters of loops around them give the serial result", triangularNest, false],
  ] as const)("%s", (_, make, timed) => {
    const kernels = seeds.map((seed) => make(seed));
    const serial = serialArrays(kernels);
    kernels.forEach(({ source, given }, k) => {
      const made = designed(source);
      const { plans, kernel } = made.design;
      const stalls = k % 2 === 0 ? 0 : 4;
      const latency = timed || k % 3 > 0 ? 3 : 12;
      const run = simulate(made, given, { ...ideal, latency, stalls, seed: k + 1 });
      expect(serial[k], `seed ${seeds[k]}\n${source}`).toMatchObject(run.arrays);
      if (stalls > 0 || !timed) return;
      const runs = run.runs.map((r) => ({ ...r, loads: loadsAt(r, kernel.reads) }));
      expect(predictCycles(plans[0] as HardwarePlan, runs, { latency: 3 }), source).toBe(run.cycles);
    });
  });
});
