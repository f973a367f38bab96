/** What this machine has to compile for and to run on, besides its processor. */
import { existsSync, readdirSync } from "node:fs";
import { start } from "./process.ts";

function openClVendors(): readonly string[] {
  try {
    return readdirSync("/etc/OpenCL/vendors");
  } catch {
    return [];
  }
}

export const hasOpenCl = openClVendors().length > 0;
export const hasGpu = existsSync("/dev/nvidiactl");
export const hasNvcc = (await start("nvcc", ["--version"])).status === 0;
