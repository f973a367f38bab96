/** Which counter tells the energy of a device, and what is made of what it counted. */
import { describe, expect, it } from "vitest";
import {
  type Energy,
  energyCells,
  energyOf,
  energySourceOf,
  whyTooShort,
} from "../../../cli/bench/device-energy.ts";
import { deviceTimes } from "../../../cli/bench/device-times.ts";
import type { Measurement } from "../../../cli/bench/measurements.ts";
import { parseDevices } from "../../../rules/steps/device.ts";

const run = (more: Partial<Measurement>): Measurement => ({
  at: 0,
  output: "" as Measurement["output"],
  ...more,
});
const nvml = { by: "NVML" } as const;

describe("the source", () => {
  it.each([
    ["opencl\t0\topencl:0 (cpu)\tIntel\t3.1\tcpu\t", { by: "RAPL" }],
    ["host\t0\thost:0\tx86_64\t\tcpu\t", { by: "RAPL" }],
    ["opencl\t0\topencl:0 (H200)\tNVIDIA Corporation\t580\tgpu\tNVML", nvml],
    [
      "cuda\t0\tcuda:0 (K80)\tNVIDIA Corporation\t580\tgpu\tNot Supported (3)",
      { missing: "Not Supported (3)" },
    ],
    [
      "hip\t0\thip:0 (MI300)\tAMD\t6\tgpu\t",
      { missing: expect.stringContaining("of NVIDIA GPUs (NVML) alone") },
    ],
    ["opencl\t0\topencl:0 (pac)\tIntel\t19\taccelerator\t", { missing: expect.any(String) }],
  ])("of %s", (line, source) => {
    expect(energySourceOf(parseDevices(line))).toEqual(source);
  });

  it("of kernels that need no device is this machine", () => {
    expect(energySourceOf([])).toEqual({ by: "RAPL" });
  });

  it("is no part of what identifies a device", () => {
    const [one, other] = parseDevices(
      "cuda\t0\tH200\tNVIDIA\t13\tgpu\tNVML\ncuda\t0\tH200\tNVIDIA\t13\tgpu\tbroken",
    );
    expect(one?.line).toBe(other?.line);
    expect(one).toMatchObject({ name: "H200", vendor: "NVIDIA", type: "gpu", nvml: "counts" });
    expect(other?.nvml).toEqual({ missing: "broken" });
  });
});

describe("what NVML counted", () => {
  const gpu = (joules: number, seconds: number) => run({ gpu: { joules, seconds, step: 0.1 } });

  it("is the median of the runs, right to the longest step in the shortest run", () => {
    const energy = energyOf([gpu(400, 2), gpu(420, 1.6), gpu(390, 2), run({ joules: 7 })], nvml) as Energy;
    expect(energy).toMatchObject({
      by: "NVML",
      median: 400,
      least: 390,
      most: 420,
      count: 3,
      uncertainty: 1 / 16,
    });
    expect(energyCells(energy)).toEqual(["400 J", "390 J to 420 J", "NVML, ± 6.3 %"]);
    expect(whyTooShort(energy)).toBeUndefined();
    expect(energyCells({ ...energy, most: 1723 })[1]).toBe("390 J to 1.72 kJ");
    expect(whyTooShort(energyOf([gpu(100, 0.5)], nvml) as Energy)).toContain("right to 20 % only");
  });

  it("is nothing in less than two steps, or where only reasons are known", () => {
    expect(energyOf([gpu(30, 0.15)], nvml)).toEqual({
      missing:
        "NVML counts in steps of 0.10 s, and only 0.15 s pass from the first launch to the end of the last one",
    });
    const failed = run({ gpu: { missing: "its counter does not move" } });
    expect(energyOf([failed], nvml)).toEqual({ missing: "its counter does not move" });
    // What was counted in another call stays.
    expect(energyOf([failed, gpu(400, 2)], nvml)).toMatchObject({ median: 400 });
    expect(energyOf([], nvml)).toHaveProperty("missing");
  });

  it("is of all devices together, and not known if one is not", () => {
    const profile = (...energy: object[]) => deviceTimes(JSON.stringify({ rows: [], energy }))?.gpu;
    const [a, b] = [
      { device: "cuda:0", joules: 10, seconds: 2, step: 0.1 },
      { device: "cuda:1", joules: 5, seconds: 1, step: 0.2 },
    ];
    expect(profile(a, b)).toEqual({ joules: 15, seconds: 2, step: 0.2 });
    expect(profile(a, { device: "cuda:1", missing: "why" })).toEqual({ missing: "why" });
    expect(deviceTimes('{"rows":[]}')).not.toHaveProperty("gpu");
  });
});

it("tells runs that are shorter than RAPL's steps from machines without counters", () => {
  const rapl = { by: "RAPL" } as const;
  expect(energyOf([run({ joules: 0 })], rapl)).toEqual({
    missing: "the runs are shorter than the steps of its counter (RAPL)",
  });
  expect(energyOf([run({})], rapl)).toEqual({ missing: expect.stringContaining("/sys/class/powercap") });
  expect(energyCells(energyOf([run({ joules: 3 })], rapl) as Energy)).toEqual([
    "3.00 J",
    "3.00 J to 3.00 J",
    "RAPL",
  ]);
});
