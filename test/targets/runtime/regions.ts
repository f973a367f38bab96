/** Regions that the test programs launch, for each back end; their kernels, written by hand, are in kernels/. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ImageText, RegionText } from "./image.ts";

const text = (name: string): string => readFileSync(join(import.meta.dirname, "kernels", name), "utf8");

export const hostKernels = text("host.c");
/** Kernels as the stand-in drivers of GPUs take them. */
export const standInKernels = text("stand_in.c");

const add: RegionText = {
  name: "add",
  args: 3,
  kernels: [
    {
      name: "add",
      grid: ["t0 64 ceildiv"],
      group: ["64"],
      params: ["a0", "a1", "a2"],
      after: ["operations t0 6 * ; t0"],
    },
  ],
};
const scale: RegionText = {
  name: "scale",
  args: 2,
  kernels: [{ name: "scale", grid: ["t0"], group: ["1"], params: ["a0", "a1"] }],
};

export const hostRegions = (so: Uint8Array): ImageText => ({
  backend: "host",
  target: "cpu",
  regions: [add, scale],
  payloads: [{ kind: "so", bytes: so }],
});

export const openclRegions: ImageText = {
  backend: "opencl",
  target: "pocl",
  options: "-cl-std=CL1.2",
  regions: [add, scale],
  payloads: [{ kind: "source", bytes: text("opencl.cl") }],
};

export const gpuRegions = (backend: string, kind: string, code: Uint8Array): ImageText => ({
  backend,
  target: "gpu",
  regions: [add, scale],
  payloads: [{ kind, bytes: code }],
});
