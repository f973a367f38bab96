/**
 * Calls of Intel's offline compiler for FPGAs as data, after the "Intel FPGA SDK for OpenCL Pro Edition
 * Programming Guide" (UG-OCL002), chapters on compiling kernels: `-rtl` stops before place and route and
 * leaves the reports.
 */
import type { Tool } from "../shared/kind/kind.ts";
import { newest, sdkVersion } from "./versions.ts";

export interface AocOptions {
  /** A board of the installed board support package; by default the SDK's. */
  readonly board?: string;
  /** Version of the SDK: `19.4`. */
  readonly sdk?: string;
  /** Lets the compiler reorder floating-point sums. */
  readonly reassociate?: boolean;
  /** Seed of place and route. */
  readonly seed?: number;
}

export const aoc: Tool = {
  program: "aoc",
  versionArgs: ["-version"],
  install:
    "install the Intel FPGA SDK for OpenCL (17.1 to 22.4), source its init_opencl script, and put aoc on PATH",
};

/** The report folder, in the folder named after the kernel file. */
export const reportFolder = "reports/lib/json";

function common({ board, sdk = newest, reassociate }: AocOptions): string[] {
  return [
    ...(board === undefined ? [] : [`-board=${board}`]),
    ...(reassociate === true ? [sdkVersion(sdk).reassociate] : []),
  ];
}

/** The report stage: takes minutes, and shows whether synthesis is worth hours. */
export function reportArgs(options: AocOptions, source: string): readonly string[] {
  return ["-rtl", "-report", ...common(options), source];
}

/** Full compilation to a device image. */
export function compileArgs(options: AocOptions, source: string, output: string): readonly string[] {
  return [
    ...common(options),
    ...(options.seed === undefined ? [] : [`-seed=${options.seed}`]),
    source,
    "-o",
    output,
  ];
}
