/** The energy of NVIDIA GPUs in the profile, and in the list of devices: by a stand-in for NVML. */
import { mkdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { hasOpenCl } from "../../../programs/devices.ts";
import { execute, Workshop } from "../harness.ts";
import { gpuRegions, openclRegions, standInKernels } from "../regions.ts";
import { sized } from "../stand-in-code.ts";

const shop = new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
afterAll(() => shop.remove());
const drivers = shop.path("drivers");
mkdirSync(drivers);
shop.library("cuda_stand_in", `${drivers}/libcuda.so.1`);
shop.library("nvml_stand_in", `${drivers}/libnvidia-ml.so.1`);
const code = sized(shop.kernels(standInKernels));
const cuda = {
  ARC_IMAGES: shop.image("cuda", gpuRegions("cuda", "cubin", code)),
  LD_LIBRARY_PATH: drivers,
};
const pause = shop.program("report/pause");

interface Energy {
  readonly device: string;
  readonly joules?: number;
  readonly seconds?: number;
  readonly step?: number;
  readonly missing?: string;
}

function energyOf(milliseconds: string, env: Record<string, string>): readonly Energy[] | undefined {
  const file = shop.path("profile.json");
  const ran = execute([pause, milliseconds], { env: { ...env, ARC_PROFILE: file } });
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "right\n" });
  return (JSON.parse(readFileSync(file, "utf8")) as { energy?: readonly Energy[] }).energy;
}

/** The power is always the same, so all that can be wrong is when a step was seen: at most one step too late. */
function expectWatts(energies: readonly Energy[] | undefined, watts: number): void {
  expect(energies).toHaveLength(1);
  const { joules = 0, seconds = 0, step = 0 } = energies?.[0] ?? {};
  expect(seconds).toBeGreaterThanOrEqual(0.25);
  expect(step).toBeGreaterThan(0.01);
  expect(Math.abs(joules - watts * seconds)).toBeLessThanOrEqual(watts * step);
}

describe("the profile", () => {
  it("has the joules from the first launch to the end of the last one", () => {
    expectWatts(energyOf("250", cuda), 100);
    expectWatts(energyOf("250", { ...cuda, STAND_IN_WATTS: "300", STAND_IN_STEP: "50" }), 300);
    const { stderr } = execute([pause, "100"], { env: { ...cuda, ARC_PROFILE: "1" } });
    expect(stderr).toMatch(
      /^arc: energy of cuda:0 \(stand-in, sm_90\): [\d.]+ J in [\d.]+ s, from the first launch to the end of the last one, as NVML counts it in steps of \d+ ms$/m,
    );
  });

  it.each<[string, Record<string, string>]>([
    ["nvmlInit: Driver/library version mismatch (18)", { STAND_IN_NVML: "mismatch" }],
    ["nvmlDeviceGetTotalEnergyConsumption: Not Supported (3)", { STAND_IN_NVML: "unsupported" }],
    ["its counter does not move", { STAND_IN_STEP: "0" }],
    [
      "nvmlDeviceGetHandleByPciBusId of 0000:1C:00.0: Not Found (6)",
      { STAND_IN_DEVICES: "2", ACC_DEVICE_NUM: "1" },
    ],
    ["NVML cannot be used: none.so: cannot open", { ARC_NVML_LIBRARY: "none.so" }],
    ["it lacks nvmlInit_v2", { ARC_NVML_LIBRARY: "libcuda.so.1" }],
  ])("says why there are none: %s", (reason, env) => {
    const [one] = energyOf("1", { ...cuda, ...env }) ?? [];
    expect(one?.missing).toContain(reason);
    expect(one?.joules).toBeUndefined();
    const { stderr } = execute([pause, "1"], { env: { ...cuda, ...env, ARC_PROFILE: "1" } });
    expect(stderr).toContain(`) is not known: ${one?.missing}\n`);
  });

  it("has none of a program that launches nothing", () => {
    expect(energyOf("0", cuda)).toBeUndefined();
  });
});

describe.skipIf(!hasOpenCl)("OpenCL devices", () => {
  const library = shop.path("libnvidia_opencl.so");
  shop.library("nvidia_opencl", library, "-Wl,--no-as-needed", "-l:libOpenCL.so.1");
  const opencl = {
    ARC_IMAGES: shop.image("opencl", openclRegions),
    ARC_OPENCL_PLATFORM: "Portable",
    // PoCL's own memory is none of this test's business.
    ASAN_OPTIONS: "detect_leaks=0",
  };
  const nvidia = { ...opencl, ARC_OPENCL_LIBRARY: library, LD_LIBRARY_PATH: drivers };

  it("are counted if they are NVIDIA's, and not otherwise", () => {
    expectWatts(energyOf("250", nvidia), 100);
    expectWatts(energyOf("250", { ...nvidia, STAND_IN_OLD: "1" }), 100);
    expect(energyOf("1", opencl)).toBeUndefined();
  });

  it("are listed with their types, and NVIDIA's with whether their energy is counted", () => {
    const list = shop.tool("devices");
    const listed = (env: Record<string, string>) => {
      const rows = execute([list], { env }).stdout.trim().split("\n");
      return rows.map((line) => line.split("\t")).map(([backend, , , , , ...last]) => [backend, ...last]);
    };
    expect(listed({ ...opencl, LD_LIBRARY_PATH: drivers })).toEqual([
      ["host", "cpu", ""],
      ["opencl", "cpu", ""],
      ["hip"],
      ["cuda", "gpu", "NVML"],
    ]);
    const reason = "nvmlDeviceGetTotalEnergyConsumption: Not Supported (3)";
    expect(listed({ ...nvidia, STAND_IN_NVML: "unsupported" })).toEqual([
      ["host", "cpu", ""],
      ["opencl", "gpu", reason],
      ["hip"],
      ["cuda", "gpu", reason],
    ]);
  });
});
